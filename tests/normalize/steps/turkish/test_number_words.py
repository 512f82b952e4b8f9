import random

import pytest

from misread.normalize.steps.turkish.number_words import (
    MOST_DIGITS,
    digit_words,
    fraction_words,
    number_words,
    ordinal_words,
)

num2words = pytest.importorskip("num2words").num2words


def loses_a_one(number):
    """Where num2words is wrong: it says 101,001 as 100,001, though not behind a million."""
    return 100_000 < number < 1_000_000 and number // 1000 % 10 == 1 and number % 1000 > 0


def structured_numbers():
    """All numbers to 1,100, and every pattern of groups of three with the digits that words are made of."""
    groups = [0, 1, 2, 9, 10, 11, 20, 99, 100, 101, 110, 111, 200, 999]
    return {*range(1101), *(a * 10**6 + b * 1000 + c for a in groups for b in groups for c in groups)}


def test_words_are_those_of_num2words_but_for_the_spaces():
    drawn = random.Random(1)  # noqa: S311
    numbers = structured_numbers() | {drawn.randrange(10**9) for _ in range(3000)}
    for number in numbers:
        oracle = num2words(number, lang="tr")
        if loses_a_one(number):
            oracle = num2words(number + 10**6, lang="tr").removeprefix("birmilyon")
        assert "".join(number_words(number)) == oracle, number


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "sıfır"),
        (100, "yüz"),
        (1000, "bin"),
        (1_000_000, "bir milyon"),
        (1001, "bin bir"),
        (2000, "iki bin"),
        (42, "kırk iki"),
        (999_999_999, "dokuz yüz doksan dokuz milyon dokuz yüz doksan dokuz bin dokuz yüz doksan dokuz"),
        (-7, "eksi yedi"),
    ],
)
def test_words_stand_apart(number, words):
    assert " ".join(number_words(number)) == words


def test_ordinals_to_a_thousand_are_the_cardinal_with_a_harmonic_ending():
    """By the rule of the grammar: of the last word, whose forms are only these."""
    endings = {
        "bir": "birinci",
        "iki": "ikinci",
        "üç": "üçüncü",
        "dört": "dördüncü",
        "beş": "beşinci",
        "altı": "altıncı",
        "yedi": "yedinci",
        "sekiz": "sekizinci",
        "dokuz": "dokuzuncu",
        "on": "onuncu",
        "yirmi": "yirminci",
        "otuz": "otuzuncu",
        "kırk": "kırkıncı",
        "elli": "ellinci",
        "altmış": "altmışıncı",
        "yetmiş": "yetmişinci",
        "seksen": "sekseninci",
        "doksan": "doksanıncı",
        "yüz": "yüzüncü",
        "bin": "bininci",
        "sıfır": "sıfırıncı",
    }
    for number in range(1001):
        *words, last = number_words(number)
        assert ordinal_words(number) == [*words, endings[last]]
        if number:
            assert "".join(ordinal_words(number)) == num2words(number, lang="tr", to="ordinal")


@pytest.mark.parametrize(
    ("digits", "words"), [("5", "beş"), ("05", "sıfır beş"), ("50", "elli"), ("000", "sıfır sıfır sıfır")]
)
def test_leading_zeros_of_decimals_are_said(digits, words):
    assert " ".join(fraction_words(digits)) == words


def test_a_number_longer_than_its_words_is_read_digit_by_digit():
    assert len(number_words(10 ** (MOST_DIGITS - 1))) > 1
    assert number_words(10**MOST_DIGITS) == digit_words("1" + "0" * MOST_DIGITS)
