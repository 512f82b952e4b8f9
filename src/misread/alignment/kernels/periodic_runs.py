"""Maximal periodic runs of a text: the longest stretches that repeat something at least twice.

A text of n units has fewer than n of them, and each begins with a root that is a Lyndon word in one of two opposite
orders. Bannai, I, Inenaga, Nakashima, Takeda & Tsuruta (2017), The "runs" theorem.
"""

from typing import Final

import numpy as np

from misread.alignment.kernels.pairs import Codes, Numbers
from misread.alignment.kernels.suffix_array import sort_suffixes
from misread.compiled.jit import jit
from misread.types import BoolArray, IntArray

# Units of a group, and factors that spread groups over a table.
_GROUP: Final = 4
_STEP: Final = np.uint64(0x100000001B3)
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)


@jit
def find_runs(codes: Numbers, largest: int, least: int, runs: IntArray) -> int:
    """Write start, end and period of runs that are `least` times as long as their period; return how many.

    `codes` are 0 to `largest`; `runs` has shape (2 n, 3). A run may be written twice.
    """
    count = 0
    turned = np.empty(codes.size, np.int32)
    for position in range(codes.size):
        turned[position] = largest - codes[position]
    count = _find_in_order(codes, _lyndon_lengths(codes, largest), least, runs, count)
    return _find_in_order(codes, _lyndon_lengths(turned, largest), least, runs, count)


@jit
def _lyndon_lengths(codes: Numbers, largest: int) -> Numbers:
    """Length of the longest Lyndon word that starts at each position: up to the next smaller suffix."""
    size = codes.size
    ranks = np.empty(size, np.int32)
    suffixes = sort_suffixes(codes, largest)
    for rank in range(size):
        ranks[suffixes[rank]] = rank
    lengths = np.empty(size, np.int32)
    # Starts of the suffixes to the right, each smaller than those before it.
    smaller = suffixes
    top = 0
    for position in range(size - 1, -1, -1):
        while top and ranks[smaller[top - 1]] > ranks[position]:
            top -= 1
        lengths[position] = (smaller[top - 1] if top else size) - position
        smaller[top] = position
        top += 1
    return lengths


@jit
def _find_in_order(codes: Numbers, lengths: Numbers, least: int, runs: IntArray, count: int) -> int:
    size = codes.size
    # The last stretch of each period so far, up to the unit that differs from the one a period later.
    first, last = np.zeros(size + 1, np.int32), np.full(size + 1, -1, np.int32)
    for position in range(size):
        period = lengths[position]
        if first[period] <= position <= last[period]:
            continue
        end = position
        while end + period < size and codes[end] == codes[end + period]:
            end += 1
        start = position
        while start > 0 and codes[start - 1] == codes[start - 1 + period]:
            start -= 1
        first[period], last[period] = start, end
        length = end + period - start
        if length >= 2 * period and length >= least * period:
            runs[count, 0], runs[count, 1], runs[count, 2] = start, end + period, period
            count += 1
    return count


@jit
def find_long_runs(codes: Codes, least: int, shortest: int, runs: IntArray) -> int:
    """Find runs of `shortest` units or more as `find_runs` does, only where groups of four units keep recurring."""
    size = codes.size
    count = 0
    if size < shortest:
        return count
    needed = shortest - shortest // least - _GROUP + 1
    if needed < 1:
        return _find_between(codes, 0, size, least, shortest, runs, count)
    recurs = _find_recurring(codes)
    position = 0
    while position < size:
        if not recurs[position]:
            position += 1
            continue
        first = position
        while position < size and recurs[position]:
            position += 1
        if position - first >= needed:
            # Every group of a run but those of its first period recurs.
            longest = (position - first + _GROUP - 1) // (least - 1)
            end = min(size, position + _GROUP - 1)
            count = _find_between(codes, max(0, first - longest), end, least, shortest, runs, count)
    return count


@jit
def _find_between(codes: Codes, first: int, last: int, least: int, shortest: int, runs: IntArray, count: int) -> int:
    part, largest = _number(codes, first, last)
    part_runs = np.empty((2 * part.size, 3), np.int64)
    for row in range(find_runs(part, largest, least, part_runs)):
        if part_runs[row, 1] - part_runs[row, 0] >= shortest:
            runs[count, 0], runs[count, 1] = part_runs[row, 0] + first, part_runs[row, 1] + first
            runs[count, 2] = part_runs[row, 2]
            count += 1
    return count


@jit
def _number(codes: Codes, first: int, last: int) -> tuple[Numbers, int]:
    """Codes of a part as numbers from 0 without gaps, and the largest of them."""
    size = last - first
    part = np.empty(size, np.int32)
    highest = 0
    for position in range(size):
        highest = max(highest, int(codes[first + position]))
    if highest < 4 * size + 256:
        number_of = np.zeros(highest + 1, np.int32)
        for position in range(size):
            number_of[codes[first + position]] = 1
        count = 0
        for code in range(highest + 1):
            count += number_of[code]
            number_of[code] = count - 1
        for position in range(size):
            part[position] = number_of[codes[first + position]]
        return part, count - 1
    different = np.unique(codes[first:last])
    for position in range(size):
        part[position] = np.searchsorted(different, codes[first + position])
    return part, different.size - 1


@jit
def _find_recurring(codes: Codes) -> BoolArray:
    """Whether the group of four units at each position occurred before; by hash, so that a yes may be wrong."""
    size = codes.size
    bits = 8
    while 1 << bits < 4 * size:
        bits += 1
    seen = np.zeros(1 << bits, np.bool_)
    recurs = np.zeros(size, np.bool_)
    shift = np.uint64(64 - bits)
    for position in range(size - _GROUP + 1):
        key = np.uint64(0)
        for unit in range(_GROUP):
            key = key * _STEP + np.uint64(codes[position + unit])
        slot = (key * _SPREAD) >> shift
        recurs[position] = seen[slot]
        seen[slot] = True
    return recurs


@jit
def may_repeat(
    codes: Codes, spans: IntArray, least: int, shortest: int, wanted: BoolArray, first: int, last: int
) -> None:
    """Write whether each text may have a run that `find_long_runs` finds."""
    needed = shortest - shortest // least - _GROUP + 1
    for text in range(first, last):
        part = codes[spans[text, 0] : spans[text, 1]]
        if part.size < shortest:
            wanted[text] = False
            continue
        wanted[text] = True
        if needed < 1:
            continue
        recurs = _find_recurring(part)
        longest = length = 0
        for position in range(part.size):
            length = length + 1 if recurs[position] else 0
            longest = max(longest, length)
        wanted[text] = longest >= needed
