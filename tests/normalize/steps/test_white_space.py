import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.normalize.steps.white_space import (
    bind_white_space,
    collapse_whitespace,
    compress_spacing,
    is_collapsed,
    strip_lines,
)
from misread.normalize.steps.words import segment_words
from misread.text.words import WHITE_SPACE

# str.isspace also takes in these four, which lack the property White_Space.
INFORMATION_SEPARATORS = "\x1c\x1d\x1e\x1f"


def test_white_space_is_the_unicode_property():
    """The oracle is Python's own table of spaces, but for what it adds to the property."""
    spaces = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    assert sorted(WHITE_SPACE) == sorted(spaces - set(INFORMATION_SEPARATORS))
    assert [character for character in WHITE_SPACE if character.isprintable()] == [" "]


@settings(max_examples=3 * settings.default.max_examples)
@given(
    st.text(st.sampled_from(["a", "é", " ", "\u3000", "\x1f", "\x85", "\u200b", "\n", "漢"]))
    | st.text(st.sampled_from("ab" + WHITE_SPACE))
    | st.text(st.characters() | st.sampled_from(WHITE_SPACE))
)
def test_white_space_is_collapsed_by_its_unicode_property(text):
    assert collapse_whitespace(text) == " ".join(re.findall(f"[^{WHITE_SPACE}]+", text))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [(["two words", ""], True), ([], True), (["two\nwords"], False), (["a", " b"], False), (["a\tb"], False)],
)
def test_texts_without_white_space_to_collapse_are_recognised_together(texts, expected):
    assert is_collapsed(texts) is expected
    assert all(collapse_whitespace(text) == text for text in texts) is expected


TEXTS = st.text(st.sampled_from(["a", "b", " ", "\n", "\t", "\u00a0", "\u3000"]), max_size=20)


@pytest.mark.parametrize(
    ("text", "lines", "compressed"),
    [
        ("", "", ""),
        ("\n", "", ""),
        (" a\n\n b \n", "a\n\nb", "a\nb\n"),
        ("a\t\tb", "a\t\tb", "a b"),
        ("\n\na\n \n\n", "\n\na\n\n", "a\n"),
        ("a\r\nb", "a\nb", "a\nb"),
    ],
)
def test_spacing_of_lines(text, lines, compressed):
    assert strip_lines(text) == lines
    assert compress_spacing(text) == compressed


@given(TEXTS)
def test_bound_white_space_divides_no_words_and_keeps_equality(text):
    bound = bind_white_space(text)
    assert bound.split() == [word for word in bound.split(" ") if word]
    assert len(bound) == len(text)
    assert len({bind_white_space(character) for character in WHITE_SPACE}) == len(WHITE_SPACE)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Can't stop, won’t.", "Can't stop won’t"),
        ("1'Oise d''Antin 'tis", "1 Oise d Antin tis"),
        ("3.14 10,000 a.b", "3.14 10,000 a.b"),
        ("日本 カタカナ", "日 本 カタカナ"),
        ("a\ue000b", "a\ue000b"),
        ("– … ()", ""),
        ("x_1\u00a0y", "x_1 y"),
    ],
)
def test_words_are_those_of_the_unicode_standard_with_content(text, words):
    assert segment_words(text) == words


def test_a_word_with_a_blank_that_joins_stays_one_word():
    assert len(segment_words("10\u202f000 x").split()) == 2
