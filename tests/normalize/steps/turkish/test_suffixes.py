import pytest

from misread.normalize.steps.turkish.suffixes import add_suffix, join_suffixes


@pytest.mark.parametrize(
    ("word", "suffix", "expected"),
    [
        ("dolar", "e", "dolara"),
        ("avro", "ye", "avroya"),
        ("avro", "nun", "avronun"),
        ("lira", "ye", "liraya"),
        ("sterlin", "dan", "sterlinden"),
        ("sent", "de", "sentte"),
        ("kilometre", "ye", "kilometreye"),
        ("kilogram", "lik", "kilogramlık"),
        ("metreküp", "lük", "metreküplük"),
        ("dolar", "lık", "dolarlık"),
        ("dolar", "", "dolar"),
        ("dolar", "LIK", "dolarlık"),
    ],
)
def test_a_suffix_follows_the_word_that_it_stands_at(word, suffix, expected):
    assert add_suffix(word, suffix) == expected


def test_only_an_apostrophe_before_a_suffix_goes():
    assert join_suffixes("'Ali'nin 5'i' o' 'a") == "'Alinin 5i' o' 'a"
