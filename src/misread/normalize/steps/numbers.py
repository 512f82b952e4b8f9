"""Steps that write numbers in words."""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache, lru_cache
from typing import Any, Final

from misread.errors import MissingDependencyError, UnknownNameError

_DIGITS: Final = 24
_ABOVE: Final = 10**_DIGITS
_NUMBER: Final = re.compile(rf"(?<![\w.,])-?[0-9]{{1,{_DIGITS}}}(?:[.,][0-9]{{1,9}})?(?![\w]|[.,][0-9])")
# Amharic fails on 12345 and never ends on some larger numbers (0.5.14).
_BROKEN: Final = {"am"}
# Digits that a float keeps.
_EXACT: Final = 15
_DECIMALS: Final = tuple(f"0.{number:03}" for number in range(1, 1000))
_SIGNED: Final = tuple(map(str, range(-99, 100)))
# Languages that write a comma before the decimals.
_POINT: Final = frozenset(("en", "he", "ja", "ko", "th", "hi", "zh"))


def spell_numbers(text: str, *, language: str) -> str:
    """Write numbers in the words of a language, by the package num2words; for Turkish see `spell_turkish_numbers`.

    Numbers stay as they are where the package has no words for them in that language, or the words of another number,
    as of decimals in Arabic, Bengali, Persian, Turkish and Vietnamese.

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
    if ("," in digits or "." in digits) and (decimal not in digits or not _tells_apart(_DECIMALS, language)):
        return digits
    if digits.startswith("-") and not _tells_apart(_SIGNED, language):
        return digits
    plain = digits.replace(",", ".")
    words = _say(plain, language)
    if words is None or any(_say(other, language) == words for other in _smaller(plain)):
        return digits
    return words


def _say(digits: str, language: str) -> str | None:
    """Words of the package for a number; None where it has none, or would round it."""
    if "." in digits and len(digits.strip("-0").replace(".", "")) > _EXACT:
        return None
    try:
        # A converter of its own: in some languages it keeps something of the number before.
        return str(copy(_package(language)).to_cardinal(float(digits) if "." in digits else int(digits))) or None
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError):
        # Too large, or one of the decimals that the package fails on, as it does in Hungarian.
        return None


def _smaller(digits: str) -> Iterator[str]:
    """Other numbers that some languages of the package say alike.

    They lack the sign or a zero, have 0 for another digit, or a digit moved by a thousand.
    """
    if digits.startswith("-") and digits.strip("-0."):
        yield digits[1:]
    for position, digit in enumerate(digits):
        before, after = digits[:position], digits[position + 1 :]
        if digit in "123456789":
            yield f"{before}0{after}"
            if after[2:3] == "0":
                yield f"{before}0{after[:2]}{digit}{after[3:]}"
        elif digit == "0" and before.strip("-") and not before.endswith("0") and "." not in digits:
            yield before + after


@cache
def _tells_apart(numbers: Sequence[str], language: str) -> bool:
    """Whether a language has words of its own for each number: in some the package loses zeros or signs, or rounds."""
    words = [_say(number, language) for number in numbers]
    return len({*words}) == len(words)


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
