"""Suffix arrays in linear time: induced sorting (Nong, Zhang & Chan 2009)."""

import numpy as np

from misread.alignment.kernels.pairs import Numbers, write_over
from misread.compiled.jit import jit
from misread.types import BoolArray


@jit
def sort_suffixes(codes: Numbers, largest: int) -> Numbers:
    """Starts of the suffixes of `codes` in ascending order; codes are 0 to `largest`, and a prefix comes first."""
    size = codes.size
    suffixes = np.empty(size, np.int32)
    if size == 0:
        return suffixes
    if size == 1:
        suffixes[0] = 0
        return suffixes
    is_small, starts, ends = _classify(codes, largest)
    leftmost, number_of = _find_leftmost(is_small)
    _induce(codes, is_small, starts, ends, leftmost, suffixes)
    if leftmost.size:
        names, different = _name(codes, number_of, leftmost, suffixes)
        if different < leftmost.size:
            order = sort_suffixes(names, different - 1)
        else:
            order = np.empty(leftmost.size, np.int32)
            for index in range(leftmost.size):
                order[names[index]] = index
        for index in range(leftmost.size):
            names[index] = leftmost[order[index]]
        _induce(codes, is_small, starts, ends, names, suffixes)
    return suffixes


@jit
def _classify(codes: Numbers, largest: int) -> tuple[BoolArray, Numbers, Numbers]:
    """Whether each suffix is smaller than the next one, and the start of both kinds for each first code.

    The larger ones of a code precede its smaller ones.
    """
    size = codes.size
    is_small = np.zeros(size, np.bool_)
    for position in range(size - 2, -1, -1):
        following = codes[position + 1]
        is_small[position] = codes[position] < following or (codes[position] == following and is_small[position + 1])
    starts = np.zeros(largest + 2, np.int32)
    ends = np.zeros(largest + 2, np.int32)
    for position in range(size):
        if is_small[position]:
            starts[codes[position] + 1] += np.int32(1)
        else:
            ends[codes[position]] += np.int32(1)
    for code in range(largest + 1):
        ends[code] += starts[code]
        starts[code + 1] += ends[code]
    return is_small, starts, ends


@jit
def _find_leftmost(is_small: BoolArray) -> tuple[Numbers, Numbers]:
    """Positions at which a smaller suffix follows a larger one, and their numbers by position, else -1."""
    size = is_small.size
    number_of = np.full(size + 1, -1, np.int32)
    count = 0
    for position in range(1, size):
        if is_small[position] and not is_small[position - 1]:
            number_of[position] = count
            count += 1
    leftmost = np.empty(count, np.int32)
    for position in range(1, size):
        if number_of[position] >= 0:
            leftmost[number_of[position]] = position
    return leftmost, number_of


@jit
def _induce(
    codes: Numbers, is_small: BoolArray, starts: Numbers, ends: Numbers, leftmost: Numbers, suffixes: Numbers
) -> None:
    """Sort all suffixes from the order of the leftmost smaller ones: larger ones upwards, then smaller ones downwards.

    `starts` is where a code's larger suffixes begin, `ends` where its smaller ones do.
    """
    size = codes.size
    suffixes[:] = -1
    free = ends.copy()
    for number in range(leftmost.size):
        position = leftmost[number]
        suffixes[free[codes[position]]] = position
        free[codes[position]] += np.int32(1)
    write_over(starts, free)
    last = size - 1
    suffixes[free[codes[last]]] = last
    free[codes[last]] += np.int32(1)
    for rank in range(size):
        position = suffixes[rank] - 1
        if position >= 0 and not is_small[position]:
            suffixes[free[codes[position]]] = position
            free[codes[position]] += np.int32(1)
    write_over(starts, free)
    for rank in range(size - 1, -1, -1):
        position = suffixes[rank] - 1
        if position >= 0 and is_small[position]:
            free[codes[position] + 1] -= np.int32(1)
            suffixes[free[codes[position] + 1]] = position


@jit
def _name(codes: Numbers, number_of: Numbers, leftmost: Numbers, suffixes: Numbers) -> tuple[Numbers, int]:
    """Numbers of the stretches between leftmost smaller suffixes by their order, and how many of them differ."""
    size, count = codes.size, leftmost.size
    names = np.empty(count, np.int32)
    name, before = -1, -1
    for rank in range(size):
        position = suffixes[rank]
        if number_of[position] < 0:
            continue
        number = number_of[position]
        if before < 0:
            name = 0
        else:
            end = leftmost[number + 1] if number + 1 < count else size
            other = number_of[before]
            other_end = leftmost[other + 1] if other + 1 < count else size
            is_same = end - position == other_end - before
            if is_same:
                left, right = before, position
                while left < other_end and codes[left] == codes[right]:
                    left += 1
                    right += 1
                # The stretches include the next leftmost suffix's first code; at the end of the text none follows.
                is_same = left == other_end and right < size and left < size and codes[left] == codes[right]
            name += not is_same
        names[number] = name
        before = position
    return names, name + 1
