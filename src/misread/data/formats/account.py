"""The account of a file: what its reader read, left out on purpose, and has no place for.

Every text of a file is read or named. What the grammar of a format has no place for is unknown, and warned of once for
a format and kind; text left out on purpose is in the notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any, Final, ParamSpec

from misread.data.segment_table import Doubt, SegmentTable
from misread.errors import InputFileError
from misread.text.nouns import count_of

Given = ParamSpec("Given")

_LONGEST_EXAMPLE: Final = 40
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_KEYS: Final = 3  # that an end of a path has
_MOST_MISSED: Final = 200
_PARENTS: Final = 3  # elements that are named with the one around a text


@dataclass(slots=True)
class Share:
    """Texts of one kind: their number, their characters that are not blank, and place and beginning of the first."""

    location: str
    example: str
    number: int = 0
    characters: int = 0


@dataclass
class Account:
    """Characters of a file, or of all files of one format, that are not blank.

    Parameters
    ----------
    label : str
        The format, as sentences call it.
    path : Path
        The file.

    Attributes
    ----------
    read : int
        Characters that became texts.
    left_out : dict of str to Share
        What is not read, or read otherwise than it is written, by reason: a noun phrase in the plural.
    unknown : dict of str to Share
        What the format has no place for, by kind: a noun phrase in the plural.
    """

    label: str
    path: Path = Path()
    read: int = 0
    left_out: dict[str, Share] = field(default_factory=dict)
    unknown: dict[str, Share] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Hand the account of a file to the command that reads it."""
        if self.path.name and (opened := _opened.get()) is not None:
            opened.append(self)

    def leave_out(self, reason: str, text: str, at: int | str) -> None:
        """Count a text that is left out; `at` is its line in the file, or its place in words."""
        self._count(self.left_out, reason, text, at)

    def doubt(self, kind: str, text: str, at: int | str) -> None:
        """Count a text that the format has no place for."""
        self._count(self.unknown, kind, text, at)

    def leave_all_out(self, reason: str, elements: Sequence[Any]) -> None:
        """Count the texts of elements of XML that are left out."""
        if elements:
            self.leave_out(reason, elements[0].text or "", elements[0].sourceline)
            self.left_out[reason].number += len(elements) - 1
            self.left_out[reason].characters += count_characters(
                "".join(element.text or "" for element in elements[1:])
            )

    def _count(self, shares: dict[str, Share], kind: str, text: str, at: int | str) -> None:
        shown = " ".join(text.split())
        if kind not in shares:
            location = f"{self.path.name}, {at if isinstance(at, str) else f'line {at}'}"
            shares[kind] = Share(
                location, shown if len(shown) <= _LONGEST_EXAMPLE else f"{shown[:_LONGEST_EXAMPLE]}..."
            )
        shares[kind].number += 1
        shares[kind].characters += count_characters(shown)

    def add(self, other: Account, side: str = "") -> None:
        """Add the account of a further file, of one side."""
        self.read += other.read
        for shares, others in ((self.left_out, other.left_out), (self.unknown, other.unknown)):
            for kind, share in others.items():
                known = shares.setdefault(kind, Share(f"{side}{share.location}", share.example))
                known.number += share.number
                known.characters += share.characters

    def notes(self, *, of_texts: bool = False) -> Iterator[str]:
        """A whole sentence on each reason for which texts are left out, or on what a file is like without any."""
        for reason, share in self.left_out.items():
            if of_texts == bool(share.example):
                example = f": {share.example!r}" if share.example else ""
                yield f"{self.label}: {reason}: {share.number:,} (the first in {share.location}{example})."

    def doubts(self) -> Iterator[Doubt]:
        """A warning of each kind that is unknown."""
        for kind, share in self.unknown.items():
            counted = f"{share.number:,} with {count_of(share.characters, 'character')}"
            brief = f"{self.label}: {kind} are not read: {counted}"
            yield Doubt(
                sentence=f"{brief} (the first in {share.location}: {share.example!r}).", brief=f"{brief}.", quotes=True
            )

    def add_tree(self, texts: Iterable[Any], taken: Container[Any], no_text: Mapping[Any, str]) -> None:
        """Look through texts of XML, as XPath gives them, for those that were not read.

        `taken` are the elements whose text the reader took: all that lies between their tags, but not within the
        elements inside them. `no_text` has elements, or their names, whose whole content is no text, with the reason,
        or "" where there is nothing to say.
        """
        reasons: dict[Any, str | None] = {None: None}
        for text in texts:
            element = text.getparent()
            if text.is_tail:
                element = element.getparent()
            if element in taken or not text.strip():
                continue
            line = [element]
            while line[-1] not in reasons:
                line.append(line[-1].getparent())
            for above, below in pairwise(reversed(line)):
                reasons[below] = reasons[above] or no_text.get(below, no_text.get(_name(below), reasons[above]))
            if (reason := reasons[element]) is None:
                names = [_name(element), *map(_name, islice(element.iterancestors(), _PARENTS))]
                what = f"{text.attrname} of" if text.is_attribute else "texts in"
                self.doubt(f"{what} {'/'.join(reversed(names))}", text, element.sourceline)
            elif reason:
                self.leave_out(reason, text, element.sourceline)

    def add_json(self, value: Any, texts: Iterable[str], no_text: Mapping[str, str], at: str = "") -> None:
        """Look through a value of JSON for strings that are in none of the texts that were read; nothing else is text.

        White space makes no difference. `no_text` has keys, or ends of paths of up to three ("a.b.c"), which cover all
        below them: with a reason for strings that differ from the texts, or "" where nothing is text. `at` begins
        the place, such as "entry 3".
        """
        known = _squeeze("".join(texts))
        self.read += len(known)
        for path, reason, strings in _gather(value, no_text):
            location = f"{at}, {'.'.join(path)}".removeprefix(", ")
            for text in _find_other(strings, known):
                if reason:
                    self.leave_out(reason, text, location)
                elif path or not _NUMBER.fullmatch(text):  # such numbers in lists are scores
                    self.doubt(f"texts of {'.'.join(path)!r}", text, location)


def _gather(value: Any, no_text: Mapping[str, str]) -> Iterator[tuple[tuple[str, ...], str | None, list[str]]]:
    """Strings of JSON by the path of their keys, with the reason why they are no text; all of a path at once."""
    waiting: list[tuple[tuple[str, ...], str | None, Sequence[Any]]] = [((), None, [value])]
    for path, reason, values in waiting:
        kinds = {*map(type, values)}
        if str in kinds:
            yield path, reason, [value for value in values if value.__class__ is str]
        if list in kinds:
            waiting.append((path, reason, [child for value in values if value.__class__ is list for child in value]))
        if dict in kinds:
            objects = [value for value in values if value.__class__ is dict]
            for key in dict.fromkeys(chain.from_iterable(objects)):
                below = (*path, key)
                ends = (".".join(below[-number:]) for number in range(_KEYS, 0, -1))
                if (why := next((no_text[end] for end in ends if end in no_text), reason)) != "":
                    waiting.append((below, why, [value[key] for value in objects if key in value]))


def _find_other(strings: Sequence[str], known: str) -> Iterator[str]:
    """Strings that are no part of what was read; once many are not, only what follows the one before is known."""
    if _squeeze("".join(strings)) in known:
        return
    last = missed = 0
    for text in strings:
        short, start = _squeeze(text), last
        if not known.startswith(short, last):
            start = known.find(short, last) if missed < _MOST_MISSED else -1
            if start < 0 and missed < _MOST_MISSED:
                start = known.find(short, 0, last + len(short))
        if start < 0:
            missed += 1
            yield text
        last = max(start, 0) + len(short)


Accounts = dict[str, Account]
"""Accounts of all files that a command reads, by the label of their format."""

_opened: ContextVar[list[Account] | None] = ContextVar("_opened", default=None)


@contextmanager
def collecting_accounts(side: str = "") -> Iterator[Accounts]:
    """Collect the accounts of files of one side that are read meanwhile; those who collect around get them, too."""
    accounts: Accounts = {}
    opened: list[Account] = []
    around = _opened.get()
    before = _opened.set(opened)
    try:
        yield accounts
    finally:
        _opened.reset(before)
        for account in opened:
            accounts.setdefault(account.label, Account(account.label)).add(account)
        if around is not None:
            for label, account in accounts.items():
                around.append(Account(label))
                around[-1].add(account, f"{side}: " if side else "")


def describe_accounts(accounts: Accounts) -> list[str]:
    """Whole sentences on unknown texts, and on those left out."""
    return [
        sentence
        for account in accounts.values()
        for sentence in (
            *(doubt.sentence for doubt in account.doubts()),
            *account.notes(),
            *account.notes(of_texts=True),
        )
    ]


def collect_sentences(accounts: Accounts) -> tuple[list[Doubt], list[str], list[str]]:
    """Doubts, notes on what files are like, and remarks on texts that are left out."""
    return (
        [doubt for account in accounts.values() for doubt in account.doubts()],
        [note for account in accounts.values() for note in account.notes()],
        [remark for account in accounts.values() for remark in account.notes(of_texts=True)],
    )


def refuse_unknown(accounts: Accounts, path: Path) -> None:
    """Refuse a file of references whose reader found no text in it, but text that it has no place for."""
    for account in accounts.values():
        for doubt in account.doubts():
            raise InputFileError(f"{path}: a reference without text, whose file has some. {doubt.sentence}")


def with_accounts(read: Callable[Given, SegmentTable]) -> Callable[Given, SegmentTable]:
    """Make a reader of segments say which texts of its files it leaves out or does not know."""

    @wraps(read)
    def read_with_accounts(*args: Given.args, **kwargs: Given.kwargs) -> SegmentTable:
        if _opened.get() is not None:
            return read(*args, **kwargs)
        with collecting_accounts() as accounts:
            table = read(*args, **kwargs)
        doubts, notes, remarks = collect_sentences(accounts)
        return replace(
            table,
            facts=replace(
                table.facts.with_doubts(*doubts).with_notes(*notes), remarks=[*table.facts.remarks, *remarks]
            ),
        )

    return read_with_accounts


def silent(names: str) -> dict[str, str]:
    """Keys of JSON, between blanks, below which there is no text, as `Account.add_json` takes them."""
    return dict.fromkeys(names.split(), "")


def count_characters(text: str) -> int:
    """Characters of a text that are not white space."""
    return len(_squeeze(text))


def _squeeze(text: str) -> str:
    text = text.replace(" ", "")  # far faster than to split it, and most have no other white space
    return "".join(text.split() if len(text.split(maxsplit=1)) > 1 else [text.strip()])


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]
