"""Steps on Unicode normalization forms (UAX #15)."""

import re
import unicodedata
from itertools import groupby

_LONGEST_RUN = 30
# Accents with a space of their own go, with marks behind them, as do marks of Arabic and Kana behind other letters.
_ACCENTS = (
    "\u00a8\u00af\u00b4\u00b8\u02d8-\u02dd\u037a\u0384\u0385\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed\u1fee"
    "\u1ffd\u1ffe\u2017\u203e\ufe49-\ufe4c\uffe3"
)
_ARABIC, _KANA = "\ufc5e-\ufc63\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e", "\u309b\u309c"
_LOOSE_MARKS = re.compile(
    f"[{_ACCENTS}][{_ACCENTS}\u0300-\u036f]*|(?<![\u0620-\u06ff\ufb50-\ufefc])[{_ARABIC}]+|(?<![\u3041-\u30ff])[{_KANA}]+"
)
_LONE_MARKS = re.compile(f"[{_ARABIC}{_KANA}]+")


def nfc(text: str) -> str:
    """Compose: canonically equivalent texts become equal, letters with their marks one character.

    >>> nfc("Mu\u0308ll") == "M\u00fcll"
    True
    """
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", _sort_marks(text))


def nfd(text: str) -> str:
    """Decompose: canonically equivalent texts become equal, marks follow their letters.

    >>> len(nfd("M\u00fcll"))
    5
    """
    return text if unicodedata.is_normalized("NFD", text) else unicodedata.normalize("NFD", _sort_marks(text))


def nfkc(text: str) -> str:
    """Compose, and replace compatible characters: ligatures, full-width forms, superscripts, circled digits.

    Marks of Arabic and Kana without a letter become marks of the letter before; other accents without one go.

    >>> nfkc("ﬁne ２３ ① ¨")
    'fine 23 1 '
    """
    if unicodedata.is_normalized("NFKC", text):
        return text
    text = _LONE_MARKS.sub(_attach, _LOOSE_MARKS.sub("", text))
    return unicodedata.normalize("NFKC", _sort_marks(text))


def _attach(marks: re.Match[str]) -> str:
    return unicodedata.normalize("NFKD", marks[0]).replace(" ", "")


def _sort_marks(text: str) -> str:
    """Marks in the order of their classes where very many follow one letter, which Python would sort slowly.

    No text of a language has runs of this length (UAX #15, stream-safe text); the result is canonically equivalent.
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
