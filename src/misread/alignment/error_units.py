"""Units of every error of a corpus on both sides, as indexes into a list of texts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from misread.alignment.encode.inputs import Texts, check_pairs
from misread.alignment.encode.joined_units import join_characters, join_words
from misread.alignment.encode.texts import Unit
from misread.alignment.kernels.kinds import DELETION, INSERTION, TRANSPOSITION
from misread.alignment.kernels.units import count_codes
from misread.alignment.operations import ErrorPlaces, Operations
from misread.alignment.plain import units as plain
from misread.compiled.budget import ALIGNING
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_numpy, to_scalar
from misread.text.words import split_words
from misread.types import IntArray

NO_UNIT: Final = -1
"""Stands on the side that has no unit: the hypothesis of a deletion, the reference of an insertion."""

# Two codes as one number.
_HALF: Final = 32
_LOWER: Final = (1 << _HALF) - 1


@dataclass(frozen=True, slots=True, eq=False)
class ErrorUnits:
    """Units of every error, as indexes into `texts`, or NO_UNIT.

    `texts` are distinct characters in the order of their code points, graphemes in NFC, or words in order of
    appearance; the two units of a transposition are one text.
    """

    references: IntArray
    hypotheses: IntArray
    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.references)


def find_error_units(references: Texts, hypotheses: Texts, operations: Operations, *, unit: Unit) -> ErrorUnits:
    """Look up the units of every error, in reading order; `operations` are of these texts, in this unit."""
    texts = check_pairs(references, hypotheses)
    places = operations.errors()
    if unit == "word":
        return _look_up_words(*texts, places)
    return _look_up_characters(*texts, places, by_grapheme=unit == "grapheme")


def count_units(texts: Texts, *, unit: Unit) -> dict[str, int]:
    """Count how often each unit occurs; graphemes by their NFC forms."""
    side, _ = check_pairs(texts, texts)
    if unit == "word":
        return dict(Counter(chain.from_iterable(map(split_words, side))))
    joined = join_characters(side, [], by_grapheme=unit == "grapheme")
    is_little = ALIGNING.covers(plain.estimate_seconds(joined.references))
    counts = (plain.count_codes if is_little else count_codes)(joined.references, joined.coding.alphabet_size)
    return {joined.coding.text_of(code): int(counts[code]) for code in np.flatnonzero(counts).tolist()}


def _look_up_characters(
    references: Sequence[str], hypotheses: Sequence[str], places: ErrorPlaces, *, by_grapheme: bool
) -> ErrorUnits:
    joined = join_characters(references, hypotheses, by_grapheme=by_grapheme)
    coding = joined.coding
    ends = _find_ends(places)
    codes, swaps = [], []
    for units, (first, last) in zip((joined.references, joined.hypotheses), ends, strict=True):
        is_there, is_swap = first <= last, first < last
        chosen = np.full(len(first), NO_UNIT)
        chosen[is_there] = units[first[is_there]]
        codes.append(chosen)
        swaps.append(chosen[is_swap] << _HALF | units[last[is_swap]])
    different_swaps = np.unique(np.concatenate(swaps))
    # A table of codes, with pairs of codes above them; NO_UNIT finds its last entry.
    is_used = np.zeros(coding.alphabet_size + len(different_swaps) + 1, np.bool_)
    for chosen, of_side, (first, last) in zip(codes, swaps, ends, strict=True):
        chosen[first < last] = coding.alphabet_size + np.searchsorted(different_swaps, of_side)
        is_used[chosen] = True
    used = np.flatnonzero(is_used[:-1])
    numbers = np.full(len(is_used), NO_UNIT)
    numbers[used] = np.arange(len(used))
    texts = [coding.text_of(code) for code in used[used < coding.alphabet_size].tolist()]
    texts += [coding.text_of(pair >> _HALF) + coding.text_of(pair & _LOWER) for pair in different_swaps.tolist()]
    return ErrorUnits(numbers[codes[0]], numbers[codes[1]], texts)


def _look_up_words(references: Sequence[str], hypotheses: Sequence[str], places: ErrorPlaces) -> ErrorUnits:
    import pyarrow as pa
    import pyarrow.compute as pc

    sides = [np.full(len(places.kinds), NO_UNIT) for _ in range(2)]
    masks, taken = [], []
    for side, texts, (first, last) in zip(sides, (references, hypotheses), _find_ends(places), strict=True):
        words = join_words(texts)
        is_one, is_swap = first == last, first < last
        swapped = [words.take(to_arrow(2 * positions[is_swap])) for positions in (first, last)]
        taken += [
            words.take(to_arrow(2 * first[is_one])),
            pc.binary_join_element_wise(*swapped, to_scalar(" ")),
        ]
        masks += [(side, is_one), (side, is_swap)]
    coded = pa.concat_arrays(taken).dictionary_encode()
    numbers = to_numpy(coded.indices).astype(np.int64)
    for (side, mask), chosen in zip(masks, np.split(numbers, np.cumsum([*map(len, taken)])[:-1]), strict=True):
        side[mask] = chosen
    return ErrorUnits(sides[0], sides[1], ArrowTexts.of(coded.dictionary))


def _find_ends(places: ErrorPlaces) -> tuple[tuple[IntArray, IntArray], tuple[IntArray, IntArray]]:
    """First and last unit of every error, for each side; the last is before the first where there is none."""
    swaps = places.kinds == TRANSPOSITION
    references, hypotheses = places.reference_positions, places.hypothesis_positions
    return (
        (references, references + swaps - (places.kinds == INSERTION)),
        (hypotheses, hypotheses + swaps - (places.kinds == DELETION)),
    )
