"""Maximal periodic runs of a text: the longest stretches that repeat something at least twice.

A unit matches if it equals the one a period later. One match of a run is at a multiple of the number of matches that it
has at least, so that few units are looked at for each period: n log n of a text of n units, but for runs themselves.
"""

import numpy as np

from misread.alignment.kernels.pairs import Codes
from misread.compiled.jit import jit
from misread.types import BoolArray, IntArray


@jit
def find_runs(codes: Codes, least: int, shortest: int, runs: IntArray) -> int:
    """Count runs of `shortest` units or more that are `least` times as long as their period; write those that fit.

    Rows of `runs` are start, end and period, the shortest periods first. A run may be there again, by a multiple of its
    period.
    """
    size = codes.size
    count = 0
    # Of the longest run that each unit is in.
    periods, lengths, ends = np.ones(size, np.int32), np.zeros(size, np.int32), np.zeros(size, np.int32)
    for period in range(1, size // least + 1):
        fewest = max((least - 1) * period, shortest - period)
        position = fewest - 1
        while position + period < size:
            last = position
            # Matches by a multiple of a period end where those by the period do.
            is_known = position + period < ends[position] and period % periods[position] == 0
            if not is_known and codes[position] == codes[position + period]:
                start = position
                while start > 0 and codes[start - 1] == codes[start - 1 + period]:
                    start -= 1
                while last + 1 + period < size and codes[last + 1] == codes[last + 1 + period]:
                    last += 1
                end = last + 1 + period
                if last + 1 - start >= fewest:
                    if count < len(runs):
                        runs[count, 0], runs[count, 1], runs[count, 2] = start, end, period
                    count += 1
                    for unit in range(start, end):
                        if lengths[unit] < end - start:
                            periods[unit], lengths[unit], ends[unit] = period, end - start, end
            position = ((last + 1) // fewest + 1) * fewest - 1
    return count


@jit
def have_runs(
    codes: Codes, spans: IntArray, least: int, shortest: int, wanted: BoolArray, first: int, last: int
) -> None:
    """Write whether each text has a run that `find_runs` finds."""
    no_room = np.empty((0, 3), np.int64)
    for text in range(first, last):
        wanted[text] = find_runs(codes[spans[text, 0] : spans[text, 1]], least, shortest, no_room) > 0
