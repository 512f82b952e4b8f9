"""Steps on spacing as other tools have it."""

import re
from typing import Final

from misread.text.words import WHITE_SPACE

_INSIDE: Final = "".join(character for character in WHITE_SPACE if character != "\n")
_BLANKS: Final = re.compile(f"[{_INSIDE}]+")
_EDGES: Final = re.compile(r" ?\n ?")
_BLANK_LINES: Final = re.compile(r"\n{2,}")
# Characters that no text has: private use, plane 16. Each white space gets one of its own.
_BOUND: Final = {ord(character): 0x10FF00 + place for place, character in enumerate(WHITE_SPACE) if character != " "}


def strip_ends(text: str) -> str:
    r"""Remove white space at both ends, and leave it inside as it is.

    >>> strip_ends(" two  words\n")
    'two  words'
    """
    return text.strip()


def strip_lines(text: str) -> str:
    r"""Remove white space at both ends of every line, and the end of the last line; blank lines stay.

    >>> strip_lines(" a \n\nb\n")
    'a\n\nb'
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return "\n".join(line.strip() for line in lines)


def compress_spacing(text: str) -> str:
    r"""Collapse blanks within lines, and remove them at the ends of lines; remove blank lines.

    ISRI's tools do so before they compare; a line break at the end stays. Rice, Jenkins & Nartker (1996), The Fifth
    Annual Test of OCR Accuracy; ocreval, `text.c`.

    >>> compress_spacing(" two   words \n\n  more\n")
    'two words\nmore\n'
    """
    lines = _EDGES.sub("\n", _BLANKS.sub(" ", text).strip(" "))
    return _BLANK_LINES.sub("\n", lines).removeprefix("\n")


def bind_white_space(text: str) -> str:
    r"""Make white space other than the space a part of its word, for tools that divide words at spaces alone.

    Each such character becomes one that no text has, so that characters count as before.

    >>> len(bind_white_space("a\tb c").split()), len(bind_white_space("a\tb c"))
    (2, 5)
    """
    return text.translate(_BOUND)
