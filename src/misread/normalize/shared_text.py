"""Text that many outputs have at the same place and their references lack: openings, closings, labels, page headers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.errors import MisreadError
from misread.normalize.steps.chatter import BY_FUNCTION, remove_shared

_FEWEST, _LEAST_SHARE = 3, 0.005  # outputs that share a text
_MOST_TEXTS: Final = 8
_MOST_CHARACTERS: Final = 2_000_000  # of longer outputs fewer are looked at
_MOST_RANKED, _MOST_TRIED = 50, 12  # candidates of a position, and those that are measured
_SAMPLE, _FIRST = 200, 20  # outputs of each
_INSERTED: Final = 0.8  # part of a text's characters that are errors, so that the alignment inserts it
_ALMOST_ALL, _HALF = 0.9, 0.5  # outputs in which it is inserted, with the rest of its line and without
_HEAD: Final = 160
_LONGEST: Final = 20_000
_WIDTH: Final = 8
_KEY: Final = 4

_DIGITS: Final = re.compile(r"\d+")
# Tags, times and numbers in brackets, marks in a row other than those that end a sentence, and numbers of lines.
_BRACKETED: Final = r"[\[({][^\[\](){}\n]{0,40}0[^\[\](){}\n]{0,20}[\])}]"
_LEADING: Final = re.compile(
    rf"""(?:(?:<[^<>\n]{{1,40}}>|{_BRACKETED}|([^\w\s.,;:!?…'"()])\1+|0[0:.,/-]*[.)\]:|]?(?=\s))[^\S\n]*)+"""
)
_TRAILING: Final = re.compile(r"""(?:>[^<>\n]{1,40}<|([^\w\s.,;:!?…'"()])\1+)+""")
_LABEL: Final = re.compile(r"[^\W\d_][\w.'’ -]{0,30}[:：](?=\s)[^\S\n]*")

_RULES: Final[Mapping[str, Sequence[str]]] = {
    "begin with": (r"\A\s*TEXT[^\n]*\s*", r"\A\s*TEXT[^\n:：]*[:：][*_]*\s+", r"\A\s*TEXT\s*"),
    "have lines that begin with": (r"^[^\S\n]*TEXT[^\n]*(?:\n|\Z)", r"^[^\S\n]*TEXT[^\S\n]*"),
    "end with a line of": (r"\s*^[^\S\n]*TEXT[^\n]*\s*\Z",),
    "end with": (r"\s*TEXT\s*\Z",),
}
"""Places, and rules that take text off there: with the whole line, with what goes to a colon, and the text alone."""


@dataclass(frozen=True, slots=True)
class SharedText:
    """A text that outputs share, how many, and what takes it off: a regular expression, or the name of a function."""

    position: str
    rule: str
    example: str
    outputs: int


def find_shared(
    references: Sequence[str], outputs: Sequence[str | None], normalize: Callable[[Sequence[str]], Iterable[str]]
) -> list[SharedText]:
    """Texts that outputs share at one place, the most characters first.

    A text counts where the alignment of the normalized texts inserts it: without it there are fewer errors, by nearly
    as many as it has characters. Text in place of words of the reference is no such text.
    """
    pairs = [(reference, text) for reference, text in zip(references, outputs, strict=True) if text]
    pairs = pairs[:: 1 + sum(len(text) for _, text in pairs) // _MOST_CHARACTERS]
    fewest = max(_FEWEST, round(_LEAST_SHARE * len(pairs)))
    texts = [text for _, text in pairs]
    shared: list[SharedText] = []
    while len(shared) < _MOST_TEXTS:
        ranked = sorted(_candidates(texts, fewest), key=lambda candidate: -candidate.characters)
        tried = islice((candidate for candidate in ranked if _references_lack(candidate, pairs)), _MOST_TRIED)
        measured = (_measure(candidate, pairs, texts, fewest, normalize) for candidate in tried)
        best = next(filter(None, measured), None)
        if best is None or best in shared:
            break
        shared.append(best)
        texts = [remove_shared(text, rules=(best.rule,)) for text in texts]
    return shared


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A text at a place, the rules that take it off, the longest first, the rows that have it, and its characters."""

    position: str
    rules: Sequence[str]
    rows: Sequence[int]
    characters: int


def _references_lack(candidate: _Candidate, pairs: Sequence[tuple[str, str]]) -> bool:
    """Whether most of the first references of a candidate's rows lack it."""
    rows, rules = candidate.rows[:_FIRST], (candidate.rules[-1],)
    having = sum(remove_shared(pairs[row][0], rules=rules) != pairs[row][0] for row in rows)
    return having <= (1 - _HALF) * len(rows)


def _measure(
    candidate: _Candidate,
    pairs: Sequence[tuple[str, str]],
    texts: Sequence[str],
    fewest: int,
    normalize: Callable[[Sequence[str]], Iterable[str]],
) -> SharedText | None:
    """The text of a candidate, if enough of its rows have it where their references do not, and it is inserted."""
    rows = candidate.rows
    sample = [rows[index] for index in np.unique(np.linspace(0, len(rows) - 1, _SAMPLE).astype(int)).tolist()]
    for rule in candidate.rules:
        lacking = [
            row
            for row in sample
            if len(texts[row]) <= _LONGEST and remove_shared(pairs[row][0], rules=(rule,)) == pairs[row][0]
        ]
        enough = _ALMOST_ALL if rule is not candidate.rules[-1] else _HALF
        if len(lacking) < enough * len(sample):
            continue
        before = [*normalize([texts[row] for row in lacking])]
        after = [*normalize([remove_shared(texts[row], rules=(rule,)) for row in lacking])]
        expected = [*normalize([pairs[row][0] for row in lacking])]
        try:
            fewer = distances(expected, before) - distances(expected, after)
        except MisreadError:
            continue
        removed = np.array([*map(len, before)]) - np.array([*map(len, after)])
        share = np.count_nonzero((fewer >= _INSERTED * removed) & (removed > 0)) / len(sample)
        if share >= enough and share * len(rows) >= fewest:
            example = next(_example(texts[row], rule) for row in lacking)
            return SharedText(candidate.position, rule, example, round(share * len(rows)))
    return None


def _example(text: str, rule: str) -> str:
    match = None if rule in BY_FUNCTION else re.compile(rule, re.MULTILINE).search(text)
    return match[0].strip() if match else rule


def _candidates(texts: Sequence[str], fewest: int) -> Iterator[_Candidate]:
    """Texts with which enough outputs, or lines of them, begin or end, and what functions change."""
    first: list[tuple[int, str]] = []
    last: list[tuple[int, str]] = []
    all_lines: list[tuple[int, str]] = []
    for row, text in enumerate(texts):
        lines = [(row, line) for line in map(str.strip, text.split("\n")) if line]
        first += lines[:1]
        last += lines[-1:]
        all_lines += lines if len(lines) > 1 else ()
    several = {row for row, _ in all_lines}
    for position, lines in (
        ("begin with", first),
        ("end with a line of", [line for line in last if line[0] in several]),
        ("end with", last),
        ("have lines that begin with", all_lines),
    ):
        backwards = position == "end with"
        # Times, pages and ids differ in their numbers alone.
        heads = [(row, _DIGITS.sub("0", line[-_HEAD:][::-1] if backwards else line[:_HEAD])) for row, line in lines]
        labelled = [(row, "") for row, head in heads if not backwards and _LABEL.match(head)]
        weights = _common([head for _, head in heads], fewest, backwards=backwards)
        for text in nlargest(_MOST_RANKED, weights, key=lambda text: weights[text]):
            having = [(row, text) for row, head in heads if head.startswith(text)]
            exact = _DIGITS.sub(r"\\d+", re.escape(text[::-1] if backwards else text))
            yield from _candidate(position, exact, having, fewest)
        if position in ("begin with", "have lines that begin with"):
            yield from _candidate(position, _LABEL.pattern, labelled, fewest)
    for name, change in BY_FUNCTION.items():
        changed = [(row, name) for row, text in enumerate(texts) if change(text) != text]
        if len(changed) >= fewest:
            yield _Candidate("have marks of", [name], [row for row, _ in changed], len(changed))


def _candidate(position: str, exact: str, lines: Sequence[tuple[int, str]], fewest: int) -> Iterator[_Candidate]:
    rows = [*dict.fromkeys(row for row, _ in lines)]
    if len(rows) >= fewest:
        rules = [rule.replace("TEXT", exact) for rule in _RULES[position]]
        yield _Candidate(position, rules, rows, sum(len(text) or _WIDTH for _, text in lines))


def _common(heads: Sequence[str], fewest: int, *, backwards: bool) -> dict[str, int]:
    """Marks and texts with which enough of these begin, up to the end of a word, and their characters in all."""
    marks = _TRAILING if backwards else _LEADING
    numbers = Counter(match[0] for head in heads if (match := marks.match(head)))
    weights = {text: number * len(text) for text, number in numbers.items() if number >= fewest}
    groups: dict[str, list[str]] = {}
    for head in heads:
        groups.setdefault(head[:_KEY], []).append(head)
    for group in groups.values():
        if len(group) >= fewest:
            for beginning, head, number in _beginnings(sorted(group), fewest):
                if text := _whole_words(beginning, head):
                    weights[text] = max(weights.get(text, 0), number * len(text))
    return weights


def _beginnings(heads: Sequence[str], fewest: int) -> Iterator[tuple[str, str, int]]:
    """All that enough of sorted texts begin with as far as they are equal, each with one of them and their number."""
    open_since: list[tuple[int, int]] = []
    for index in range(1, len(heads) + 1):
        length = _count_equal(heads[index - 1], heads[index]) if index < len(heads) else 0
        start = index - 1
        while open_since and open_since[-1][0] > length:
            shared, start = open_since.pop()
            if index - start >= fewest:
                yield heads[start][:shared], heads[start], index - start
        if not open_since or open_since[-1][0] < length:
            open_since.append((length, start))


def _count_equal(first: str, second: str) -> int:
    """Number of characters that two texts begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((index for index, (character, other) in pairs if character != other), min(len(first), len(second)))


def _whole_words(text: str, head: str) -> str:
    """A beginning without the part of a word at its end; "" if it is shorter than eight columns and two words."""
    if text != head and text[-1:].isalnum() and head[len(text)].isalnum() and not _is_wide(text[-1]):
        text = re.sub(r"\w+\Z", "", text)
    width = len(text.strip()) + sum(map(_is_wide, text))
    return text if width >= _WIDTH or len(text.split()) > 1 or re.match(r"([^\w\s.])\1", text) else ""


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
