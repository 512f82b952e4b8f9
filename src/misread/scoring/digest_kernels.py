"""BLAKE2b of many short texts, compiled: one call of a hash function per text costs more than the hash.

References
----------
Saarinen and Aumasson (2015), The BLAKE2 Cryptographic Hash and Message Authentication Code (MAC), RFC 7693.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

DIGITS: Final = 16
"""Hexadecimal digits of a digest."""

_BLOCK: Final = 128
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
def digest_texts(
    data: NDArray[np.uint8], bounds: IntArray, state: NDArray[np.uint64], words: NDArray[np.uint64], digits: Any
) -> None:
    """Fill `digits`, shape (texts, 16), with hexadecimal digests; text i is `data[bounds[i] : bounds[i + 1]]`.

    `state`, shape (8,), and `words`, shape (16,), are scratch buffers.
    """
    for text in range(bounds.size - 1):
        begin, end = bounds[text], bounds[text + 1]
        for word in range(8):
            state[word] = _INITIAL[word]
        state[0] ^= _PARAMETERS
        block = begin
        while block + _BLOCK < end:
            _load(data, block, end, words)
            _compress(state, words, block + _BLOCK - begin, False)
            block += _BLOCK
        _load(data, block, end, words)
        _compress(state, words, end - begin, True)
        for digit in range(DIGITS):
            # The lower byte first, in it the higher digit.
            nibble = np.uint64(4 * (digit ^ 1))
            digits[text, digit] = _HEXADECIMAL[np.int64((state[0] >> nibble) & np.uint64(15))]


@borrowing_jit
def _load(data: NDArray[np.uint8], begin: int, end: int, words: NDArray[np.uint64]) -> None:
    """Read up to 128 bytes as little-endian words; zeros follow the end."""
    for word in range(16):
        value = np.uint64(0)
        first = begin + 8 * word
        for byte in range(min(8, end - first)):
            value |= np.uint64(data[first + byte]) << np.uint64(8 * byte)
        words[word] = value


@borrowing_jit
def _compress(h: NDArray[np.uint64], m: NDArray[np.uint64], count: int, is_last: bool) -> None:
    a0, a1, a2, a3 = h[0], h[1], h[2], h[3]
    b0, b1, b2, b3 = h[4], h[5], h[6], h[7]
    c0, c1, c2, c3 = _INITIAL[0], _INITIAL[1], _INITIAL[2], _INITIAL[3]
    d0, d1, d2, d3 = _INITIAL[4] ^ np.uint64(count), _INITIAL[5], _INITIAL[6], _INITIAL[7]
    if is_last:
        d2 = ~d2
    for step in range(_ROUNDS):
        s = _ORDER[step]
        a0, b0, c0, d0 = _mix(a0, b0, c0, d0, m[s[0]], m[s[1]])
        a1, b1, c1, d1 = _mix(a1, b1, c1, d1, m[s[2]], m[s[3]])
        a2, b2, c2, d2 = _mix(a2, b2, c2, d2, m[s[4]], m[s[5]])
        a3, b3, c3, d3 = _mix(a3, b3, c3, d3, m[s[6]], m[s[7]])
        a0, b1, c2, d3 = _mix(a0, b1, c2, d3, m[s[8]], m[s[9]])
        a1, b2, c3, d0 = _mix(a1, b2, c3, d0, m[s[10]], m[s[11]])
        a2, b3, c0, d1 = _mix(a2, b3, c0, d1, m[s[12]], m[s[13]])
        a3, b0, c1, d2 = _mix(a3, b0, c1, d2, m[s[14]], m[s[15]])
    h[0] ^= a0 ^ c0
    h[1] ^= a1 ^ c1
    h[2] ^= a2 ^ c2
    h[3] ^= a3 ^ c3
    h[4] ^= b0 ^ d0
    h[5] ^= b1 ^ d1
    h[6] ^= b2 ^ d2
    h[7] ^= b3 ^ d3


@borrowing_jit
def _mix(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, x: np.uint64, y: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    a = a + b + x
    d = _rotate(d ^ a, 32)
    c = c + d
    b = _rotate(b ^ c, 24)
    a = a + b + y
    d = _rotate(d ^ a, 16)
    c = c + d
    b = _rotate(b ^ c, 63)
    return a, b, c, d


@borrowing_jit
def _rotate(word: np.uint64, by: int) -> np.uint64:
    return (word >> np.uint64(by)) | (word << np.uint64(64 - by))
