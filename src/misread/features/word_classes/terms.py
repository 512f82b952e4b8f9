"""Terms of a list and numbers: where texts have them, and how those of both sides are aligned."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final, Literal, NamedTuple

import numpy as np

from misread.alignment import find_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.alignment.kernels.pairs import Bytes
from misread.errors import InputFileError
from misread.io.text import read_text, split_lines
from misread.text.words import split_words, strip_ends
from misread.types import BoolArray, IntArray

ItemAlignment = Literal["unit", "sclite"]

# Before the number of a term, and once more before a word that begins with it.
_MARK: Final = "\U000f0000"
_VARIANTS: Final = re.compile(r"(?<!\\)/")


class Occurrence(NamedTuple):
    """Words of a text that are a term."""

    start: int
    end: int  # one past the last
    term: int


class MarkedTokens(NamedTuple):
    """Tokens of a text, and the item that each is; -1 for none."""

    tokens: Sequence[str]
    items: Sequence[int]


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms, each with its variants as words; the first variant is its name.

    Attributes
    ----------
    variants : sequence of sequence of tuple of str
        Variants of each term.
    digest : str
        Beginning of the SHA-256 of the file.
    """

    variants: Sequence[Sequence[tuple[str, ...]]]
    digest: str

    @cached_property
    def names(self) -> list[str]:
        """First variant of each term."""
        return [" ".join(variants[0]) for variants in self.variants]

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[tuple[str, ...], int]]]:
        """Variants by their first word, the longest first, with the number of their term."""
        by_first: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        for number, variants in enumerate(self.variants):
            for variant in variants:
                by_first.setdefault(variant[0], []).append((variant, number))
        return {first: sorted(variants, key=lambda item: -len(item[0])) for first, variants in by_first.items()}

    @cached_property
    def loose(self) -> Terms:
        """The same terms without case, and without punctuation at the ends of words."""
        return Terms([[tuple(map(loosen, words)) for words in variants] for variants in self.variants], self.digest)

    def find(self, words: Sequence[str]) -> list[Occurrence]:
        """Occurrences from left to right, the longest one at each word; they do not overlap."""
        if self._by_first.keys().isdisjoint(words):
            return []
        occurrences, position = [], 0
        while position < len(words):
            for variant, term in self._by_first.get(words[position], ()):
                end = position + len(variant)
                if tuple(words[position:end]) == variant:
                    occurrences.append(Occurrence(position, end, term))
                    position = end - 1
                    break
            position += 1
        return occurrences

    def split(self, text: str) -> list[tuple[str, int]]:
        """Words of a text, each with -1, and names of terms, each with the number of the term."""
        words, pieces, start = split_words(text), [], 0
        for occurrence in self.find(words):
            pieces += [(word, -1) for word in words[start : occurrence.start]]
            pieces.append((self.names[occurrence.term], occurrence.term))
            start = occurrence.end
        return pieces + [(word, -1) for word in words[start:]]

    def mark(self, text: str) -> MarkedTokens:
        """Words of a text, with one token for each occurrence, whatever its variant."""
        pieces = self.split(text)
        tokens = [
            f"{_MARK}{term}" if term >= 0 else _MARK + word if word[0] == _MARK else word for word, term in pieces
        ]
        return MarkedTokens(tokens, [term for _, term in pieces])


def loosen(word: str) -> str:
    """A word without case, and without punctuation at its ends unless it is nothing else."""
    return strip_ends(word, lambda character: unicodedata.category(character)[0] == "P").casefold()


def read_terms(path: str | os.PathLike[str]) -> Terms:
    r"""Read a term from each line, with its variants between slashes; `\/` is a slash. Errors name file and line."""
    file = Path(path)
    return _read(file, file.stat().st_mtime_ns if file.is_file() else 0)


@cache
def _read(path: Path, _time: int) -> Terms:
    text = read_text(path)
    terms: list[list[tuple[str, ...]]] = []
    line_of: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        variants = [tuple(split_words(variant.replace("\\/", "/"))) for variant in _VARIANTS.split(line)]
        for variant in variants:
            if not variant:
                raise InputFileError(
                    f"{path}, line {number}: a variant is empty; expected a term and its variants between slashes, "
                    r"such as New York/NYC, and \/ for a slash that is part of one."
                )
            if variant in line_of:
                raise InputFileError(
                    f"{path}, line {number}: {' '.join(variant)!r} is in line {line_of[variant]}, too; leave one out."
                )
            line_of[variant] = number
        terms.append(variants)
    if not terms:
        raise InputFileError(f"{path} has no term, expected one in each line, with its variants between slashes.")
    return Terms(terms, hashlib.sha256(text.encode()).hexdigest()[:8])


class AlignedItems(NamedTuple):
    """Operations of aligned tokens: segment and kind, and the item of either side, -1 for none."""

    rows: IntArray
    kinds: Bytes
    references: IntArray
    hypotheses: IntArray

    @property
    def read(self) -> BoolArray:
        """Operations in which both sides have the same item."""
        read: BoolArray = (self.kinds == HIT) & (self.references >= 0)
        return read


def align_items(
    references: Sequence[str],
    hypotheses: Sequence[str],
    mark: Callable[[str], MarkedTokens],
    alignment: ItemAlignment,
) -> AlignedItems:
    """Align the tokens of all pairs in which a side has an item; items are equal if their tokens are."""
    sides = [[mark(text) for text in side] for side in (references, hypotheses)]
    empty = MarkedTokens((), ())
    for row, pair in enumerate(zip(*sides, strict=True)):
        if all(max(side.items, default=-1) < 0 for side in pair):
            sides[0][row] = sides[1][row] = empty
    joined = [[" ".join(side.tokens) for side in marked] for marked in sides]
    operations = find_operations(*joined, unit="word", alignment=alignment)
    rows = np.repeat(np.arange(len(operations)), np.diff(operations.offsets))
    items = []
    for marked, missing in zip(sides, (INSERTION, DELETION), strict=True):
        of_side = np.full(len(rows), -1)
        of_side[operations.codes != missing] = [item for side in marked for item in side.items]
        items.append(of_side)
    return AlignedItems(rows, operations.codes, *items)
