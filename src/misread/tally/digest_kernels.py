"""BLAKE2b of many short texts, eight at a time: one call of a hash function per text costs more than the hash.

References
----------
Saarinen and Aumasson (2015), The BLAKE2 Cryptographic Hash and Message Authentication Code (MAC), RFC 7693.
"""

from typing import Final

import numpy as np

from misread.alignment.kernels.pairs import Bytes, Words
from misread.alignment.kernels.simd import LANES, Lanes, load_lanes, load_word, rotate_right, splat, store_lanes
from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

DIGITS: Final = 16
"""Hexadecimal digits of a digest."""

_STATE: Final = 8
_MESSAGE: Final = 16
SCRATCH_WORDS: Final = (_STATE + 3 + _MESSAGE) * LANES
"""Words that `digest_texts` works in."""

# Where the words of all lanes lie in them: state, bytes so far, flags of the last block and of any, message.
_COUNTS: Final = _STATE * LANES
_LAST: Final = _COUNTS + LANES
_GOES_ON: Final = _LAST + LANES
_WORDS: Final = _GOES_ON + LANES

_BLOCK: Final = 128
_ALL_ONES: Final = np.uint64(2**64 - 1)
_ROUNDS: Final = 12
_INITIAL: Final = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
# No key, one leaf of a tree of depth one, 8 bytes of digest.
_PARAMETERS: Final = np.uint64(0x01010000 ^ (DIGITS // 2))
_ORDER: Final = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    ],
    np.uint64,
)
_HEXADECIMAL: Final = np.frombuffer(b"0123456789abcdef", np.uint8)


@borrowing_jit
def digest_texts(data: Bytes, bounds: IntArray, scratch: Words, digits: Bytes) -> None:
    """Fill `digits`, shape (texts, 16), with hexadecimal digests; text i is `data[bounds[i] : bounds[i + 1]]`.

    `scratch` has SCRATCH_WORDS.
    """
    texts = bounds.size - 1
    for first in range(0, texts, LANES):
        blocks = 1
        for lane in range(LANES):
            # A last group that is not full has its last text several times.
            text = min(first + lane, texts - 1)
            blocks = max(blocks, (bounds[text + 1] - bounds[text] + _BLOCK - 1) // _BLOCK)
            for word in range(_STATE):
                scratch[word * LANES + lane] = _INITIAL[word]
            scratch[lane] ^= _PARAMETERS
        for block in range(blocks):
            for lane in range(LANES):
                text = min(first + lane, texts - 1)
                _load_block(data, bounds[text], bounds[text + 1], block, lane, scratch)
            _compress(scratch)
        for lane in range(min(LANES, texts - first)):
            for digit in range(DIGITS):
                # The lower byte first, in it the higher digit.
                nibble = np.uint64(4 * (digit ^ 1))
                digits[first + lane, digit] = _HEXADECIMAL[np.int64((scratch[lane] >> nibble) & np.uint64(15))]


@borrowing_jit
def _load_block(data: Bytes, begin: int, end: int, block: int, lane: int, scratch: Words) -> None:
    """Read a block of a text as little-endian words into a lane; zeros follow the end."""
    size = end - begin
    place = begin + block * _BLOCK
    read = min(size, (block + 1) * _BLOCK)
    scratch[_COUNTS + lane] = np.uint64(read)
    scratch[_LAST + lane] = _ALL_ONES if read == size else np.uint64(0)
    # An empty text has one block.
    scratch[_GOES_ON + lane] = _ALL_ONES if place < end or block == 0 else np.uint64(0)
    for word in range(_MESSAGE):
        value = np.uint64(0)
        if place + 8 <= end:
            value = load_word(data, place)
        elif place < end and place + 8 <= data.size:
            value = load_word(data, place) & (_ALL_ONES >> np.uint64(8 * (place + 8 - end)))
        else:
            for byte in range(end - place):
                value |= np.uint64(data[place + byte]) << np.uint64(8 * byte)
        scratch[_WORDS + word * LANES + lane] = value
        place += 8


@borrowing_jit
def _compress(scratch: Words) -> None:
    a0, a1, a2, a3 = _row(scratch, 0), _row(scratch, 1), _row(scratch, 2), _row(scratch, 3)
    b0, b1, b2, b3 = _row(scratch, 4), _row(scratch, 5), _row(scratch, 6), _row(scratch, 7)
    c0, c1, c2, c3 = splat(_INITIAL[0]), splat(_INITIAL[1]), splat(_INITIAL[2]), splat(_INITIAL[3])
    d0 = splat(_INITIAL[4]) ^ load_lanes(scratch, _COUNTS)
    d1 = splat(_INITIAL[5])
    d2 = splat(_INITIAL[6]) ^ load_lanes(scratch, _LAST)
    d3 = splat(_INITIAL[7])
    for step in range(_ROUNDS):
        s = _ORDER[step]
        a0, b0, c0, d0 = _mix(a0, b0, c0, d0, _word(scratch, s[0]), _word(scratch, s[1]))
        a1, b1, c1, d1 = _mix(a1, b1, c1, d1, _word(scratch, s[2]), _word(scratch, s[3]))
        a2, b2, c2, d2 = _mix(a2, b2, c2, d2, _word(scratch, s[4]), _word(scratch, s[5]))
        a3, b3, c3, d3 = _mix(a3, b3, c3, d3, _word(scratch, s[6]), _word(scratch, s[7]))
        a0, b1, c2, d3 = _mix(a0, b1, c2, d3, _word(scratch, s[8]), _word(scratch, s[9]))
        a1, b2, c3, d0 = _mix(a1, b2, c3, d0, _word(scratch, s[10]), _word(scratch, s[11]))
        a2, b3, c0, d1 = _mix(a2, b3, c0, d1, _word(scratch, s[12]), _word(scratch, s[13]))
        a3, b0, c1, d2 = _mix(a3, b0, c1, d2, _word(scratch, s[14]), _word(scratch, s[15]))
    # Texts that ended in an earlier block keep their state.
    goes_on = load_lanes(scratch, _GOES_ON)
    _add(scratch, 0, (a0 ^ c0) & goes_on)
    _add(scratch, 1, (a1 ^ c1) & goes_on)
    _add(scratch, 2, (a2 ^ c2) & goes_on)
    _add(scratch, 3, (a3 ^ c3) & goes_on)
    _add(scratch, 4, (b0 ^ d0) & goes_on)
    _add(scratch, 5, (b1 ^ d1) & goes_on)
    _add(scratch, 6, (b2 ^ d2) & goes_on)
    _add(scratch, 7, (b3 ^ d3) & goes_on)


@borrowing_jit
def _row(scratch: Words, word: int) -> Lanes:
    """A word of the state of all lanes."""
    return load_lanes(scratch, word * LANES)


@borrowing_jit
def _word(scratch: Words, word: np.uint64) -> Lanes:
    """A word of the message of all lanes."""
    return load_lanes(scratch, _WORDS + np.int64(word) * LANES)


@borrowing_jit
def _add(scratch: Words, word: int, lanes: Lanes) -> None:
    """Add to a word of the state of all lanes, bit by bit."""
    store_lanes(scratch, word * LANES, load_lanes(scratch, word * LANES) ^ lanes)


@borrowing_jit
def _mix(a: Lanes, b: Lanes, c: Lanes, d: Lanes, x: Lanes, y: Lanes) -> tuple[Lanes, Lanes, Lanes, Lanes]:
    a = a + b + x
    d = rotate_right(d ^ a, 32)
    c = c + d
    b = rotate_right(b ^ c, 24)
    a = a + b + y
    d = rotate_right(d ^ a, 16)
    c = c + d
    b = rotate_right(b ^ c, 63)
    return a, b, c, d
