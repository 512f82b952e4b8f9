"""Comparison of texts that have one line each, from arrays of characters: integer arrays in, integer arrays out."""

from typing import Final

import numpy as np

from misread.alignment.kernels.affixes import measure_prefix
from misread.alignment.kernels.kinds import CARRIAGE_RETURN, EQUAL, HYPOTHESIS, LINE_FEED, OTHER, REFERENCE
from misread.alignment.kernels.pairs import Bytes, Codes, Sides, run_over_pairs
from misread.alignment.kernels.simd import count_zeros_below, make_member_mask
from misread.compiled.jit import borrowing_jit

# Places that are compared at a time.
_PLACES: Final = 64
_break_mask = make_member_mask(((LINE_FEED, LINE_FEED), (CARRIAGE_RETURN, CARRIAGE_RETURN)))


def compare_lines(sides: Sides) -> Bytes:
    """Compare the texts of pairs that have one line at most, shape (pairs,); PADDING places follow the last text.

    REFERENCE and HYPOTHESIS for a side with a line, EQUAL where both have the same; OTHER alone where a side has more
    than one line or a carriage return.
    """
    outcomes = np.empty(len(sides[1]), np.uint8)
    run_over_pairs(_compare_range, sides, outcomes)
    return outcomes


@borrowing_jit
def _compare_range(sides: Sides, outcomes: Bytes, first: int, last: int) -> None:
    reference_codes, reference_spans, hypothesis_codes, hypothesis_spans = sides
    for pair in range(first, last):
        reference, reference_end = reference_spans[pair, 0], reference_spans[pair, 1]
        hypothesis, hypothesis_end = hypothesis_spans[pair, 0], hypothesis_spans[pair, 1]
        flags = REFERENCE * (reference_end > reference) + HYPOTHESIS * (hypothesis_end > hypothesis)
        reference_end = _without_end(reference_codes, reference, reference_end)
        hypothesis_end = _without_end(hypothesis_codes, hypothesis, hypothesis_end)
        length = reference_end - reference
        if flags == REFERENCE + HYPOTHESIS and length == hypothesis_end - hypothesis:
            same = measure_prefix(reference_codes, reference, hypothesis_codes, hypothesis, length) == length
            flags += EQUAL * same
        if _has_break(reference_codes, reference, reference_end) or _has_break(
            hypothesis_codes, hypothesis, hypothesis_end
        ):
            flags = OTHER
        outcomes[pair] = flags


@borrowing_jit
def _without_end(codes: Codes, start: int, end: int) -> int:
    """End of a text without the line feed that closes its last line."""
    if end > start and codes[end - 1] == LINE_FEED:
        return end - 1
    return end


@borrowing_jit
def _has_break(codes: Codes, start: int, end: int) -> bool:
    for index in range(start, end, _PLACES):
        if count_zeros_below(_break_mask(codes, index)) < min(end - index, _PLACES):
            return True
    return False
