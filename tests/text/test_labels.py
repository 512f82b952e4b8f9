import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from misread.text.labels import shorten_label, show_label

DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(
    "label",
    [
        *(
            "page 1",
            "TIME US",
            "Épreuve n\u00b0\u00a04",
            "a\u202f%",
            "漢字",
            "שלום",
            "नमस्ते",
            "",
            "e\u0301",
            r"C:\new\x",
        ),
        *("👩\u200d👩\u200d👧", "می\u200cخواهم", "क\u094d\u200dष", "\ue000"),
    ],
)
def test_a_label_that_can_be_seen_stays_as_it_is(label):
    assert show_label(label) == label


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\r\tc\0\x7f", r"a\nb\r\tc\x00\x7f"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\u202eexe.gpj\u202c", r"\u202eexe.gpj\u202c"),
        ("\u2066x\u2069\u200e\u061c", r"\u2066x\u2069\u200e\u061c"),
        ("zero\u200bwidth\u200d", r"zero\u200bwidth\u200d"),
        ("\u200dx", r"\u200dx"),
        ("\ufeffid", r"\ufeffid"),
        ("\udcff.txt", r"\udcff.txt"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_cannot_be_seen_or_acts_on_the_screen_is_an_escape(label, shown):
    assert show_label(label) == shown


@given(st.text())
def test_no_control_line_end_or_mark_of_direction_is_left(label):
    shown = show_label(label)
    assert shown.splitlines() in ([], [shown])
    assert not {unicodedata.category(character) for character in shown} & {"Cc", "Cs", "Zl", "Zp"}
    assert not {unicodedata.bidirectional(character) for character in shown} & DIRECTIONS
    assert shown.encode().decode() == shown


@example("\x80\u200c")
@example("a\u200c\u200c")
@given(st.text())
def test_a_label_that_was_shown_is_shown_alike(label):
    assert show_label(show_label(label)) == show_label(label)


def test_a_label_longer_than_a_line_is_shortened():
    assert shorten_label("x" * 120) == "x" * 120
    assert shorten_label("x" * 121) == "x" * 60 + "... (121 characters)"
