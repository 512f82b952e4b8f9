"""Steps on characters that cannot be seen."""

import re

_JOINERS = "\u200c\u200d"
# Byte order marks, zero-width spaces, marks of direction, soft hyphens, variation selectors, tags, invisible operators.
_IGNORED = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff"
)
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
_INVISIBLE = re.compile(f"[{_IGNORED}{_CONTROLS}]+")
_INVISIBLE_OR_JOINER = re.compile(f"[{_IGNORED}{_CONTROLS}{_JOINERS}]+")


def remove_invisible(text: str, *, joiners: bool = False) -> str:
    """Remove what has no shape: byte order marks, zero-width spaces, marks of direction, soft hyphens, controls.

    White space stays. Joiners and non-joiners, which Persian and Indic scripts spell words with, go only with
    `joiners`. Unicode, property Default_Ignorable_Code_Point.

    >>> remove_invisible("\ufeffco\u00adop\u200b")
    'coop'
    """
    if text.isprintable():
        return text
    return (_INVISIBLE_OR_JOINER if joiners else _INVISIBLE).sub("", text)
