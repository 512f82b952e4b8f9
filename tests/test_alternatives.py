import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alternatives import (
    Choice,
    Word,
    change_words,
    has_choices,
    list_words,
    parse_alternatives,
    render_alternatives,
)
from misread.errors import InputTextError

WORDS = st.text(alphabet="a/@{}()\\é;", min_size=1, max_size=4)
ITEMS = st.recursive(
    st.lists(st.builds(Word, WORDS, st.booleans()), max_size=3).map(tuple),
    lambda inner: st.lists(
        st.one_of(st.builds(Word, WORDS), st.builds(Choice, st.lists(inner, min_size=2, max_size=3).map(tuple))),
        max_size=3,
    ).map(tuple),
    max_leaves=8,
)


@given(ITEMS)
def test_what_is_written_is_read_as_the_same(items):
    assert parse_alternatives(render_alternatives(items)) == items


def test_alternatives_may_hold_alternatives():
    inner = Choice(((Word("b"),), (Word("c"), Word("d"))))
    assert parse_alternatives("{ a / { b / c d } }") == (Choice(((Word("a"),), (inner,))),)


def test_braces_need_no_space_and_slashes_do():
    assert parse_alternatives("{and/or / @}") == parse_alternatives("{ and/or / @ }")


def test_slash_outside_braces_is_a_word():
    assert parse_alternatives("one / two") == (Word("one"), Word("/"), Word("two"))


def test_nothing_beside_words_is_left_out():
    assert parse_alternatives("a @ b") == (Word("a"), Word("b"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ a / b", "never closed"),
        ("a }", "closes no"),
        ("{ a / }", "is empty; write @"),
        ("{ / a }", "is empty; write @"),
        ("{ }", "is empty; write @"),
        ("{ a }", "at least two"),
    ],
)
def test_marks_that_do_not_fit_are_refused(text, expected):
    with pytest.raises(InputTextError, match=expected):
        parse_alternatives(text)


def test_a_change_sees_every_run_of_words_at_once_and_no_mark():
    seen = []
    items = change_words(parse_alternatives("A B { C D / (E) } F"), lambda text: seen.append(text) or text.lower())
    assert [text for text in seen if text] == ["A B", "C D", "E", "F"]
    assert render_alternatives(items) == "a b { c d / (e) } f"


def test_an_alternative_that_a_change_empties_is_no_word():
    items = change_words(
        parse_alternatives("{ um / well } (uh)"), lambda text: text.replace("um", "").replace("uh", "")
    )
    assert render_alternatives(items) == "{ @ / well }"


def test_the_first_reading_has_first_alternatives_and_optional_words():
    assert list_words(parse_alternatives("a { b c / d } (e)")) == ["a", "b", "c", "e"]


@pytest.mark.parametrize(("text", "several"), [("a b", False), ("a (b)", True), ("{ a / b }", True)])
def test_choices_and_optional_words_read_in_several_ways(text, several):
    assert has_choices(parse_alternatives(text)) is several
