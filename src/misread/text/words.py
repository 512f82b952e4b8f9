"""Words of a text, and the white space between them.

White space are the characters of the Unicode property White_Space, everywhere in misread.
"""

import re
from collections.abc import Callable
from typing import Final

WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680"
    "\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""All 25 characters. `str.split` also splits at U+001C to U+001F, which do not have the property.

References
----------
Unicode Character Database, PropList.txt, White_Space.
"""


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


def strip_ends(word: str, is_mark: Callable[[str], bool]) -> str:
    """A word without the marks at its ends; the word itself if it is nothing else."""
    start, end = 0, len(word)
    while start < end and is_mark(word[start]):
        start += 1
    while start < end and is_mark(word[end - 1]):
        end -= 1
    return word[start:end] or word


def join_words(text: str) -> str:
    """The words of a text with one blank between them."""
    stripped = text.strip(" ")
    # All white space but the blank is not printable; most texts are joined like this already.
    return stripped if "  " not in stripped and stripped.isprintable() else " ".join(split_words(text))
