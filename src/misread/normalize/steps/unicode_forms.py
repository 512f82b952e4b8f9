"""Steps on Unicode normalization forms (UAX #15)."""

import unicodedata
from itertools import groupby

_LONGEST_RUN = 30


def nfc(text: str) -> str:
    """Compose: canonically equivalent texts become equal, letters with their marks one character.

    >>> nfc("Mu\u0308ll") == "M\u00fcll"
    True
    """
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", _sort_marks(text))


def nfd(text: str) -> str:
    """Decompose: canonically equivalent texts become equal, marks stand behind their letters.

    >>> len(nfd("M\u00fcll"))
    5
    """
    return text if unicodedata.is_normalized("NFD", text) else unicodedata.normalize("NFD", _sort_marks(text))


def nfkc(text: str) -> str:
    """Compose, and replace compatible characters: ligatures, full-width forms, superscripts, circled digits.

    >>> nfkc("ﬁne ２３ ①")
    'fine 23 1'
    """
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", _sort_marks(text))


def _sort_marks(text: str) -> str:
    """Marks in the order of their classes where very many stand behind one letter, which Python would sort slowly.

    No text of a language has so many (UAX #15, stream-safe text); the result is canonically equivalent.
    """
    if len(text) <= _LONGEST_RUN:
        return text
    parts: list[str] = []
    for is_mark, run in groupby(text, lambda character: unicodedata.combining(character) > 0):
        characters = list(run)
        if is_mark and len(characters) > _LONGEST_RUN:
            characters.sort(key=unicodedata.combining)
        parts += characters
    return "".join(parts)
