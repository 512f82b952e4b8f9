import re
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.alignment.encode.texts import encode_batches, encode_pairs
from misread.alignment.kernels import words
from misread.alignment.kernels.pairs import PADDING
from misread.errors import InputTextError, InputTypeError, UnknownNameError
from misread.text.words import split_words

WHITE_SPACE = [
    *range(0x0009, 0x000E), 0x0020, 0x0085, 0x00A0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F,
    0x3000,
]  # fmt: skip


words_of_a_text = st.lists(
    st.sampled_from(["a", "b", " ", "\u00a0", "é", "漢", "eight.characters", "\0", "😀"]), max_size=60
).map("".join)


def mix(word):
    """One step of a word's key, in Python's integers."""
    word = word * 0x9E3779B97F4A7C15 % 2**64
    return word ^ word >> 32


def numbers_of(reference, hypothesis, length):
    """Numbers of the words of one pair, from its characters."""
    span = np.array([[0, length]])
    numbers = [np.zeros(reference.size, np.uint8) for _ in range(2)]
    spans = words.number_words((reference, span, hypothesis, span), False, *numbers)
    return tuple(side[slice(*place[0])].tolist() for side, place in zip(numbers, spans[:2], strict=True))


def codes_of(encoded):
    return [encoded.codes[start:end].tolist() for start, end in encoded.spans.tolist()]


@pytest.mark.slow
def test_white_space_is_the_unicode_property_and_nothing_else():
    separating = []
    for start in range(0, sys.maxunicode + 1, 256):
        characters = [chr(code) for code in range(start, start + 256)]
        # One by one only where some of them separate.
        if len(split_words("a".join(["", *characters, ""]))) > 1:
            separating += [ord(character) for character in characters if split_words(f"a{character}b") == ["a", "b"]]
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
    assert (pairs.references.lengths.tolist(), pairs.hypotheses.lengths.tolist()) == ([1], [2])


@pytest.mark.parametrize(
    ("texts", "width"), [(["aÿ"], 1), (["aÿ", "Ā"], 2), (["a" * 5000 + "\uffff"], 2), (["a" * 5000 + "\U00010000"], 4)]
)
def test_codes_are_as_wide_as_the_widest_character_of_both_sides(texts, width):
    for references, hypotheses in ((texts, ["a"] * len(texts)), (["a"] * len(texts), texts)):
        pairs = encode_pairs(references, hypotheses, "char")
        assert (pairs.references.codes.itemsize, pairs.hypotheses.codes.itemsize) == (width, width)
        assert codes_of(pairs.references) == [list(map(ord, text)) for text in references]
        assert codes_of(pairs.hypotheses) == [list(map(ord, text)) for text in hypotheses]


@given(st.lists(st.text(st.sampled_from("a\0漢")), min_size=1, max_size=8))
def test_a_null_character_in_a_text_does_not_end_it(texts):
    assert codes_of(encode_pairs(texts, texts, "char").references) == [list(map(ord, text)) for text in texts]


def test_a_word_has_the_place_of_the_first_one_in_its_reference_that_equals_it():
    pairs = encode_pairs(["a b a"], ["b c a"], "word")
    assert (codes_of(pairs.references), codes_of(pairs.hypotheses)) == ([[1, 2, 1]], [[2, 0, 1]])


@settings(deadline=None)
@given(st.lists(st.tuples(words_of_a_text, words_of_a_text), max_size=8))
def test_words_of_a_pair_have_one_code_exactly_when_they_are_equal(texts):
    pairs = encode_pairs([pair[0] for pair in texts], [pair[1] for pair in texts], "word")
    encoded = zip(codes_of(pairs.references), codes_of(pairs.hypotheses), strict=True)
    for (reference, hypothesis), (reference_codes, hypothesis_codes) in zip(texts, encoded, strict=True):
        reference_words, hypothesis_words = split_words(reference), split_words(hypothesis)
        assert (len(reference_words), len(hypothesis_words)) == (len(reference_codes), len(hypothesis_codes))
        for word, code in zip(reference_words, reference_codes, strict=True):
            for other, other_code in zip(hypothesis_words, hypothesis_codes, strict=True):
                assert (word == other) == (code == other_code)


@pytest.mark.parametrize("before", [0, 100])
def test_words_that_share_a_key_are_still_different(before):
    # The key of 16 bytes is that of a first half and a second half, which can undo what the first one changed.
    first, other = b"a-long-w", b"another-"
    step = [mix(int.from_bytes(half, "little")) for half in (first, other)]
    word = first + b"ord-here"
    twin = other + (int.from_bytes(word[8:], "little") ^ step[0] ^ step[1]).to_bytes(8, "little")
    # A hundred words before them make it a case for the hash table.
    texts = [b"w " * before + reference + b" end" for reference in (word, twin)]
    codes = [np.frombuffer(text + bytes(PADDING), np.uint8) for text in texts]
    begin = 2 * before
    assert words.make_key(codes[0], begin, begin + 16) == words.make_key(codes[1], begin, begin + 16)
    numbered = [[1] * before + [number, before + 2] for number in (before + 1, 0)]
    assert numbers_of(*codes, len(texts[0])) == tuple(numbered)


@pytest.mark.parametrize("before", ["", "w " * 100])
def test_a_word_and_the_same_with_a_null_after_it_are_different(before):
    pairs = encode_pairs([f"{before}a a\0 a"], [f"{before}a\0 a \0"], "word")
    (reference,), (hypothesis,) = codes_of(pairs.references), codes_of(pairs.hypotheses)
    places = before.count("w")
    assert reference[places:] == [places + 1, places + 2, places + 1]
    assert hypothesis[places:] == [places + 2, places + 1, 0]


@settings(deadline=None)
@given(st.lists(st.tuples(words_of_a_text, words_of_a_text), max_size=8))
def test_words_that_are_left_out_are_a_common_prefix_and_suffix(texts):
    references, hypotheses = [pair[0] for pair in texts], [pair[1] for pair in texts]
    for batch, pairs in encode_batches(references, hypotheses, "word", without_ends=True):
        whole = encode_pairs(references[batch], hypotheses[batch], "word")
        for pair, shared in enumerate(pairs.shared.tolist()):
            reference, hypothesis = split_words(references[pair]), split_words(hypotheses[pair])
            left = len(reference) - shared, len(hypothesis) - shared
            assert left == (pairs.references.lengths[pair], pairs.hypotheses.lengths[pair])
            assert any(
                reference[:prefix] == hypothesis[:prefix]
                and reference[prefix + left[0] :] == hypothesis[prefix + left[1] :]
                for prefix in range(shared + 1)
            )
            assert (whole.references.lengths[pair], whole.shared[pair]) == (len(reference), 0)


def test_every_code_is_below_the_size_of_the_alphabet():
    pairs = encode_pairs(["a b a"], ["c b"], "word")
    assert pairs.alphabet_size > 2
    assert codes_of(pairs.references) == [[1, 2, 1]]
    assert codes_of(pairs.hypotheses) == [[0, 2]]


@pytest.mark.parametrize("length", [300, 70_000])
def test_words_are_numbered_with_as_many_bytes_as_they_need(length):
    text = " ".join(f"w{number}" for number in range(length))
    pairs = encode_pairs([text], [text], "word")
    assert codes_of(pairs.references) == codes_of(pairs.hypotheses) == [list(range(1, length + 1))]


def test_one_text_with_a_separator_does_not_change_how_the_others_are_split():
    assert list(map(len, codes_of(encode_pairs(["a b", "a\x1cb c"], ["", ""], "word").references))) == [2, 2]


def test_texts_of_all_batches_are_encoded_once_and_in_order():
    texts = [str(number) for number in range(20_000)]
    seen = [text for batch, _ in encode_batches(texts, texts, "char") for text in texts[batch]]
    assert seen == texts


def test_an_error_in_a_later_batch_names_its_index():
    with pytest.raises(InputTypeError, match=r"^reference 19999 is None"):
        list(encode_batches(["a"] * 19_999 + [None], ["a"] * 20_000, "char"))


@pytest.mark.parametrize("unit", ["char", "word"])
def test_no_texts_have_no_codes(unit):
    pairs = encode_pairs([], [], unit)
    assert codes_of(pairs.references) == codes_of(pairs.hypotheses) == []


@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize(
    ("entry", "error", "message"),
    [
        *((text, InputTextError, r"holds U\+D[8-F]") for text in ("\ud800", "ab\udfff", "\U00010000\udfff")),
        (None, InputTypeError, r"is None where a string is needed\.$"),
        (3, InputTypeError, r"is 3 \(int\)"),
        (float("nan"), InputTypeError, r"is nan \(float\)"),
        (b"a", InputTypeError, "is .*bytes"),
    ],
)
def test_what_is_no_text_is_an_error_that_names_the_pair(unit, entry, error, message):
    for sides, name in (
        ((["a", "", entry], ["abc", "", "b"]), "reference"),
        ((["a"] * 3, ["", "", entry]), "hypothesis"),
    ):
        with pytest.raises(error, match=f"^{name} 2 {message}"):
            encode_pairs(*sides, unit)


def test_an_unknown_unit_is_an_error_that_names_the_choices():
    with pytest.raises(UnknownNameError, match=r"unknown unit 'words'.*There are: char, grapheme, word"):
        encode_pairs(["a"], ["a"], "words")
