"""Steps on white space."""

import re
from collections.abc import Collection

from misread.text.words import WHITE_SPACE

_RUN_OF_WHITE_SPACE = re.compile(f"[{re.escape(WHITE_SPACE)}]+")
# None of these occurs in collapsed texts that are joined by line feeds, with one at both ends.
_LOOSE_WHITE_SPACE = ("  ", " \n", "\n ", *(character for character in WHITE_SPACE if character not in " \n"))


def collapse_whitespace(text: str) -> str:
    r"""Strip both ends and turn every run of white space (Unicode White_Space, line breaks too) into one space.

    >>> collapse_whitespace(" two \n words\u3000")
    'two words'
    """
    if text.isprintable() and "  " not in text:
        # The space is the only printable white space, so only the ends are left to strip, as in most texts.
        return text.strip(" ")
    return _RUN_OF_WHITE_SPACE.sub(" ", text).strip(" ")


def is_collapsed(texts: Collection[str]) -> bool:
    """Whether `collapse_whitespace` changes none of these texts; one scan of all of them."""
    lines = "\n".join(["", *texts, ""])
    return lines.count("\n") == len(texts) + 1 and not any(loose in lines for loose in _LOOSE_WHITE_SPACE)
