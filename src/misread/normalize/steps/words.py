"""Steps that divide texts into words by rules other than white space."""

import re
import unicodedata
from functools import cache
from itertools import accumulate
from typing import Any, Final

from misread.normalize.steps.characters import CharacterTable
from misread.normalize.steps.white_space import bind_white_space

_PRIVATE_USE: Final = re.compile("[\ue000-\uf8ff]")
_UNWANTED: Final = ("M", "P", "Z", "S", "Cc", "Cf")


def segment_words(text: str) -> str:
    """Write a space between the words of Unicode's default rules, and leave out those without a letter or digit.

    A character for private use counts as a letter. Unicode Standard Annex #29, word boundaries; so does dinglehopper.

    >>> segment_words("Don't stop: 3.14 (or so)!")
    "Don't stop 3.14 or so"
    """
    # The boundaries are those of a text with letters in the place of private characters.
    shadow = _PRIVATE_USE.sub("a", text)
    parts = _boundaries().split(shadow)
    if shadow != text:
        ends = [*accumulate(map(len, parts))]
        parts = [text[end - len(part) : end] for part, end in zip(parts, ends, strict=True)]
    # The package keeps an apostrophe with the letters after it even where no letter is before it.
    words = (part.lstrip("'’") for part in parts)
    # Most words are letters and digits alone, which is found out soonest.
    return " ".join(
        word if word.isalnum() else bind_white_space(word).replace(" ", "")
        for word in words
        if word.isalnum() or word.translate(_TABLE)
    )


_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3041-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_SPACE_BETWEEN: Final = re.compile(f"(?<=[{_UNSPACED}]) +(?=[{_UNSPACED}])")


def join_unspaced(text: str) -> str:
    """Remove spaces between characters of scripts that are written without: Han, Kana, Thai, Lao, Khmer, Burmese.

    Punctuation that one text has and another has not leaves none where a space took its place.

    >>> join_unspaced("你好 世界 of 2024")
    '你好世界 of 2024'
    """
    return text if text.isascii() else _SPACE_BETWEEN.sub("", text)


@cache
def _boundaries() -> Any:
    import regex

    return regex.compile(r"\b", regex.V1 | regex.WORD)


def _has_content(character: str) -> str:
    return "" if unicodedata.category(character).startswith(_UNWANTED) else character


_TABLE: Final = CharacterTable(_has_content)
