"""Characters of texts in UTF-8: integer arrays in, integer arrays out."""

from typing import Final

import numpy as np

from misread.alignment.kernels.kinds import LINE_FEED
from misread.alignment.kernels.pairs import Bytes, Codes
from misread.alignment.kernels.simd import copy_widened, count_zeros_below, make_member_mask
from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

# Bytes that are tested and copied at a time.
_PLACES: Final = 64
_above_ascii_mask = make_member_mask(((0x80, 0xFF),))


@borrowing_jit
def decode_texts(data: Bytes, bounds: IntArray, codes: Codes, spans: IntArray) -> int:
    """Fill `codes` and `spans` with texts in UTF-8 whose characters fit the codes; a line feed and a 0 follow each.

    Text i is `data[bounds[i] : bounds[i + 1]]`. `codes` has room for every byte, two more for every text, and PADDING.
    Returns how many codes were filled, or -1 if the bytes are not UTF-8.
    """
    filled = 0
    for text in range(bounds.size - 1):
        spans[text, 0] = filled
        index, end = bounds[text], bounds[text + 1]
        while index < end:
            if index + _PLACES <= data.size:
                # Copies all at once; bytes above ASCII are overwritten.
                copy_widened(data, index, codes, filled)
                ascii_bytes = min(count_zeros_below(_above_ascii_mask(data, index)), end - index)
                index += ascii_bytes
                filled += ascii_bytes
                if ascii_bytes == _PLACES:
                    continue
            elif data[index] < 0x80:
                codes[filled] = data[index]
                index += 1
                filled += 1
            while index < end and data[index] >= 0x80:
                character, size = _decode(data, index, end)
                if size == 0:
                    return -1
                codes[filled] = character
                index += size
                filled += 1
        spans[text, 1] = filled
        codes[filled] = LINE_FEED
        codes[filled + 1] = 0
        filled += 2
    return filled


@borrowing_jit
def _decode(data: Bytes, index: int, end: int) -> tuple[int, int]:
    """Character above ASCII that begins at data[index], and its bytes; none if they are not UTF-8."""
    lead = np.int64(data[index])
    if lead < 0xE0:
        value, size, least = lead & 0x1F, 2, 0x80
    elif lead < 0xF0:
        value, size, least = lead & 0x0F, 3, 0x800
    else:
        value, size, least = lead & 0x0F, 4, 0x10000
    if lead < 0xC0 or index + size > end:
        return 0, 0
    for following in range(index + 1, index + size):
        byte = np.int64(data[following])
        if byte & 0xC0 != 0x80:
            return 0, 0
        value = value << 6 | byte & 0x3F
    if value < least or value > 0x10FFFF or 0xD800 <= value < 0xE000:
        return 0, 0
    return int(value), size
