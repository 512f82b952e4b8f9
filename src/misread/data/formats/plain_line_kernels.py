"""Plain lines in the bytes of ALTO, and an element in the place of many: integer arrays in, integer arrays out."""

from typing import Final

import numpy as np

from misread.alignment.kernels.pairs import Bytes, Words
from misread.compiled.jit import borrowing_jit
from misread.types import IntArray

PADDING: Final = 16
"""Zeros that follow the bytes, so that no name is looked for beyond them."""

MOST_STRINGS: Final = 1 << 8
"""Strings of a line that is plain."""

MOST_ATTRIBUTES: Final = 16
"""Attributes of an element that is plain."""

# Far below what libxml2 refuses as a text too long.
_MOST_OF_A_VALUE: Final = 1 << 10
_MOST_OF_AN_ELEMENT: Final = 1 << 22

_LINE, _END_OF_LINE, _STRING, _SPACE, _END_OF_BOTH = (
    np.frombuffer(text, np.uint8)
    for text in (b"<TextLine", b"</TextLine>", b"<String", b"<SP", b"</String></TextLine>")
)
_ID, _CONTENT, _CONFIDENCE = (np.uint64(int.from_bytes(text, "big")) for text in (b"ID", b"CONTENT", b"WC"))

_TAB, _LINE_FEED, _MARK, _QUOTE, _HASH, _REFERENCE = (np.uint8(ord(mark)) for mark in '\t\n!"#&')
_SLASH, _ZERO, _LESS, _EQUALS, _GREATER, _QUESTION, _A, _Z = (np.uint8(ord(mark)) for mark in "/0<=>?AZ")
_DELETE: Final = np.uint8(0x7F)

# Where a byte may stand: between attributes, in a value that is left out, in one that is read.
_BLANK, _LEFT_OUT, _READ = (np.uint8(1 << bit) for bit in range(3))
_PLACES: Final = np.zeros(256, np.uint8)
_PLACES[[0x09, 0x0A, 0x0D, 0x20]] = _BLANK
_PLACES[0x20:0x7F] |= _LEFT_OUT | _READ
_PLACES[0x80:] = _READ
_PLACES[_REFERENCE] = _READ
_PLACES[[_QUOTE, _LESS]] = 0
# ">" may not follow "]]" in a text.
_PLACES[_GREATER] = _LEFT_OUT


@borrowing_jit
def join_lines(data: Bytes, start: int, opening: Bytes, spans: IntArray, names: Words, joined: Bytes) -> int:
    """Copy XML, with one element in place of plain lines that follow each other; return the number of bytes.

    Such an element is as deep as the lines and their strings. It begins with `opening` and has four fields for each
    line, each with DELETE after it: ID, line in the file, contents of strings and their confidences, with tabulators
    between. The line feeds that the lines had follow it. All is copied as it is from the first comment or the like
    after `begin`, within which a line would be none.

    `data` ends with PADDING, `spans` has MOST_STRINGS + 1 rows of 4, `names` MOST_ATTRIBUTES places, and `joined` two
    for each byte, which is enough for an `opening` of up to 50.
    """
    end = data.size - PADDING
    position = start
    line = 1 + _count_line_feeds(data, 0, start)
    copied = written = 0
    while position < end:
        if data[position] != _LESS:
            line += data[position] == _LINE_FEED
            position += 1
            continue
        if data[position + 1] == _MARK or data[position + 1] == _QUESTION:
            break
        if not _has(data, position, _LINE):
            position += 1
            continue
        before = _copy(data, copied, position, joined, written)
        copied = position
        after, line, written = _write_lines(data, position, line, opening, spans, names, joined, before)
        if after > position:
            position = copied = after
        else:
            written = before
            position += 1
    return _copy(data, copied, end, joined, written)


@borrowing_jit
def _write_lines(
    data: Bytes,
    position: int,
    line: int,
    opening: Bytes,
    spans: IntArray,
    names: Words,
    joined: Bytes,
    written: int,
) -> tuple[int, int, int]:
    """Write the element for the plain lines from a place on; return where they end, the line there, and the bytes."""
    most = written + _MOST_OF_AN_ELEMENT
    first_line, at, after = line, line, position
    written = _copy(opening, 0, opening.size, joined, written)
    while written < most and _has(data, position, _LINE):
        end, new_written = _write_line(data, position, at, spans, names, joined, written)
        if end < 0:
            break
        line = at + _count_line_feeds(data, position, end)
        after, written = end, new_written
        position = _skip(data, after, _BLANK)
        at = line + _count_line_feeds(data, after, position)
    written = _copy(_END_OF_BOTH, 0, _END_OF_BOTH.size, joined, written)
    for _ in range(line - first_line):
        joined[written] = _LINE_FEED
        written += 1
    return after, line, written


@borrowing_jit
def _write_line(
    data: Bytes, position: int, at: int, spans: IntArray, names: Words, joined: Bytes, written: int
) -> tuple[int, int]:
    """Write the fields of a line; return where it ends, or -1 if it is not plain, and the number of bytes."""
    span = spans[MOST_STRINGS]
    end = _read_attributes(data, position + _LINE.size, _ID, span, names)
    if end < 0 or data[end] != _GREATER:
        return -1, written
    written = _finish(joined, _copy(data, span[0], span[1], joined, written))
    written = _finish(joined, _write_number(at + _count_line_feeds(data, position, end), joined, written))
    position = _skip(data, end + 1, _BLANK)
    count = 0
    while not _has(data, position, _END_OF_LINE):
        if _has(data, position, _STRING):
            span = spans[count]
            end = _read_attributes(data, position + _STRING.size, _CONTENT, span, names)
            if span[0] == span[1] or count == MOST_STRINGS:
                return -1, written
            if count:
                joined[written] = _TAB
                written += 1
            written = _copy(data, span[0], span[1], joined, written)
            count += 1
        elif _has(data, position, _SPACE):
            end = _read_attributes(data, position + _SPACE.size, _CONTENT, spans[MOST_STRINGS], names)
        else:
            return -1, written
        if end < 0 or data[end] != _SLASH or data[end + 1] != _GREATER:
            return -1, written
        position = _skip(data, end + 2, _BLANK)
    if count == 0:
        return -1, written
    written = _finish(joined, written)
    for index in range(count):
        if index:
            joined[written] = _TAB
            written += 1
        written = _copy(data, spans[index, 2], spans[index, 3], joined, written)
    return position + _END_OF_LINE.size, _finish(joined, written)


@borrowing_jit
def _read_attributes(data: Bytes, position: int, wanted: np.uint64, span: IntArray, names: Words) -> int:
    """Spans of the value of a name and of the confidence, which may be empty; return where the attributes end.

    Returns -1 if they are not plain: names of capital letters, each once, and values in double quotes on one line.
    """
    span[:] = position
    count = 0
    while True:
        start = _skip(data, position, _BLANK)
        if data[start] == _SLASH or data[start] == _GREATER:
            return start
        # A name of more than eight letters may be taken for another one, and seem to occur twice.
        name = np.uint64(0)
        end = start
        while _A <= data[end] <= _Z:
            name = (name << np.uint64(8)) | np.uint64(data[end])
            end += 1
        if start in (position, end) or count == MOST_ATTRIBUTES or data[end] != _EQUALS or data[end + 1] != _QUOTE:
            return -1
        for other in range(count):
            if names[other] == name:
                return -1
        names[count] = name
        count += 1
        start = end + 2
        is_read = name in (wanted, _CONFIDENCE)
        end = _skip_text(data, start) if is_read else _skip(data, start, _LEFT_OUT)
        if data[end] != _QUOTE or end - start > _MOST_OF_A_VALUE:
            return -1
        if is_read:
            which = 2 if name == _CONFIDENCE else 0
            span[which], span[which + 1] = start, end
        position = end + 1


@borrowing_jit
def _skip_text(data: Bytes, position: int) -> int:
    """Place of the first byte that may not stand in a value that is read, or begins a reference to a number."""
    while _PLACES[data[position]] & _READ and not (data[position] == _REFERENCE and data[position + 1] == _HASH):
        position += 1
    return position


@borrowing_jit
def _skip(data: Bytes, position: int, allowed: np.uint8) -> int:
    while _PLACES[data[position]] & allowed:
        position += 1
    return position


@borrowing_jit
def _has(data: Bytes, position: int, wanted: Bytes) -> bool:
    index = 0
    while index < wanted.size and data[position + index] == wanted[index]:
        index += 1
    return index == wanted.size


@borrowing_jit
def _count_line_feeds(data: Bytes, start: int, end: int) -> int:
    count = 0
    for position in range(start, end):
        count += data[position] == _LINE_FEED
    return count


@borrowing_jit
def _write_number(number: int, joined: Bytes, written: int) -> int:
    """Write a number in digits; return the number of bytes."""
    unit = 1
    while unit * 10 <= number:
        unit *= 10
    while unit:
        joined[written] = _ZERO + np.uint8(number // unit % 10)
        written += 1
        unit //= 10
    return written


@borrowing_jit
def _finish(joined: Bytes, written: int) -> int:
    """End a field."""
    joined[written] = _DELETE
    return written + 1


@borrowing_jit
def _copy(data: Bytes, start: int, end: int, joined: Bytes, written: int) -> int:
    """Copy bytes; return the number of all that are written."""
    for position in range(start, end):
        joined[written] = data[position]
        written += 1
    return written
