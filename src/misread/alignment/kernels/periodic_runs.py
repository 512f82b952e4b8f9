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
def find_runs(codes: Numbers, largest: int, least: int, found: IntArray) -> int:
    """Write start, end and period of runs that are `least` times as long as their period; return how many.

    `codes` are 0 to `largest`; `found` has shape (2 n, 3). A run may be written twice.
    """
    count = 0
    turned = np.empty(codes.size, np.int32)
    for place in range(codes.size):
        turned[place] = largest - codes[place]
    count = _find_in_order(codes, _lyndon_lengths(codes, largest), least, found, count)
    return _find_in_order(codes, _lyndon_lengths(turned, largest), least, found, count)


@jit
def _lyndon_lengths(codes: Numbers, largest: int) -> Numbers:
    """Length of the longest Lyndon word that begins at each place: up to the next smaller suffix."""
    size = codes.size
    ranks = np.empty(size, np.int32)
    suffixes = sort_suffixes(codes, largest)
    for rank in range(size):
        ranks[suffixes[rank]] = rank
    lengths = np.empty(size, np.int32)
    # Starts of the suffixes to the right, each smaller than those before it.
    smaller = suffixes
    top = 0
    for place in range(size - 1, -1, -1):
        while top and ranks[smaller[top - 1]] > ranks[place]:
            top -= 1
        lengths[place] = (smaller[top - 1] if top else size) - place
        smaller[top] = place
        top += 1
    return lengths


@jit
def _find_in_order(codes: Numbers, lengths: Numbers, least: int, found: IntArray, count: int) -> int:
    size = codes.size
    # The last stretch of each period that was looked at, up to the unit that differs from the one a period later.
    first, last = np.zeros(size + 1, np.int32), np.full(size + 1, -1, np.int32)
    for place in range(size):
        period = lengths[place]
        if first[period] <= place <= last[period]:
            continue
        end = place
        while end + period < size and codes[end] == codes[end + period]:
            end += 1
        start = place
        while start > 0 and codes[start - 1] == codes[start - 1 + period]:
            start -= 1
        first[period], last[period] = start, end
        length = end + period - start
        if length >= 2 * period and length >= least * period:
            found[count, 0], found[count, 1], found[count, 2] = start, end + period, period
            count += 1
    return count


@jit
def find_long_runs(codes: Codes, least: int, shortest: int, found: IntArray) -> int:
    """As `find_runs`, of runs of `shortest` units or more: looks only where groups of four units keep recurring."""
    size = codes.size
    count = 0
    if size < shortest:
        return count
    needed = shortest - shortest // least - _GROUP + 1
    if needed < 1:
        return _find_between(codes, 0, size, least, shortest, found, count)
    recurs = _find_recurring(codes)
    place = 0
    while place < size:
        if not recurs[place]:
            place += 1
            continue
        first = place
        while place < size and recurs[place]:
            place += 1
        if place - first >= needed:
            # Every group of a run but those of its first period recurs.
            longest = (place - first + _GROUP - 1) // (least - 1)
            end = min(size, place + _GROUP - 1)
            count = _find_between(codes, max(0, first - longest), end, least, shortest, found, count)
    return count


@jit
def _find_between(codes: Codes, first: int, last: int, least: int, shortest: int, found: IntArray, count: int) -> int:
    part, largest = _number(codes, first, last)
    runs = np.empty((2 * part.size, 3), np.int64)
    for row in range(find_runs(part, largest, least, runs)):
        if runs[row, 1] - runs[row, 0] >= shortest:
            found[count, 0], found[count, 1] = runs[row, 0] + first, runs[row, 1] + first
            found[count, 2] = runs[row, 2]
            count += 1
    return count


@jit
def _number(codes: Codes, first: int, last: int) -> tuple[Numbers, int]:
    """Codes of a part as numbers from 0 without gaps, and the largest of them."""
    size = last - first
    part = np.empty(size, np.int32)
    highest = 0
    for place in range(size):
        highest = max(highest, int(codes[first + place]))
    if highest < 4 * size + 256:
        number_of = np.zeros(highest + 1, np.int32)
        for place in range(size):
            number_of[codes[first + place]] = 1
        count = 0
        for code in range(highest + 1):
            count += number_of[code]
            number_of[code] = count - 1
        for place in range(size):
            part[place] = number_of[codes[first + place]]
        return part, count - 1
    different = np.unique(codes[first:last])
    for place in range(size):
        part[place] = np.searchsorted(different, codes[first + place])
    return part, different.size - 1


@jit
def _find_recurring(codes: Codes) -> BoolArray:
    """Whether the group of four units at each place was there before; by hash, so that it may be wrong in a yes."""
    size = codes.size
    bits = 8
    while 1 << bits < 4 * size:
        bits += 1
    seen = np.zeros(1 << bits, np.bool_)
    recurs = np.zeros(size, np.bool_)
    shift = np.uint64(64 - bits)
    for place in range(size - _GROUP + 1):
        key = np.uint64(0)
        for unit in range(_GROUP):
            key = key * _STEP + np.uint64(codes[place + unit])
        slot = (key * _SPREAD) >> shift
        recurs[place] = seen[slot]
        seen[slot] = True
    return recurs


@jit
def may_repeat(
    codes: Codes, spans: IntArray, least: int, shortest: int, wanted: BoolArray, first: int, last: int
) -> None:
    """Tell which texts may have a run as `find_long_runs` finds."""
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
        for place in range(part.size):
            length = length + 1 if recurs[place] else 0
            longest = max(longest, length)
        wanted[text] = longest >= needed
