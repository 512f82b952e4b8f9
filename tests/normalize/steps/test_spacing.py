import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.normalize.steps.spacing import bind_white_space, compress_spacing, strip_ends, strip_lines
from misread.normalize.steps.words import segment_words
from misread.text.words import WHITE_SPACE

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
def test_compressing_twice_changes_nothing(text):
    assert compress_spacing(compress_spacing(text)) == compress_spacing(text)


@given(TEXTS)
def test_bound_white_space_divides_no_words_and_keeps_equality(text):
    bound = bind_white_space(text)
    assert bound.split() == [word for word in bound.split(" ") if word]
    assert len(bound) == len(text)
    assert len({bind_white_space(character) for character in WHITE_SPACE}) == len(WHITE_SPACE)


def test_ends_are_stripped_of_all_white_space():
    assert strip_ends("\u3000 a  b\n") == "a  b"


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
