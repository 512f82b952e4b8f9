import re
import sys
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import split_words
from misread.alignment.encode import encode_pairs
from misread.errors import InputTextError, UnknownNameError

WHITE_SPACE = [
    *range(0x0009, 0x000E), 0x0020, 0x0085, 0x00A0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F,
    0x3000,
]  # fmt: skip


def codes_of(encoded):
    ends = encoded.offsets.tolist()
    return [encoded.codes[start:end].tolist() for start, end in pairwise(ends)]


def test_white_space_is_the_unicode_property_and_nothing_else():
    separating = [code for code in range(sys.maxunicode + 1) if split_words(f"a{chr(code)}b") == ["a", "b"]]
    assert separating == WHITE_SPACE


@pytest.mark.parametrize("separator", ["\x1c", "\x1d", "\x1e", "\x1f", "\u200b", "\ufeff", "\0"])
def test_control_and_zero_width_characters_stay_inside_words(separator):
    assert split_words(f"a{separator}b c") == [f"a{separator}b", "c"]


@pytest.mark.parametrize("text", ["", " ", "\u3000\n\t"])
def test_a_text_of_white_space_has_no_words(text):
    assert split_words(text) == []


@given(st.text(st.sampled_from("ab \x1c\x1f\u00a0\u3000\n")))
def test_words_are_maximal_runs(text):
    blank = "".join(map(chr, WHITE_SPACE))
    assert split_words(text) == [word for word in re.split(f"[{blank}]", text) if word]


def test_characters_are_code_points_of_every_width():
    pairs = encode_pairs(["aé", "", "漢😀"], ["\0", "\U0010ffff", ""], "char")
    assert codes_of(pairs.references) == [[0x61, 0xE9], [], [0x6F22, 0x1F600]]
    assert codes_of(pairs.hypotheses) == [[0], [0x10FFFF], []]


def test_characters_are_not_normalized():
    composed, decomposed = "ü", unicodedata.normalize("NFD", "ü")
    pairs = encode_pairs([composed], [decomposed], "char")
    assert (pairs.references.codes.size, pairs.hypotheses.codes.size) == (1, 2)


@given(st.lists(st.text(st.sampled_from("ab \u00a0é漢")), max_size=8), st.lists(st.text(), max_size=8))
def test_words_have_one_code_exactly_when_they_are_equal(references, hypotheses):
    pairs = encode_pairs(references, hypotheses, "word")
    words = [split_words(text) for text in (*references, *hypotheses)]
    codes = codes_of(pairs.references) + codes_of(pairs.hypotheses)
    assert [len(text) for text in words] == [len(text) for text in codes]
    together = {
        (word, code)
        for text, numbers in zip(words, codes, strict=True)
        for word, code in zip(text, numbers, strict=True)
    }
    assert len(together) == len({word for word, _ in together}) == len({code for _, code in together})


def test_every_code_is_below_the_size_of_the_alphabet():
    pairs = encode_pairs(["a b a"], ["c b"], "word")
    assert pairs.alphabet_size == 3
    assert pairs.references.codes.tolist() == [0, 1, 0]
    assert pairs.hypotheses.codes.tolist() == [2, 1]


def test_one_text_with_a_separator_does_not_change_how_the_others_are_split():
    assert encode_pairs(["a b", "a\x1cb c"], ["", ""], "word").references.offsets.tolist() == [0, 2, 4]


@pytest.mark.parametrize("unit", ["char", "word"])
def test_no_texts_have_no_codes(unit):
    pairs = encode_pairs([], [], unit)
    assert pairs.references.codes.size == 0
    assert pairs.hypotheses.offsets.tolist() == [0]


@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("entry", ["\ud800", "ab\udfff"])
def test_a_lone_surrogate_is_an_error_that_names_the_pair(unit, entry):
    with pytest.raises(InputTextError, match=r"^hypothesis 2 holds U\+D[8-F]"):
        encode_pairs(["a", "", "b"], ["abc", "", entry], unit)


@pytest.mark.parametrize("unit", ["char", "word"])
def test_none_among_the_strings_is_an_error_that_names_the_pair(unit):
    with pytest.raises(InputTextError, match=r"^reference 1 is None where a string is needed\.$"):
        encode_pairs(["a", None], ["b", "c"], unit)


@pytest.mark.parametrize(("entry", "shown"), [(3, r"3 \(int\)"), (float("nan"), r"nan \(float\)"), (b"a", "bytes")])
def test_anything_but_a_string_is_an_error_that_names_its_type(entry, shown):
    with pytest.raises(InputTextError, match=f"^hypothesis 0 is .*{shown}"):
        encode_pairs(["a"], [entry], "char")


def test_an_unknown_unit_is_an_error_that_names_the_choices():
    with pytest.raises(UnknownNameError, match=r"unknown unit 'words'.*There are: char, grapheme, word"):
        encode_pairs(["a"], ["a"], "words")
