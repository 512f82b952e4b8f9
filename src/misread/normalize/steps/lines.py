"""Steps on lines."""

import re

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


def _joined(found: re.Match[str]) -> str:
    if found[2].islower():
        return ""
    if found[1] is None:
        return found[0]
    return "-" if found[1] in _AT_ENDS_ONLY else found[1]
