"""Invisible differences: those that count as errors but cannot be seen."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from misread.metrics.base import ScoredText
from misread.text.arrow import ArrowTexts
from misread.text.lazy_texts import join_texts

CONTROLS, FORM_FEEDS = "control characters", "form feeds"
_CHARACTERS: Mapping[str, re.Pattern[str]] = {
    "zero-width or bidirectional marks": re.compile(
        "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
    ),
    CONTROLS: re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]"),
    "carriage returns": re.compile(r"\r"),
    FORM_FEEDS: re.compile(r"[\v\f]"),
}
# ASCII that no pattern above has.
_PLAIN = bytes(range(0x20, 0x7F)) + b"\t\n"
# Where the first character begins that another one may be composed with, and no byte of UTF-8 before it.
_FIRST_OF_MARKS = "\u0300".encode()[0]
_BELOW_MARKS = bytes(range(_FIRST_OF_MARKS))
_FIRST_OF_CONTROLS = "\u0080".encode()[0]
_DELETE = 0x7F
# Bytes that are looked at several times before the next.
_IN_CACHE = 1 << 16
COMPOSITION = "composed and decomposed letters"
KINDS = (*_CHARACTERS, COMPOSITION)


def count_invisible_differences(pairs: ScoredText) -> dict[str, int]:
    """Count the segments, by kind, in which the sides differ in invisible characters.

    Unicode Character Database, general categories Cf and Cc; Unicode Standard Annex #15 (NFC).
    """
    # Most corpora have none of these anywhere, which one look at all texts shows.
    sides = pairs.references, pairs.hypotheses
    if not any(map(_may_be_invisible, sides)):
        return {}
    unusual = b"".join(map(_without_plain, sides))
    characters = unusual.decode("utf-8", "surrogatepass")
    patterns = {kind: pattern for kind, pattern in _CHARACTERS.items() if pattern.search(characters)}
    # All characters below are composed, whatever is next to them.
    may_be_decomposed = bool(unusual.translate(None, _BELOW_MARKS)) and not all(
        _is_composed("\n".join(side)) for side in sides
    )
    if not patterns and not may_be_decomposed:
        return {}
    differing = dict.fromkeys(KINDS, 0)
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        if reference == hypothesis or (_is_plain(reference) and _is_plain(hypothesis)):
            continue
        for kind, pattern in patterns.items():
            differing[kind] += sorted(pattern.findall(reference)) != sorted(pattern.findall(hypothesis))
        if may_be_decomposed:
            differing[COMPOSITION] += _is_composed(reference) != _is_composed(hypothesis)
    return {kind: segments for kind, segments in differing.items() if segments}


def _may_be_invisible(texts: Sequence[str]) -> bool:
    """Whether bytes of these texts may belong to a character of any kind; of Arrow's texts few have such bytes."""
    if not isinstance(texts, ArrowTexts):
        return True
    data, bounds = texts.encoded()
    return any(
        _has_suspects(data[start : min(start + _IN_CACHE, bounds[-1])])
        for start in range(bounds[0], bounds[-1], _IN_CACHE)
    )


def _has_suspects(data: NDArray[np.uint8]) -> bool:
    """Control characters, the first byte of those from U+0080 to U+00BF, or one of a character from U+0300 on."""
    if data.max() >= _FIRST_OF_MARKS or np.any(data == _DELETE) or np.any(data == _FIRST_OF_CONTROLS):
        return True
    # Most texts of one line have no byte below the space.
    return bool(data.min() < ord(" ") and np.any((data < ord("\t")) | (data > ord("\n")) & (data < ord(" "))))


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _without_plain(texts: Sequence[str]) -> bytes:
    """Drop the characters that no pattern matches: that is far faster than searching them."""
    if isinstance(texts, ArrowTexts):
        data, bounds = texts.encoded()
        encoded = data[bounds[0] : bounds[-1]].tobytes()
    else:
        encoded = join_texts(texts).encode("utf-8", "surrogatepass")
    return encoded.translate(None, _PLAIN)


def _is_composed(text: str) -> bool:
    return unicodedata.is_normalized("NFC", text)
