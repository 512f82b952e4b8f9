import random
from copy import copy
from decimal import Decimal

import pytest

from misread.errors import UnknownNameError
from misread.normalize.steps.numbers import spell_numbers

num2words = pytest.importorskip("num2words")
LANGUAGES = sorted(num2words.CONVERTER_CLASSES.keys() - {"am"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_of_the_package_and_what_it_cannot_say_stays(language):
    for digits in (1, 2, 5, 9, 13):
        number = int("738290516473829105647382"[:digits])
        try:
            expected = str(copy(num2words.CONVERTER_CLASSES[language]).to_cardinal(number))
        except OverflowError:
            expected = str(number)
        assert spell_numbers(str(number), language=language) == expected


def decimal(text, language):
    """A number with the decimal mark of a language."""
    return text if language[:2] in ("en", "he", "ja", "ko", "th", "hi", "zh") else text.replace(".", ",")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_different_numbers_have_the_same_words(language):
    draw = random.Random(5)  # noqa: S311  numbers to try, not secrets
    numbers = [
        *map(str, range(120)),
        *map(str, range(980, 1130)),
        "2.05",
        "2.5",
        "2.005",
        "12.5",
        "12.05",
        "9007199254740993.5",
        "9007199254740992.5",
    ]
    numbers += [str(draw.randrange(10**digits)) for digits in range(4, 23) for _ in range(9)]
    numbers += [str(10**digits + more) for digits in range(4, 20) for more in (0, 1, 10, 1000)]
    numbers += [
        f"{draw.randrange(200)}.{draw.randrange(10**digits):0{digits}}" for digits in (1, 2, 3, 6) for _ in range(50)
    ]
    spelled = {}
    for number in numbers:
        for signed in (number, f"-{number}"):
            words = spell_numbers(decimal(signed, language), language=language)
            assert spelled.setdefault(words, Decimal(signed)) == Decimal(signed), (words, signed)


@pytest.mark.parametrize("language", ["ar", "bn", "fa", "tr", "vi"])
def test_decimals_stay_where_the_package_loses_zeros_or_rounds(language):
    for number in ("2,05", "2,5", "0,1", "2,095"):
        assert spell_numbers(f"{number} {7}", language=language) == f"{number} {spell_numbers('7', language=language)}"


@pytest.mark.parametrize("language", ["de", "en", "fr", "hu", "ru", "th"])
def test_decimals_of_other_languages_have_words(language):
    assert not any(map(str.isdigit, spell_numbers(decimal("2.05", language), language=language)))


def test_a_decimal_that_the_package_fails_on_stays():
    assert spell_numbers("1,0001 és 2", language="hu") == "1,0001 és kettő"


def test_a_language_whose_rules_never_end_is_not_offered():
    with pytest.raises(UnknownNameError, match="unknown language of number words 'am'"):
        spell_numbers("1", language="am")
