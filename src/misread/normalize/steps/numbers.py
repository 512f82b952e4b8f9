"""Steps that write numbers in words."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any, Final

from misread.errors import MissingDependencyError, UnknownNameError

_NUMBER: Final = re.compile(r"(?<![\w.,])-?[0-9]{1,24}(?:[.,][0-9]{1,9})?(?![\w]|[.,][0-9])")
# Languages that write a comma before the decimals.
_POINT: Final = frozenset(("en", "he", "ja", "ko", "th", "hi", "zh"))


def spell_numbers(text: str, *, language: str) -> str:
    """Write numbers in the words of a language, by the package num2words; for Turkish see `spell_turkish_numbers`.

    >>> spell_numbers("42 Zeilen", language="de")
    'zweiundvierzig Zeilen'
    """
    _package(language)

    def spell(found: re.Match[str]) -> str:
        return _spell(found[0], language)

    return _NUMBER.sub(spell, text)


@lru_cache(maxsize=1 << 16)
def _spell(digits: str, language: str) -> str:
    decimal = "." if language[:2] in _POINT else ","
    if ("," in digits or "." in digits) and decimal not in digits:
        return digits
    converter = _package(language)
    decimals = digits.replace(",", ".")
    return str(converter.to_cardinal(float(decimals) if "." in decimals else int(decimals)))


@cache
def _package(language: str) -> Any:
    try:
        from num2words import CONVERTER_CLASSES
    except ImportError:
        raise MissingDependencyError("number words need num2words: pip install 'misread[normalize]'.") from None
    if language not in CONVERTER_CLASSES:
        raise UnknownNameError("language of number words", language, sorted(CONVERTER_CLASSES))
    return CONVERTER_CLASSES[language]
