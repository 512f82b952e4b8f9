"""Steps that write numbers in words."""

from __future__ import annotations

import re
from copy import copy
from functools import cache, lru_cache
from typing import Any, Final

from misread.errors import MissingDependencyError, UnknownNameError

_DIGITS: Final = 24
_ABOVE: Final = 10**_DIGITS
_NUMBER: Final = re.compile(rf"(?<![\w.,])-?[0-9]{{1,{_DIGITS}}}(?:[.,][0-9]{{1,9}})?(?![\w]|[.,][0-9])")
# Amharic fails on 12345 and never ends on some larger numbers (0.5.14).
_BROKEN: Final = {"am"}
# Languages that write a comma before the decimals.
_POINT: Final = frozenset(("en", "he", "ja", "ko", "th", "hi", "zh"))


def spell_numbers(text: str, *, language: str) -> str:
    """Write numbers in the words of a language, by the package num2words; for Turkish see `spell_turkish_numbers`.

    Numbers that the package has no words for in that language stay as they are.

    >>> spell_numbers("42 Zeilen", language="de")
    'zweiundvierzig Zeilen'
    """
    _package(language)

    def spell(match: re.Match[str]) -> str:
        return _spell(match[0], language)

    return _NUMBER.sub(spell, text)


@lru_cache(maxsize=1 << 16)
def _spell(digits: str, language: str) -> str:
    decimal = "." if language[:2] in _POINT else ","
    if ("," in digits or "." in digits) and decimal not in digits:
        return digits
    converter = _package(language)
    decimals = digits.replace(",", ".")
    try:
        return str(converter.to_cardinal(float(decimals) if "." in decimals else int(decimals)))
    except (ArithmeticError, LookupError, TypeError, ValueError):
        # Too large, or one of the decimals that the package fails on, as it does in Hungarian.
        return digits


@cache
def _package(language: str) -> Any:
    try:
        from num2words import CONVERTER_CLASSES
    except ImportError:
        raise MissingDependencyError("number words need num2words: pip install 'misread[normalize]'.") from None
    known = sorted(CONVERTER_CLASSES.keys() - _BROKEN)
    if language not in known:
        raise UnknownNameError("language of number words", language, known)
    converter = copy(CONVERTER_CLASSES[language])
    if cards := getattr(converter, "cards", None):
        # For every part of a number the package looks at each word up to 10^600, from above: that is most of its time.
        converter.cards = type(cards)((value, word) for value, word in cards.items() if value < _ABOVE)
    return converter
