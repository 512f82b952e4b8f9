"""Graphemes of code points, table-driven: integer arrays in, integer arrays out."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from misread.compiled.jit import jit
from misread.types import IntArray

Codes = NDArray[np.uint32]
Table = NDArray[np.uint8]
Keys = NDArray[np.uint64]

FIRST_NUMBER: Final = 0x110000
"""Above every code point: codes from this one on are numbers of clusters."""

# The bits of the two tables, as grapheme_rules and unicode/grapheme_properties lay them out.
PROPERTY: Final = 0x1F
CHANGES: Final = 0x80
_STATE: Final = 0x7F
_BREAK: Final = 0x80
_NOTHING_BEFORE: Final = 0

_FIRST_SLOTS: Final = 1 << 12
_CODE_BITS = np.uint64(21)
_UPPER_HALF = np.uint64(32)
_MIXER = np.uint64(0x9E3779B97F4A7C15)


@jit
def find_breaks(code_points: Codes, block_of: Table, blocks: Table, transitions: Table) -> IntArray:
    """Ends of the graphemes of one text, in order; the last is the length of the text.

    The properties of code point c are blocks[block_of[c >> 8], c & 255], shapes (0x1100,) and (blocks, 256).
    `transitions`, shape (states, 32), gives the next state for a state and a property, with bit 0x80 where a grapheme
    ends.
    """
    ends = np.empty(code_points.size, np.int64)
    count = 0
    state = _NOTHING_BEFORE
    for position in range(code_points.size):
        code = code_points[position]
        step = transitions[state, blocks[block_of[code >> 8], code & 255] & PROPERTY]
        state = step & _STATE
        if step & _BREAK and position > 0:
            ends[count] = position
            count += 1
    if code_points.size:
        ends[count] = code_points.size
        count += 1
    return ends[:count]


@jit
def code_graphemes(
    code_points: Codes, spans: IntArray, block_of: Table, blocks: Table, transitions: Table
) -> tuple[Codes, IntArray, IntArray]:
    """Code the graphemes of many texts, where text i is `code_points[spans[i, 0] : spans[i, 1]]`.

    A grapheme of one code point that NFC leaves alone is coded as that code point. Every other is looked up among the
    clusters so far, code point by code point, and coded as `FIRST_NUMBER` plus its number in order of appearance.
    Returned are the codes, one text after the other, their offsets, and where the first appearance of each cluster
    begins and ends in `code_points`, shape (clusters, 2).
    """
    codes = np.empty(code_points.size, np.uint32)
    texts = spans.shape[0]
    offsets = np.zeros(texts + 1, np.int64)
    slots = np.full(_FIRST_SLOTS, -1, np.int64)
    clusters = np.empty((_FIRST_SLOTS // 2, 2), np.int64)
    keys = np.empty(_FIRST_SLOTS // 2, np.uint64)
    number = used = 0
    for text in range(texts):
        start, end = spans[text, 0], spans[text, 1]
        while number + end - start > keys.size:
            slots, clusters, keys = _grow(clusters, keys, number)
        used, number = _code_text(
            code_points, start, end, block_of, blocks, transitions, slots, clusters, keys, number, codes, used
        )
        offsets[text + 1] = used
    return codes[:used], offsets, clusters[:number]


@jit
def replace_numbers(codes: Codes, replacements: Codes) -> None:
    """Put `replacements[n]` in the place of every `FIRST_NUMBER + n`."""
    for position in range(codes.size):
        if codes[position] >= FIRST_NUMBER:
            codes[position] = replacements[codes[position] - FIRST_NUMBER]


@jit
def _code_text(
    code_points: Codes,
    start: int,
    end: int,
    block_of: Table,
    blocks: Table,
    transitions: Table,
    slots: IntArray,
    clusters: IntArray,
    keys: Keys,
    number: int,
    codes: Codes,
    used: int,
) -> tuple[int, int]:
    """Append the graphemes of one text to `codes`, and its new clusters; return the new numbers of both."""
    state, key, is_cluster = _NOTHING_BEFORE, np.uint64(0), False
    for position in range(start, end):
        code = code_points[position]
        properties = blocks[block_of[code >> 8], code & 255]
        step = transitions[state, properties & PROPERTY]
        state = step & _STATE
        if step & _BREAK == 0:
            key = key << _CODE_BITS | np.uint64(code)
            is_cluster = True
            continue
        if is_cluster:
            codes[used - 1], number = _number(code_points, start, position, key, slots, clusters, keys, number)
        # A code point is unchanged until something joins it.
        codes[used] = code
        used += 1
        start, key, is_cluster = position, np.uint64(code), properties & CHANGES != 0
    if is_cluster:
        codes[used - 1], number = _number(code_points, start, end, key, slots, clusters, keys, number)
    return used, number


@jit
def _number(
    code_points: Codes,
    start: int,
    end: int,
    key: np.uint64,
    slots: IntArray,
    clusters: IntArray,
    keys: Keys,
    number: int,
) -> tuple[int, int]:
    """Code of a cluster, and the number of clusters afterwards.

    A key has the last three code points and some bits of the one before, 21 bits each: up to three, it is the cluster.
    """
    slot = _hash(key) & (slots.size - 1)
    while slots[slot] >= 0:
        other = slots[slot]
        shift = clusters[other, 0] - start
        if keys[other] == key and clusters[other, 1] - end == shift:
            position = start
            while position < end - 3 and code_points[position] == code_points[position + shift]:
                position += 1
            if position >= end - 3:
                return FIRST_NUMBER + other, number
        slot = (slot + 1) & (slots.size - 1)
    slots[slot] = number
    clusters[number, 0], clusters[number, 1], keys[number] = start, end, key
    return FIRST_NUMBER + number, number + 1


@jit
def _grow(clusters: IntArray, keys: Keys, number: int) -> tuple[IntArray, IntArray, Keys]:
    """Copy to arrays for twice the clusters; at least half of the slots stay free."""
    more_clusters, more_keys = np.empty((2 * keys.size, 2), np.int64), np.empty(2 * keys.size, np.uint64)
    slots = np.full(4 * keys.size, -1, np.int64)
    for cluster in range(number):
        more_clusters[cluster, 0], more_clusters[cluster, 1] = clusters[cluster, 0], clusters[cluster, 1]
        more_keys[cluster] = keys[cluster]
        slot = _hash(keys[cluster]) & (slots.size - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (slots.size - 1)
        slots[slot] = cluster
    return slots, more_clusters, more_keys


@jit
def _hash(key: np.uint64) -> int:
    """Spread a key over 32 bits; the upper bits of a product are mixed best (Knuth 1973, section 6.4)."""
    return int(np.int64((key * _MIXER) >> _UPPER_HALF))
