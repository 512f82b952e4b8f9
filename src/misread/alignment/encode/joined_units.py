"""Units of all texts of a side, one after the other.

An alignment uses every unit of both sides, so that the position of an error in the whole corpus suffices to find its
unit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from misread.alignment.encode.graphemes import CodedGraphemes, code_graphemes, none_joins
from misread.alignment.kernels.pairs import Codes
from misread.alignment.kernels.units import find_word_bounds
from misread.alignment.plain import units as plain
from misread.compiled.budget import ALIGNING
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column, to_numpy
from misread.text.lazy_texts import join_texts
from misread.text.words import WHITE_SPACE
from misread.types import IntArray

_TEXT_END: Final = "\n"
# One entry per code point, up to the first above all white space.
IS_WHITE: Final = np.isin(np.arange(max(map(ord, WHITE_SPACE)) + 2), [*map(ord, WHITE_SPACE)])


@dataclass(frozen=True, slots=True, eq=False)
class JoinedCharacters:
    """Characters or graphemes of both sides as codes of `coding`."""

    references: Codes
    hypotheses: Codes
    coding: CodedGraphemes


def join_characters(references: Sequence[str], hypotheses: Sequence[str], *, by_grapheme: bool) -> JoinedCharacters:
    """Join the characters, or graphemes, of all texts of each side."""
    code_points = _join_code_points("".join(map(join_texts, (references, hypotheses))))
    lengths = np.concatenate([_measure(references), _measure(hypotheses)])
    coded = CodedGraphemes(code_points, np.concatenate([[0], np.cumsum(lengths)]), ())
    if by_grapheme and not none_joins(code_points):
        spans = np.stack([coded.offsets[:-1], coded.offsets[1:]], axis=-1)
        coded = code_graphemes(code_points.astype(np.uint32, copy=False), spans)
    middle = coded.offsets[len(references)]
    return JoinedCharacters(coded.codes[:middle], coded.codes[middle:], coded)


def join_words(texts: Sequence[str]) -> Any:
    """Join the words of all texts: a pyarrow.LargeStringArray, words and white space in turn, a word first."""
    import pyarrow as pa

    joined = join_texts(texts, _TEXT_END)
    code_points = _join_code_points(joined)
    is_little = ALIGNING.covers(plain.estimate_seconds(code_points))
    bounds = (plain.find_word_bounds if is_little else find_word_bounds)(code_points, IS_WHITE)
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(joined.encode())]
    return pa.Array.from_buffers(pa.large_string(), max(0, len(bounds) - 1), buffers)


def _measure(texts: Sequence[str]) -> IntArray:
    """Number of characters of each text."""
    if not isinstance(texts, ArrowTexts):
        return np.fromiter(map(len, texts), np.int64, len(texts))
    import pyarrow as pa
    import pyarrow.compute as pc

    return to_numpy(pc.utf8_length(to_column(texts, pa.large_string())))


def _join_code_points(joined: str) -> Codes:
    try:
        return np.frombuffer(joined.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return np.frombuffer(joined.encode("utf-32-le"), np.uint32)
