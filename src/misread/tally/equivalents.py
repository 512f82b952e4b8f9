"""Words that count as equal where error rates of words are counted, without a change of any text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from misread.alignment import AlignedAlternatives, LatticeAlignment, align_readings, parse_sides
from misread.errors import ConfigurationError, InputFileError
from misread.io.text import read_text, split_lines
from misread.metrics import Metric
from misread.normalize import Normalizer, NormalizerByColumn
from misread.text.alternatives import Choice, Item, Items, Overlap, Word
from misread.text.words import split_words

_DIGITS: Final = 4


@dataclass(frozen=True)
class Equivalents:
    """Sets of interchangeable words and phrases, such as going to and gonna.

    Where a reference has one of them, an alignment of words may read each of the others there, and takes the one that
    fits best: as alternatives in a transcript of NIST. Of phrases that overlap, those count that fit best. No text is
    changed. They are compared with normalized texts, and so are written as the normalizer leaves them.

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
                    raise ConfigurationError(
                        f"{self.name}: {member!r} occurs twice; a word or phrase may be in one set only."
                    )
                seen.add(words)

    @property
    def label(self) -> str:
        """Name and a hash of the sets."""
        described = json.dumps([list(phrases) for phrases in self.sets], ensure_ascii=True)
        return f"{self.name}@{hashlib.sha256(described.encode()).hexdigest()[:_DIGITS]}"

    def add_to(self, items: Items) -> Items:
        """Add the alternatives of all phrases to a text; its own alternatives stay."""
        added: list[Item] = []
        position = 0
        while position < len(items):
            item = items[position]
            phrases = self._find_overlapping(items, position)
            run = items[position : position + len(phrases)]
            ways = [[(len(phrase), way) for phrase in begun for way in self._others[phrase]] for begun in phrases]
            if isinstance(item, Choice):
                added.append(Choice(tuple(map(self.add_to, item.alternatives))))
            elif sum(map(len, phrases)) > 1:
                added.append(Overlap((run,), tuple(map(tuple, ways))))
            elif run:
                added.append(Choice((run, *(way for _, way in ways[0]))))
            else:
                added.append(item)
            position += len(run) or 1
        return tuple(added)

    def _find_overlapping(self, items: Items, position: int) -> list[list[tuple[str, ...]]]:
        """Phrases that begin at each word of a run of overlapping phrases; empty if none begins at the position."""
        phrases: list[list[tuple[str, ...]]] = []
        start = end = position
        while start < end or start == position:
            phrases.append(self._find(items, start))
            end = max([end, *(start + len(phrase) for phrase in phrases[-1])])
            start += 1
        return phrases if end > position else []

    def _find(self, items: Items, position: int) -> list[tuple[str, ...]]:
        """Phrases that begin at a position and have no optional word."""
        phrases = []
        first = items[position]
        for length in self._lengths.get(first.text, ()) if isinstance(first, Word) else ():
            run = items[position : position + length]
            words = tuple(item.text for item in run if isinstance(item, Word) and not item.optional)
            if len(words) == length and words in self._others:
                phrases.append(words)
        return phrases

    @cached_property
    def _others(self) -> dict[tuple[str, ...], list[Items]]:
        """Each phrase with the others of its set."""
        phrases = [[tuple(split_words(member)) for member in listed] for listed in self.sets]
        return {
            phrase: [tuple(map(Word, other)) for other in listed if other != phrase]
            for listed in phrases
            for phrase in listed
        }

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """Lengths of the phrases that begin with a word."""
        lengths: dict[str, set[int]] = {}
        for phrase in self._others:
            lengths.setdefault(phrase[0], set()).add(len(phrase))
        return {word: sorted(sizes) for word, sizes in lengths.items()}


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
                f"{equivalents.name}: normalizer {normalizer.name!r} turns {member!r} into {left!r}, so that no "
                f"normalized text has it; write {left!r}."
            )


def uses_equivalents(metric: Metric) -> bool:
    """Whether a metric chooses among readings of normalized words."""
    return metric.chooses_readings and metric.text != "raw"


def read_alternatives(
    references: Sequence[str],
    hypotheses: Sequence[str],
    sides: str,
    equivalents: Equivalents | None = None,
    *,
    alignment: LatticeAlignment = "unit",
) -> AlignedAlternatives:
    """Align words over all ways to read texts with alternatives, and references with equivalents."""
    parsed, heard = parse_sides(references, hypotheses, sides)
    if equivalents is not None:
        parsed = [equivalents.add_to(items) for items in parsed]
    return align_readings(parsed, heard, alignment=alignment)


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
                    f"{path}, line {number}: {member!r} is in line {earlier} already; a word or phrase may be in one "
                    "set only."
                )
        sets.append(members)
    if not sets:
        raise InputFileError(f"{path} has no equivalents; write one set per line, such as 'going to / gonna'.")
    return Equivalents(sets, path.stem)
