"""Steps on lines."""

import re

_BREAK = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")
_HYPHENATED = re.compile(r"(?<=\w)([-\u2010\u00ac\u00ad\u2e17])[ \t]{0,20}\r?\n[ \t]{0,20}(?=(\w))")


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

    Hyphens are -, \u2010, the not sign and the double hyphen of historical print, and the soft hyphen.

    >>> rejoin_hyphens("exam-\nple of Baden-\nBaden")
    'example of Baden-Baden'
    """
    return _HYPHENATED.sub(lambda found: "" if found[2].islower() else found[1], text)
