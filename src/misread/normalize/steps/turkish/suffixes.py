"""Suffixes of Turkish words by vowel harmony, and the apostrophe before them."""

import re
from typing import Final

from misread.normalize.steps.turkish.number_words import BACK, VOWELS

_ROUND: Final = "ouöüôû"
_VOICELESS: Final = "çfhkpsşt"
_LOW: Final = "ae"
_HIGH: Final = "ıiuü"
_SUFFIX: Final = re.compile(r"(?<=\w)'(?=[^\W\d_])")
# Cases, possessives and plurals of numbers, -li and -lik, and -er of shares.
_ENDING: Final = re.compile(
    r"(?:l[ae]r)?(?:y?[ıiuüae]|n?[ıiuü]n|s?[ıiuü](?:n(?:[ıiuü]n?|[ae]|d[ae]n?))?|[dt][ae](?:n|ki)?|y?l[ae])?"
    r"|l[ıiuü]k?|ş?[ae]r"
)
# The last consonant is voiced before a vowel.
_VOICED: Final = {"dört": "dörd", "buçuk": "buçuğ"}


def join_suffixes(text: str) -> str:
    """Remove the apostrophe between a name or number and its suffix.

    >>> join_suffixes("İstanbul'da, Ali'nin")
    'İstanbulda, Alinin'
    """
    return _SUFFIX.sub("", text) if "'" in text else text


def add_suffix(word: str, suffix: str) -> str:
    """Add a suffix that was written for another word: its vowels, buffer letter and d or t follow this one.

    A text that is not made of vowels and suffix consonants alone, as in a foreign word, is added as it is.

    >>> add_suffix("dolar", "ye"), add_suffix("lira", "den"), add_suffix("yüzde", "si"), add_suffix("kilometre", "lik")
    ('dolara', 'liradan', 'yüzdesi', 'kilometrelik')
    """
    if not suffix:
        return word
    suffix = suffix.translate(_LOWER).lower()
    vowels = [letter for letter in word.translate(_LOWER).lower() if letter in VOWELS]
    if not vowels:
        return word + suffix
    ends_in_vowel = word[-1].lower() in VOWELS
    # A buffer letter occurs only between two vowels.
    core = suffix[1:] if suffix[0] in "yns" and suffix[1:2] and suffix[1] in VOWELS else suffix
    begins_with_vowel = core[0] in VOWELS
    if core != suffix or begins_with_vowel:
        suffix = f"{_buffer(suffix, core)}{core}" if ends_in_vowel and begins_with_vowel else core
    elif suffix[0] in "dt":
        suffix = ("t" if word[-1].lower() in _VOICELESS else "d") + suffix[1:]
    last, written = vowels[-1], []
    for position, letter in enumerate(suffix):
        # The i of -daki is the same behind all vowels.
        is_fixed = letter == "i" and suffix[:position].endswith(("ak", "ek"))
        if letter in _LOW:
            letter = "a" if last in BACK else "e"
        elif letter in _HIGH and not is_fixed:
            is_back, is_round = last in BACK, last in _ROUND
            letter = ("u" if is_round else "ı") if is_back else ("ü" if is_round else "i")
        if letter in VOWELS:
            last = letter
        written.append(letter)
    ending = "".join(written)
    return voiced(word, ending) + ending


def is_suffix_of(word: str, letters: str) -> bool:
    """Whether letters after a number without an apostrophe are a suffix of its last word, by vowel harmony.

    >>> is_suffix_of("sekiz", "i"), is_suffix_of("yedi", "yi"), is_suffix_of("beş", "a"), is_suffix_of("beş", "c")
    (True, True, False, False)
    """
    return _ENDING.fullmatch(letters) is not None and add_suffix(word, letters) == voiced(word, letters) + letters


def voiced(word: str, following: str) -> str:
    """A word as it is before the letters that follow: dört is dörd before a vowel.

    >>> voiced("dört", "ü"), voiced("dört", "ten")
    ('dörd', 'dört')
    """
    return _VOICED.get(word, word) if following and following[0] in VOWELS else word


_LOWER: Final = str.maketrans({"I": "ı", "İ": "i"})


def _buffer(suffix: str, core: str) -> str:
    """The buffer letter of a suffix: its own, n in the genitive, and y otherwise."""
    if suffix != core:
        return suffix[0]
    return "n" if core[-1] == "n" and core[0] in _HIGH and len(core) == 2 else "y"
