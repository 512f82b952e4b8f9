"""Words that count as equal where error rates of words are counted, without a change of any text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from misread.errors import ConfigurationError, InputFileError
from misread.files.text import read_text, split_lines
from misread.metrics import Metric
from misread.normalize import Normalizer, NormalizerByColumn
from misread.text.alternatives import Choice, Item, Items, Word, parse_alternatives, render_alternatives
from misread.text.words import split_words

_DIGITS: Final = 4


@dataclass(frozen=True)
class Equivalents:
    """Sets of words and phrases of which each may stand for any other of its set, such as going to and gonna.

    Where a reference has one of them, an alignment of words may read each of the others there, and takes the one that
    fits best: as alternatives in a transcript of NIST. No text is changed. They are compared with normalized texts, and
    so are written as the normalizer leaves them.

    Parameters
    ----------
    sets : sequence of sequence of str
        At least two in each set, and none in two sets.
    name : str
        What the signature calls them.

    Raises
    ------
    ConfigurationError
        If a set has fewer than two, an empty one, or one that is in another set; names it.

    Examples
    --------
    >>> Equivalents([["going to", "gonna"]]).label
    'equivalents@01bd'
    """

    sets: Sequence[Sequence[str]]
    name: str = "equivalents"

    def __post_init__(self) -> None:
        seen: set[tuple[str, ...]] = set()
        for listed in self.sets:
            if isinstance(listed, str) or len(listed) < 2:
                raise ConfigurationError(f"{self.name}: {listed!r} is not a set of at least two.")
            for member in listed:
                words = tuple(split_words(member))
                if not words:
                    raise ConfigurationError(f"{self.name}: set {list(listed)!r} has an empty one.")
                if words in seen:
                    raise ConfigurationError(f"{self.name}: {member!r} stands there twice; each may be in one set.")
                seen.add(words)

    @property
    def label(self) -> str:
        """Name and a hash of the sets, which differs for other ones."""
        described = json.dumps([list(each) for each in self.sets], ensure_ascii=True)
        return f"{self.name}@{hashlib.sha256(described.encode()).hexdigest()[:_DIGITS]}"

    def add_to(self, items: Items) -> Items:
        """A text with the alternatives of all phrases in it, of the longest at each place; those it has stay."""
        added: list[Item] = []
        place = 0
        while place < len(items):
            item = items[place]
            if isinstance(item, Choice):
                added.append(Choice(tuple(map(self.add_to, item.alternatives))))
                place += 1
                continue
            found = self._find(items, place)
            if found:
                others = [phrase for phrase in self._of[found] if phrase != found]
                added.append(Choice(tuple(tuple(map(Word, phrase)) for phrase in (found, *others))))
                place += len(found)
            else:
                added.append(item)
                place += 1
        return tuple(added)

    def write_into(self, references: Sequence[str], *, in_notation: bool) -> list[str]:
        """References in the notation of alternatives, with those of the sets; they may be in it before."""
        parsed: Iterator[Items] = (
            parse_alternatives(text) if in_notation else tuple(map(Word, split_words(text))) for text in references
        )
        return [render_alternatives(self.add_to(items)) for items in parsed]

    def _find(self, items: Items, place: int) -> tuple[str, ...]:
        """The longest phrase whose words begin at a place; none of which may be left out."""
        first = items[place]
        for length in self._lengths.get(first.text, ()) if isinstance(first, Word) else ():
            run = items[place : place + length]
            words = tuple(each.text for each in run if isinstance(each, Word) and not each.optional)
            if len(words) == length and words in self._of:
                return words
        return ()

    @cached_property
    def _of(self) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
        """Each phrase with all of its set."""
        phrases = [[tuple(split_words(member)) for member in listed] for listed in self.sets]
        return {phrase: listed for listed in phrases for phrase in listed}

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """Lengths of the phrases that begin with a word, the longest first."""
        lengths: dict[str, set[int]] = {}
        for phrase in self._of:
            lengths.setdefault(phrase[0], set()).add(len(phrase))
        return {word: sorted(of, reverse=True) for word, of in lengths.items()}


def check_equivalents(equivalents: Equivalents, normalizer: Normalizer, metrics: Sequence[Metric]) -> None:
    """Refuse equivalents that no metric uses, or that no normalized text can have."""
    if not any(uses_equivalents(metric) for metric in metrics):
        raise ConfigurationError(
            f"{equivalents.name}: equivalents are for error rates of words in normalized text; name one among the "
            "metrics, such as wer."
        )
    if isinstance(normalizer, NormalizerByColumn):
        return
    for member in (member for listed in equivalents.sets for member in listed):
        left = " ".join(split_words(normalizer(member)))
        if split_words(left) != split_words(member):
            raise ConfigurationError(
                f"{equivalents.name}: normalizer {normalizer.name!r} makes {left!r} of {member!r}, which no normalized "
                "text has then; write it so."
            )


def uses_equivalents(metric: Metric) -> bool:
    """Whether a metric chooses among readings of normalized words."""
    return metric.chooses_readings and metric.text != "raw"


def read_equivalents(path: Path) -> Equivalents:
    """Read sets from a file: one per line, its members separated by slashes; # begins a comment.

    InputFileError names the file, and the line where there is one.
    """
    sets: list[list[str]] = []
    seen: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(split_lines(read_text(path)), start=1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        members = [member.strip() for member in content.split("/")]
        if len(members) < 2 or not all(members):
            raise InputFileError(
                f"{path}, line {number}: {content!r} is not a set of equivalents; expected at least two, separated by "
                "slashes, such as 'going to / gonna'."
            )
        for member in members:
            earlier = seen.setdefault(tuple(split_words(member)), number)
            if earlier != number or members.count(member) > 1:
                raise InputFileError(
                    f"{path}, line {number}: {member!r} stands in line {earlier} already; each may be in one set."
                )
        sets.append(members)
    if not sets:
        raise InputFileError(f"{path} has no equivalents; write one set per line, such as 'going to / gonna'.")
    return Equivalents(sets, path.stem)
