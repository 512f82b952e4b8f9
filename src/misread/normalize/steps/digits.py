"""Steps on digits."""

import unicodedata

from misread.normalize.steps.characters import CharacterTable

_DIGITS = CharacterTable(lambda character: str(unicodedata.decimal(character, character)))


def latin_digits(text: str) -> str:
    """Write the decimal digits of all scripts as 0 to 9.

    >>> latin_digits("٢٠٢٤, १२")
    '2024, 12'
    """
    return text if text.isascii() else text.translate(_DIGITS)
