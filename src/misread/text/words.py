"""Words of a text."""

import re
from typing import Final

from misread.text.white_space import WHITE_SPACE

_WORD: Final = re.compile(f"[^{WHITE_SPACE}]+")
# str.split takes these for white space, Unicode does not.
_SEPARATORS: Final = "\x1c\x1d\x1e\x1f"
# Whether `str.split` splits at these and at white space, and nowhere else: it knows 29 characters.
_SPLIT_BY_PYTHON: Final = len({*WHITE_SPACE, *_SEPARATORS}) == 29 and all(map(str.isspace, WHITE_SPACE))


def split_words(text: str) -> list[str]:
    """Split into words: maximal runs of characters without the Unicode property White_Space.

    Unlike `str.split`, the separators U+001C to U+001F belong to words. Zero-width characters do so in both.
    """
    # None of the separators is printable.
    if _SPLIT_BY_PYTHON and (text.isprintable() or not any(separator in text for separator in _SEPARATORS)):
        return text.split()
    return _WORD.findall(text)


def join_words(text: str) -> str:
    """The words of a text with one blank between them."""
    stripped = text.strip(" ")
    # All white space but the blank is not printable; most texts are joined like this already.
    return stripped if "  " not in stripped and stripped.isprintable() else " ".join(split_words(text))
