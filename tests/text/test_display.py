import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from misread.text.display import cell_width, file_stem, shorten_label, show_label, show_unit

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


def test_ids_stay_as_they_are():
    assert file_stem("das22", "cer_raw", "by", "Book-title") == "das22_cer_raw_by_Book-title"


def test_the_hash_of_a_name_never_changes():
    assert file_stem("das22", "cer", "by", "../x") == "das22_cer_by_x-d6b96a97d1"


@pytest.mark.parametrize(
    "name", ["../../x", "/etc/passwd", "..", "a\\b", "C:x", "", "a b", "\x1b[2J", "漢字", "\udcff"]
)
def test_a_name_from_outside_is_one_plain_file_name(name):
    stem = file_stem("d", "by", name)
    assert stem.startswith("d_by_")
    assert PurePosixPath(stem).name == PureWindowsPath(stem).name == stem
    assert stem.replace("-", "").replace("_", "").isalnum()
    assert stem.isascii()


def test_a_long_name_is_cut():
    assert len(file_stem("d", "by", "a" * 1000)) < 64


def test_a_name_that_looks_like_another_one_with_its_hash_is_another_file():
    assert file_stem(file_stem("../x")) != file_stem("../x")


def test_no_name_is_an_option_of_a_command():
    assert not file_stem("-rf").startswith("-")


@given(st.text(), st.text())
def test_two_names_give_two_files(one, other):
    assert (file_stem(one) == file_stem(other)) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"), [("../x", "x"), ("a b", "a-b"), ("a/b", "a\\b"), ("é", "e\u0301"), ("x", "x ")]
)
def test_names_that_look_alike_give_two_files(one, other):
    assert file_stem(one) != file_stem(other)
