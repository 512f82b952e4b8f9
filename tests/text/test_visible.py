import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.text.visible import cell_width, show_unit


@pytest.mark.parametrize(
    ("unit", "shown"),
    [
        ("a", "a"),
        ("漢", "漢"),
        ("e\u0301", "e\u0301"),
        (" ", "␣"),
        ("\n", "↵"),
        ("\r\n", "␍↵"),
        ("\t", "⇥"),
        ("\u00a0", "U+00A0"),
        ("\u200b", "U+200B"),
        ("\x1b", "U+001B"),
        ("\ue002", "U+E002"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("wo\u00adrd", "woU+00ADrd"),
    ],
)
def test_what_cannot_be_seen_is_named(unit, shown):
    assert show_unit(unit) == shown


def test_a_space_is_blank_among_ascii_marks():
    assert show_unit(" ", is_ascii=True) == " "


@given(st.characters())
def test_every_code_point_takes_a_column_and_none_can_command_the_terminal(unit):
    shown = show_unit(unit)
    assert cell_width(shown) >= 1
    inner = shown.removeprefix("\u2068").removesuffix("\u2069")
    assert not any(unicodedata.category(character) in {"Cc", "Cf"} for character in inner)


@pytest.mark.parametrize("unit", ["ש", "عالم", "٣"])
def test_what_is_written_from_right_to_left_is_isolated(unit):
    assert show_unit(unit) == f"\u2068{unit}\u2069"
    assert cell_width(show_unit(unit)) == len(unit)


@pytest.mark.parametrize(("shown", "width"), [("漢字", 4), ("e\u0301", 1), ("", 0)])
def test_wide_characters_take_two_columns_and_marks_none(shown, width):
    assert cell_width(shown) == width
