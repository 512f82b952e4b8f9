"""Turkish words for numbers and ordinals."""

from typing import Final

ZERO: Final = "sıfır"
_ONES: Final = ("", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz")
_TENS: Final = ("", "on", "yirmi", "otuz", "kırk", "elli", "altmış", "yetmiş", "seksen", "doksan")
# Groups of three digits from the right; the first has no word.
_GROUPS: Final = (
    *("", "bin", "milyon", "milyar", "trilyon", "katrilyon", "kentilyon", "sekstilyon", "septilyon", "oktilyon"),
    *("nonilyon", "desilyon"),
)
MOST_DIGITS: Final = 3 * len(_GROUPS)
"""Digits of the longest number that has a word; longer ones are read digit by digit."""

BACK: Final = "aıouâû"
VOWELS: Final = f"{BACK}eiöüêîô"
_ORDINAL_VOWELS: Final = {"a": "ı", "ı": "ı", "o": "u", "u": "u", "e": "i", "i": "i", "ö": "ü", "ü": "ü"}


def number_words(number: int) -> list[str]:
    """Words of a whole number: thousand is "bin" and not "bir bin", and one hundred "yüz".

    >>> " ".join(number_words(1942)), " ".join(number_words(21000))
    ('bin dokuz yüz kırk iki', 'yirmi bir bin')
    """
    if number < 0:
        return ["eksi", *number_words(-number)]
    if number == 0:
        return [ZERO]
    digits = str(number)
    if len(digits) > MOST_DIGITS:
        return digit_words(digits)
    words: list[str] = []
    for group in range((len(digits) - 1) // 3, -1, -1):
        value = number // 1000**group % 1000
        if value == 0:
            continue
        hundreds, tens, ones = value // 100, value // 10 % 10, value % 10
        spoken = [_ONES[hundreds] if hundreds > 1 else "", "yüz" if hundreds else "", _TENS[tens], _ONES[ones]]
        if group == 1 and value == 1:
            spoken = []
        words += [word for word in (*spoken, _GROUPS[group]) if word]
    return words


def digit_words(digits: str) -> list[str]:
    """Words of digits one by one.

    >>> digit_words("007")
    ['sıfır', 'sıfır', 'yedi']
    """
    return [_ONES[int(digit)] or ZERO for digit in digits]


def fraction_words(digits: str) -> list[str]:
    """Words of the digits behind a decimal comma: leading zeros one by one, the rest as a number.

    >>> fraction_words("05"), fraction_words("14"), fraction_words("0")
    (['sıfır', 'beş'], ['on', 'dört'], ['sıfır'])
    """
    rest = digits.lstrip("0")
    zeros = digit_words(digits[: len(digits) - len(rest)])
    return [*zeros, *number_words(int(rest))] if rest and len(rest) <= MOST_DIGITS else [*zeros, *digit_words(rest)]


def ordinal_words(number: int) -> list[str]:
    """Words of an ordinal; the ending follows the last vowel.

    >>> " ".join(ordinal_words(3)), " ".join(ordinal_words(44)), " ".join(ordinal_words(1006))
    ('üçüncü', 'kırk dördüncü', 'bin altıncı')
    """
    *words, last = number_words(number)
    vowel = next(letter for letter in reversed(last) if letter in _ORDINAL_VOWELS)
    harmonic = _ORDINAL_VOWELS[vowel]
    # The t of dört is voiced before a vowel.
    stem = "dörd" if last == "dört" else last
    return [*words, f"{stem}nc{harmonic}" if last[-1] in VOWELS else f"{stem}{harmonic}nc{harmonic}"]
