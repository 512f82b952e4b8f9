"""Words and the punctuation marks that stand at them, of many texts at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.alignment.kernels.types import Codes
from misread.text.white_space import WHITE_SPACE
from misread.types import BoolArray, IntArray

# Between texts, and what stands for a word where a text begins with a mark alone.
_END: Final = "\x1c"
NOTHING: Final = "\u2205"


@dataclass(frozen=True, slots=True, eq=False)
class MarkedWords:
    """Words without marks, and marks with the word that each stands at, or after.

    A mark is a character of the categories P of Unicode that is not between two letters or digits.
    """

    texts: list[str]  # without marks, one space or more between words
    mark_words: IntArray  # word of each mark, counted over all texts
    marks: Codes  # code point of each


def take_marks(texts: Sequence[str]) -> MarkedWords:
    """Take the marks out of texts. A text that begins with a mark alone has `NOTHING` as its first word."""
    codes, is_end = _join(texts)
    is_mark = _find_marks(codes)
    is_white = _look_up(codes, lambda character: character in WHITE_SPACE) | is_end
    is_first = ~is_white & np.concatenate([[True], is_white[:-1]])
    token_of = np.cumsum(is_first) - 1
    tokens = int(is_first.sum())
    has_core = np.bincount(token_of[~is_mark & ~is_white], minlength=tokens) > 0
    starts = np.flatnonzero(is_first)
    text_of = np.searchsorted(np.flatnonzero(is_end), starts)
    begins_text = np.concatenate([[True], text_of[1:] != text_of[:-1]])[:tokens]
    stands_for_nothing = begins_text & ~has_core
    word_of = np.cumsum(has_core | stands_for_nothing) - 1
    kept = codes.copy()
    kept[starts[stands_for_nothing]] = ord(NOTHING)
    stays = ~is_mark
    stays[starts[stands_for_nothing]] = True
    return MarkedWords(_split(kept[stays]), word_of[token_of[is_mark]], codes[is_mark])


def strip_marks(texts: Sequence[str]) -> list[str]:
    """Texts without their marks."""
    codes, _ = _join(texts)
    return _split(codes[~_find_marks(codes)])


def _join(texts: Sequence[str]) -> tuple[Codes, BoolArray]:
    """Code points of all texts, and where each ends."""
    joined = "".join(text.replace(_END, " ") + _END if _END in text else text + _END for text in texts)
    codes = np.frombuffer(joined.encode("utf-32-le"), "<u4")
    return codes, codes == ord(_END)


def _split(codes: Codes) -> list[str]:
    return codes.astype("<u4").tobytes().decode("utf-32-le").split(_END)[:-1]


def _find_marks(codes: Codes) -> BoolArray:
    is_mark = _look_up(codes, lambda character: unicodedata.category(character).startswith("P"))
    is_letter = _look_up(codes, str.isalnum)
    before, after = np.zeros(len(codes), np.bool_), np.zeros(len(codes), np.bool_)
    before[1:], after[:-1] = is_letter[:-1], is_letter[1:]
    marks: BoolArray = is_mark & ~(before & after)
    return marks


def _look_up(codes: Codes, holds: Callable[[str], bool]) -> BoolArray:
    """Whether each character has a property, which is asked for once for each that occurs."""
    table = np.zeros(int(codes.max(initial=0)) + 1, np.bool_)
    table[codes] = True
    occurring = np.flatnonzero(table)
    table[occurring] = [holds(chr(code)) for code in occurring.tolist()]
    found: BoolArray = table[codes]
    return found
