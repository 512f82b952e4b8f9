"""Lines of ALTO that are written plainly, as most are, in one element: the places of words are most of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, repeat
from secrets import token_hex
from typing import Any, Final, cast

import numpy as np

from misread.compiled.budget import READING
from misread.data.formats import plain_line_kernels as kernels
from misread.data.formats.layout import Confidence, Line, read_confidence, spread_confidences
from misread.text.words import split_words

_NAMESPACE: Final = f"misread:{token_hex(4)}"  # none that a file can have
PLAIN_LINES: Final = f"{{{_NAMESPACE}}}TextLine"
"""Name of an element that stands for plain lines."""

_OPENING: Final = np.frombuffer(f'<TextLine xmlns="{_NAMESPACE}"><String>'.encode(), np.uint8)

_END_OF_FIELD: Final = "\x7f"
_BETWEEN: Final = "\t"
# What is saved per byte.
_BYTE_SECONDS: Final = 2.4e-8
# libxml2 keeps the line of an element up to here, and finds that of others by what is near.
_MOST_LINES: Final = (1 << 16) - 1
# What stands before a root, if all bytes below 0x80 are characters of ASCII.
_BEFORE_ROOT: Final = re.compile(
    rb"""(?:\xef\xbb\xbf)?
    (?:<\?xml\s+version=["']1\.0["'](?:\s+encoding=["'](?:UTF|utf)-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>)?
    (?:\s|<!--.*?-->|<\?(?!xml\s).*?\?>)*+(?=<[A-Za-z])""",
    re.DOTALL | re.VERBOSE,
)


def join_plain_lines(data: bytes) -> bytes:
    """XML with the same lines, in which an element stands for plain lines of text; the same bytes if nothing is saved.

    A line is plain if all in it are strings and spaces that are empty elements, with attributes in double quotes and no
    divided word. Nothing else is looked at, so that the result is well-formed if and only if the file is.
    """
    before = _BEFORE_ROOT.match(data)
    has_many_lines = len(data) > _MOST_LINES and data.count(b"\n") >= _MOST_LINES
    if before is None or has_many_lines or READING.covers(_BYTE_SECONDS * len(data)):
        return data
    padded = np.frombuffer(data + bytes(kernels.PADDING), np.uint8)
    spans = np.empty((kernels.MOST_STRINGS + 1, 4), np.int64)
    names = np.empty(kernels.MOST_ATTRIBUTES, np.uint64)
    joined = np.empty(2 * len(data), np.uint8)
    return joined[: kernels.join_lines(padded, before.end(), _OPENING, spans, names, joined)].tobytes()


def split_plain_lines(element: Any) -> Iterator[Line]:
    """The lines that an element stands for, without words."""
    *fields, _ = element[0].text.split(_END_OF_FIELD)
    names, locations, contents, written = (fields[first::4] for first in range(4))
    texts = [content.replace(_BETWEEN, " ") for content in contents]
    return map(Line, names, texts, map(int, locations), repeat(()), _split_confidences(contents, written))


def _split_confidences(contents: Sequence[str], written: Sequence[str]) -> list[Confidence]:
    """Confidences of the words of each line; whether all have one, and are words, is found out of all lines at once."""
    texts = _BETWEEN.join(contents)
    confidences: list[Any] = [*map(read_confidence, _BETWEEN.join(written).split(_BETWEEN))]
    ends = [*accumulate([content.count(_BETWEEN) + 1 for content in contents])]
    own = [confidences[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    if None not in confidences and split_words(texts) == texts.split(_BETWEEN):
        return cast("list[Confidence]", own)
    return [
        spread_confidences(content.split(_BETWEEN), confidence)
        for content, confidence in zip(contents, own, strict=True)
    ]
