"""What was read for what: the units of every error of a corpus, as numbers into a list of texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

import numpy as np

from misread.alignment.encode import Unit, encode_pairs, split_words
from misread.alignment.inputs import Texts, check_pairs
from misread.alignment.kinds import DELETION, INSERTION, TRANSPOSITION
from misread.alignment.operations import ErrorPlaces, Operations
from misread.arrays import IntArray
from misread.white_space import WHITE_SPACE

NO_UNIT: Final = -1
"""Stands on the side that has no unit: the hypothesis of a deletion, the reference of an insertion."""

_TEXT_END: Final = "\n"
# One entry a code point, up to the first above all white space.
_IS_WHITE: Final = np.isin(np.arange(max(map(ord, WHITE_SPACE)) + 2), [*map(ord, WHITE_SPACE)])


@dataclass(frozen=True, slots=True, eq=False)
class ErrorUnits:
    """Units of every error.

    Attributes
    ----------
    references, hypotheses : int64 array, shape (errors,)
        Index into `texts`, or NO_UNIT.
    texts : tuple of str
        Different ones: characters, graphemes in NFC, or words; the two of a transposition as one text.
    """

    references: IntArray
    hypotheses: IntArray
    texts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.references)


def error_units(references: Texts, hypotheses: Texts, found: Operations, *, unit: Unit) -> ErrorUnits:
    """Look up the units of every error.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        The texts.
    found : Operations
        Of these texts, in this unit.
    unit : {"char", "grapheme", "word"}
        As in `misread.error_counts`.

    Returns
    -------
    ErrorUnits
        In reading order.

    Examples
    --------
    >>> from misread.alignment import operations
    >>> units = error_units("abc", "axcd", operations("abc", "axcd"), unit="char")
    >>> units.texts, units.references.tolist(), units.hypotheses.tolist()
    (('b', 'd', 'x'), [0, -1], [2, 1])
    """
    texts = check_pairs(references, hypotheses)
    places = found.errors()
    return _look_up_words(*texts, places) if unit == "word" else _look_up_characters(*texts, places, unit)


def count_units(texts: Texts, *, unit: Unit) -> dict[str, int]:
    """Count how often each unit occurs.

    Parameters
    ----------
    texts : str or iterable of str
        The texts.
    unit : {"char", "grapheme", "word"}
        Graphemes are counted by their NFC forms.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> count_units(["abb", "a"], unit="char")
    {'a': 2, 'b': 2}
    """
    side, _ = check_pairs(texts, texts)
    if unit == "word":
        return dict(Counter(chain.from_iterable(map(split_words, side))))
    pairs = encode_pairs(side, [""] * len(side), unit)
    counts = np.bincount(pairs.references.joined())
    return {pairs.text_of(code): int(counts[code]) for code in np.flatnonzero(counts).tolist()}


def _look_up_characters(
    references: Sequence[str], hypotheses: Sequence[str], places: ErrorPlaces, unit: Literal["char", "grapheme"]
) -> ErrorUnits:
    pairs = encode_pairs(references, hypotheses, unit)
    sides = []
    for texts, (first, last) in zip((pairs.references, pairs.hypotheses), _find_ends(places), strict=True):
        codes = texts.joined()
        chosen = np.full(len(first), NO_UNIT)
        is_there, is_swap = first <= last, first < last
        chosen[is_there] = codes[first[is_there]]
        # The second of a swapped pair goes into the upper half, one higher, so that 0 there says that there is none.
        chosen[is_swap] += codes[last[is_swap]].astype(np.int64) + 1 << 32
        sides.append(chosen)
    known, of_references, of_hypotheses = _number(*sides)
    texts_of = [(code & 0xFFFFFFFF, code >> 32) for code in known.tolist()]
    return ErrorUnits(
        of_references,
        of_hypotheses,
        tuple(pairs.text_of(first) + (pairs.text_of(second - 1) if second else "") for first, second in texts_of),
    )


def _number(references: IntArray, hypotheses: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Number different codes from 0; NO_UNIT stays."""
    known = np.union1d(np.unique(references), np.unique(hypotheses))
    known = known[known != NO_UNIT]
    numbered = [np.where(side == NO_UNIT, NO_UNIT, np.searchsorted(known, side)) for side in (references, hypotheses)]
    return known, numbered[0], numbered[1]


def _look_up_words(references: Sequence[str], hypotheses: Sequence[str], places: ErrorPlaces) -> ErrorUnits:
    numbers: dict[str, int] = {}
    sides = []
    for texts, (first, last) in zip((references, hypotheses), _find_ends(places), strict=True):
        joined = _TEXT_END.join(texts)
        begins, ends = _find_words(joined)
        is_there = first <= last
        bounds = zip(begins[first[is_there]].tolist(), ends[last[is_there]].tolist(), strict=True)
        words = [joined[begin:end] for begin, end in bounds]
        for swap in np.flatnonzero((first < last)[is_there]).tolist():
            words[swap] = " ".join(split_words(words[swap]))
        chosen = np.full(len(first), NO_UNIT)
        chosen[is_there] = [numbers.setdefault(word, len(numbers)) for word in words]
        sides.append(chosen)
    return ErrorUnits(sides[0], sides[1], tuple(numbers))


def _find_ends(places: ErrorPlaces) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
    """First and last unit of every error, for each side; the last is before the first where there is none."""
    swaps = places.kinds == TRANSPOSITION
    references, hypotheses = places.reference_positions, places.hypothesis_positions
    return (
        (references, references + swaps - (places.kinds == INSERTION)),
        (hypotheses, hypotheses + swaps - (places.kinds == DELETION)),
    )


def _find_words(text: str) -> tuple[IntArray, IntArray]:
    """Where each word of a text begins and ends."""
    code_points = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    is_white = _IS_WHITE[np.minimum(code_points, len(_IS_WHITE) - 1)]
    changes = np.flatnonzero(np.diff(is_white, prepend=True, append=True))
    return changes[::2], changes[1::2]
