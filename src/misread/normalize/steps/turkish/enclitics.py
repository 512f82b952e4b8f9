"""Turkish words that are written apart or as suffixes: ile, ise and iken."""

import re
from typing import Final

from misread.normalize.steps.turkish.number_words import BACK, VOWELS

_ENCLITIC: Final = re.compile(r"(?<![^\W\d_])([^\W\d_]++)[^\S\r\n]++[iİ](?:([lLsS])[eE]|([kK][eE][nN]))(?!\w)")
# Their l or t is that of front vowels.
_FRONT: Final = frozenset(
    {
        *("alkol", "dikkat", "futbol", "gol", "hal", "harf", "hayal", "ihtimal", "kabul", "kontrol", "meşgul"),
        *("petrol", "rol", "saat", "sembol", "usul"),
    }
)


def join_turkish_enclitics(text: str) -> str:
    """Write ile, ise and iken as suffixes of the word before them, by vowel harmony.

    >>> join_turkish_enclitics("araba ile, kalem ile; hasta ise, gelir iken")
    'arabayla, kalemle; hastaysa, gelirken'
    """
    return _ENCLITIC.sub(_join, text)


def _join(match: re.Match[str]) -> str:
    word, consonant, is_while = match.groups()
    letters = word.translate(_LOWER).lower()
    vowels = [letter for letter in letters if letter in VOWELS]
    if not vowels:
        # A letter or an abbreviation, which is said otherwise than it is written.
        return match[0]
    buffer = "y" if letters[-1] in VOWELS else ""
    if is_while:
        # Its vowel is the same behind all others.
        return f"{word}{buffer}ken"
    is_back = vowels[-1] in BACK and letters not in _FRONT
    return f"{word}{buffer}{consonant.lower()}{'a' if is_back else 'e'}"


_LOWER: Final = str.maketrans({"I": "ı", "İ": "i"})
