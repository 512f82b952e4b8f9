import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import InputTextError
from misread.text.alternatives import (
    DEEPEST,
    MOST_ALTERNATIVES,
    NO_WORD,
    Choice,
    Word,
    change_words,
    has_choices,
    list_words,
    parse_alternatives,
    render_alternatives,
)

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


def test_braces_and_slashes_inside_them_need_no_space():
    assert parse_alternatives("{fi-/fig- b/@}") == parse_alternatives("{ fi- / fig- b / @ }")


def test_slash_outside_braces_is_a_character_like_others():
    assert parse_alternatives("one / and/or") == (Word("one"), Word("/"), Word("and/or"))


def test_slash_behind_a_backslash_is_part_of_its_word_in_braces_too():
    ways = Choice(((Word("and/or"),), (Word("/"),)))
    assert parse_alternatives(r"{ and\/or / \/ }") == (ways,)
    assert render_alternatives((Word("and/or"), ways)) == r"and/or { and\/or / \/ }"


def test_words_in_parentheses_are_words_where_none_may_be_left_out():
    items = parse_alternatives("(uh) { (um) / @ }", optional_words=False)
    assert items == (Word("(uh)"), Choice(((Word("(um)"),), ())))
    assert parse_alternatives(render_alternatives(items)) == items


def test_tags_end_with_their_word():
    read = parse_alternatives(r"i've;tag1 {um;tag1;/uh;;tag2} a\;s;t (x);t ;y", tags=True)
    ways = Choice(((Word("um"),), (Word("uh"),)))
    assert read == (Word("i've"), ways, Word("a;s"), Word("x", optional=True), Word(";y"))


@pytest.mark.slow
def test_the_time_to_read_a_word_grows_with_its_length_alone():
    def seconds(length):
        texts = ["x" * length, "(" * length, "\\" * length, "{" + "x" * length + "/y}"]
        start = time.perf_counter()
        for text in texts:
            parse_alternatives(text, tags=True)
        return time.perf_counter() - start

    assert min(seconds(200_000) for _ in range(3)) < 40 * min(seconds(20_000) for _ in range(3))


def test_nothing_beside_words_is_no_word():
    items = parse_alternatives("a @ { @ @ b / @ }")
    assert items == (Word("a"), NO_WORD, Choice(((NO_WORD, NO_WORD, Word("b")), ())))
    assert list_words(items) == ["a", "b"]
    assert render_alternatives(items) == "a @ { @ @ b / @ }"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{ a / b", "never closed"),
        ("a }", "no matching"),
        ("{ a / }", "is empty; write @"),
        ("{ / a }", "is empty; write @"),
        ("{ }", "is empty; write @"),
        ("{ a / " * (DEEPEST + 1) + "b" + " }" * (DEEPEST + 1), f"more than {DEEPEST} deep"),
        ("{ a / " * 20_000 + "b" + " }" * 20_000, f"more than {DEEPEST} deep"),
        ("{" + "a/" * MOST_ALTERNATIVES + "b}", "1,001 alternatives at one place; expected up to 1,000"),
        ("{ a / {" + "b/" * (MOST_ALTERNATIVES - 1) + "c} }", "1,001 alternatives"),
    ],
)
def test_marks_that_do_not_fit_are_refused(text, expected):
    with pytest.raises(InputTextError, match=expected):
        parse_alternatives(text)


def test_as_many_levels_and_alternatives_as_are_read_can_be_written_and_changed():
    for text in ("{ a / " * DEEPEST + "b" + " }" * DEEPEST, "{" + "a/" * (MOST_ALTERNATIVES - 1) + "b}"):
        items = parse_alternatives(text)
        assert parse_alternatives(render_alternatives(change_words(items, str.lower))) == items


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
