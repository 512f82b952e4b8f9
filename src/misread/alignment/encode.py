"""Texts become integers: one array of unit codes for each side, in which equal units have equal codes."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from misread.alignment.arrow_texts import ArrowTexts
from misread.alignment.graphemes import code_graphemes
from misread.arrays import IntArray
from misread.errors import InputTextError, UnknownNameError
from misread.white_space import WHITE_SPACE

Unit = Literal["char", "grapheme", "word"]

_CODE_POINTS: Final = 0x110000
_WORD: Final = re.compile(f"[^{WHITE_SPACE}]+")
# str.split takes these for white space, Unicode does not.
_SEPARATORS: Final = "\x1c\x1d\x1e\x1f"


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTexts:
    """Texts of one side as integers; text i is `codes[offsets[i] : offsets[i + 1]]`.

    Attributes
    ----------
    codes : uint32 array
        Units of all texts, one after the other; read-only.
    offsets : int64 array, shape (texts + 1,)
        Where each text begins and the last one ends; read-only.
    """

    codes: NDArray[np.uint32]
    offsets: IntArray


@dataclass(frozen=True, slots=True)
class EncodedPairs:
    """Both sides in one alphabet: every code is below `alphabet_size`."""

    references: EncodedTexts
    hypotheses: EncodedTexts
    alphabet_size: int


def split_words(text: str) -> list[str]:
    r"""Split into words: maximal runs of characters without the Unicode property White_Space.

    Unlike `str.split`, the separators U+001C to U+001F belong to words. Zero-width characters do so in both.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    list of str
        Words in order; none for a text that is empty or all white space.

    References
    ----------
    Unicode Character Database, PropList.txt, White_Space.

    Examples
    --------
    >>> split_words(" two\u00a0words\n")
    ['two', 'words']
    """
    if any(separator in text for separator in _SEPARATORS):
        return _WORD.findall(text)
    return text.split()


def encode_pairs(references: Sequence[str], hypotheses: Sequence[str], unit: Unit) -> EncodedPairs:
    """Encode both sides in one alphabet.

    Parameters
    ----------
    references, hypotheses : sequence of str
        Texts of both sides.
    unit : {"char", "grapheme", "word"}
        A character is coded as its code point, a word by its number in order of appearance on either side; for
        graphemes see `code_graphemes`.

    Returns
    -------
    EncodedPairs
        The same units, as integers.

    Raises
    ------
    InputTextError
        If an entry is not a string or holds a lone surrogate; names the side and the index.
    UnknownNameError
        If there is no such unit.

    Examples
    --------
    >>> encode_pairs(["a b", "b"], ["b a"], "word").hypotheses.codes.tolist()
    [1, 0]
    """
    if unit == "char":
        return EncodedPairs(
            _encode_chars(references, "reference"), _encode_chars(hypotheses, "hypothesis"), _CODE_POINTS
        )
    if unit == "grapheme":
        return _encode_graphemes(_encode_chars(references, "reference"), _encode_chars(hypotheses, "hypothesis"))
    if unit == "word":
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        reference_words = _encode_words(references, "reference", numbers)
        hypothesis_words = _encode_words(hypotheses, "hypothesis", numbers)
        return EncodedPairs(reference_words, hypothesis_words, len(numbers))
    raise UnknownNameError("unit", unit, get_args(Unit))


def _encode_chars(texts: Sequence[str], side: str) -> EncodedTexts:
    if isinstance(texts, ArrowTexts):
        return _freeze(*texts.code_points(), len(texts))
    joined = _join(texts, side)
    encoded = _encode_text(joined, "utf-32-le", texts, side)
    return _freeze(np.frombuffer(encoded, np.dtype("<u4")), map(len, texts), len(texts))


def _encode_graphemes(references: EncodedTexts, hypotheses: EncodedTexts) -> EncodedPairs:
    """Code both sides together, and part them again."""
    texts, units = len(references.offsets) - 1, references.codes.size
    coded = code_graphemes(
        np.concatenate([references.codes, hypotheses.codes], dtype=np.uint32),
        np.concatenate([references.offsets, units + hypotheses.offsets[1:]]),
    )
    lengths, middle = np.diff(coded.offsets), coded.offsets[texts]
    return EncodedPairs(
        _freeze(coded.codes[:middle], lengths[:texts], texts),
        _freeze(coded.codes[middle:], lengths[texts:], len(lengths) - texts),
        coded.alphabet_size,
    )


def _encode_words(texts: Sequence[str], side: str, numbers: defaultdict[str, int]) -> EncodedTexts:
    joined = _join(texts, side)
    _encode_text(joined, "utf-8", texts, side)
    split = split_words if any(separator in joined for separator in _SEPARATORS) else str.split
    codes = array("I")
    lengths = array("q")
    for text in texts:
        words = split(text)
        codes.extend(map(numbers.__getitem__, words))
        lengths.append(len(words))
    return _freeze(np.frombuffer(codes, np.uint32), lengths, len(texts))


def _join(texts: Sequence[str], side: str) -> str:
    try:
        return "".join(texts)
    except TypeError:
        index, entry = next((index, text) for index, text in enumerate(texts) if not isinstance(text, str))
        shown = "None" if entry is None else f"{entry!r} ({type(entry).__name__})"
        raise InputTextError(f"{side} {index} is {shown} where a string is needed.") from None


def _encode_text(joined: str, encoding: str, texts: Sequence[str], side: str) -> bytes:
    try:
        return joined.encode(encoding)
    except UnicodeEncodeError as error:
        ends = np.cumsum([len(text) for text in texts])
        index = bisect_right(ends, error.start)
        raise InputTextError(
            f"{side} {index} holds U+{ord(joined[error.start]):04X}, half of a surrogate pair and no character: "
            "read the text again in its right encoding."
        ) from None


def _freeze(codes: NDArray[np.uint32], lengths: Iterable[int], texts: int) -> EncodedTexts:
    """Lay out the offsets; read-only on both units, so that kernels are compiled for one type of array."""
    offsets = np.zeros(texts + 1, np.int64)
    np.cumsum(np.fromiter(lengths, np.int64, texts), out=offsets[1:])
    codes.setflags(write=False)
    offsets.setflags(write=False)
    return EncodedTexts(codes, offsets)
