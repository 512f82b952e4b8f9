import pytest

from misread.errors import UnknownNameError
from misread.normalize.steps.numbers import spell_numbers

num2words = pytest.importorskip("num2words")
LANGUAGES = sorted(num2words.CONVERTER_CLASSES.keys() - {"am"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_those_of_the_package_and_what_it_cannot_say_stays(language):
    for digits in (1, 2, 5, 9, 13, 18, 24):
        number = int("738290516473829105647382"[:digits])
        try:
            expected = str(num2words.CONVERTER_CLASSES[language].to_cardinal(number))
        except OverflowError:
            expected = str(number)
        assert spell_numbers(str(number), language=language) == expected


def test_a_decimal_that_the_package_fails_on_stays():
    assert spell_numbers("1,0001 és 2", language="hu") == "1,0001 és kettő"


def test_a_language_whose_rules_never_end_is_not_offered():
    with pytest.raises(UnknownNameError, match="unknown language of number words 'am'"):
        spell_numbers("1", language="am")
