"""Steps on white space, as misread and as other tools have it, on lines, and on characters that cannot be seen."""

import re
from collections.abc import Collection
from typing import Final

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


_INSIDE: Final = "".join(character for character in WHITE_SPACE if character != "\n")
_BLANKS: Final = re.compile(f"[{_INSIDE}]+")
_EDGES: Final = re.compile(r" ?\n ?")
_BLANK_LINES: Final = re.compile(r"\n{2,}")
# Characters that no text has: private use, plane 16. Each white space gets one of its own.
_BOUND: Final = {ord(character): 0x10FF00 + index for index, character in enumerate(WHITE_SPACE) if character != " "}


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


_BREAK = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
# = is a double hyphen only within a word: two letters on both sides, the next one lower-case.
_HYPHENATED = re.compile(
    r"(?:(?<=\w)([-\u2010\u00ac\u00ad\u2e17\u2e40])|(?<=[^\W\d_]{2})=(?=\s+[^\W\d_]{2}))"
    r"[ \t]{0,20}\r?\n[ \t]{0,20}(?=(\w))"
)
# Signs of a line's end alone; within a line they are hyphens.
_AT_ENDS_ONLY = "\u00ac\u00ad"


def join_lines(text: str, *, separator: str = " ") -> str:
    r"""Put a separator in the place of every line break and the blanks around it.

    >>> join_lines("two \nlines")
    'two lines'
    """
    first, *others = _BREAK.split(text)
    if not others:
        return text
    return separator.join([first.rstrip(" \t"), *(line.strip(" \t") for line in others[:-1]), others[-1].lstrip(" \t")])


def rejoin_hyphens(text: str) -> str:
    r"""Join words that are divided at the end of a line; the hyphen stays before a capital or digit, as in "A-\nB".

    Hyphens are -, \u2010, the not sign, the soft hyphen, and the double hyphens of historical print. These are also
    transcribed as =, which is a hyphen between two letters and two more, the first lower-case: no formula is joined.

    >>> rejoin_hyphens("exam-\nple of Baden-\nBaden, Mül=\nler")
    'example of Baden-Baden, Müller'
    """
    return _HYPHENATED.sub(_joined, text)


def _joined(match: re.Match[str]) -> str:
    if match[2].islower():
        return ""
    if match[1] is None:
        return match[0]
    return "-" if match[1] in _AT_ENDS_ONLY else match[1]


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
    # Variation selectors are printable.
    if text.isascii() and text.isprintable():
        return text
    return (_INVISIBLE_OR_JOINER if joiners else _INVISIBLE).sub("", text)
