import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import column_grid
from misread.tables.terminal.grid import GridStyle, grid_text, legend
from misread.text.display import cell_width

GRID = column_grid("suœurs", {"a": "soeurs", "b": "sœurs,", "c": None, "d": ""})


def plain(grid, **style):
    return [line.plain for line in grid_text(grid, GridStyle(**style))]


def test_systems_stand_under_the_reference_with_ink_where_they_differ():
    assert plain(GRID) == [
        "REF  s u œ u r s ▁",
        "a    · o e · · · ·",
        "       S S",
        "b    · ▁ · · · · ,",
        "       D         I",
        "c    — (no output)",
        "d    ∅ (empty)",
    ]


def test_ascii_marks_say_the_same():
    assert plain(GRID, is_ascii=True) == [
        "REF  s u œ u r s _",
        "a    . o e . . . .",
        "       S S",
        "b    . _ . . . . ,",
        "       D         I",
        "c    - (no output)",
        "d    (empty)",
    ]


def test_equal_units_are_written_out_where_asked():
    assert plain(GRID, is_full=True)[1] == "a    s o e u r s ·"


def test_the_whole_block_is_wrapped_and_labels_are_repeated():
    grid = column_grid("abcdefgh", {"a": "abXdefgh", "b": "abcdefYh"})
    assert plain(grid, width=12) == [
        "REF  a b c d",
        "a    · · X ·",
        "         S",
        "b    · · · ·",
        "",
        "REF  e f g h",
        "a    · · · ·",
        "b    · · Y ·",
        "         S",
    ]


def test_long_labels_get_lines_of_their_own_in_a_narrow_terminal():
    assert plain(column_grid("abc", {"a_system_with_a_name": "abX"}), width=20) == [
        "REF",
        "a b c",
        "a_system_with_a_name",
        "· · X",
        "    S",
    ]


def test_wide_characters_keep_their_columns():
    assert plain(column_grid("漢a字", {"a": "xa字", "b": "漢字"})) == [
        "REF  漢 a 字",
        "a    x  · ·",
        "     S",
        "b    ·  ▁ ·",
        "        D",
    ]


TEXTS = st.text(st.sampled_from("ab 漢字e\u0301שع\u00a0😀\n"), max_size=25)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.integers(24, 60), st.sampled_from(["char", "grapheme"]))
def test_no_line_is_wider_than_the_terminal_and_cells_stand_below_each_other(reference, hypotheses, width, unit):
    grid = column_grid(reference, {f"s{number}": text for number, text in enumerate(hypotheses)}, unit=unit)
    lines = plain(grid, width=width)
    assert all(cell_width(line) <= width for line in lines)
    letters = [line for line in lines if line.startswith("     ") and line.strip()]
    counted = sum(row.letters.count(letter) for row in grid.rows.values() if row.text_units for letter in "SDI")
    more = sum(int(line.split()[1]) for line in lines if "more error" in line)
    assert sum(len(line.split()) for line in letters) + more == counted


def test_what_differs_in_form_only_is_shown_without_being_an_error():
    lines = plain(column_grid("M\u00fcll", {"a": "Mu\u0308ll"}, unit="grapheme"))
    assert lines == ["REF  M \u00fc l l", "a    · u\u0308 · ·"]


def test_colours_come_on_top_of_letters():
    line = grid_text(GRID, GridStyle())[1]
    assert [line.plain[span.start : span.end] for span in line.spans if "underline" in str(span.style)] == ["o", "e"]


@pytest.mark.parametrize(("is_ascii", "gap"), [(False, "▁"), (True, "_")])
def test_the_legend_names_every_mark(is_ascii, gap):
    text = legend(GridStyle(is_ascii=is_ascii), with_transpositions=True).plain
    assert f"D deletion ({gap} in hypothesis)" in text
    assert "T transposition" in text


def elided(reference, hypothesis, **style):
    grid = column_grid(reference, {"a": hypothesis})
    return [line.plain for line in grid_text(grid, GridStyle(width=400, **style))]


def test_a_long_stretch_without_an_error_is_left_out_and_counted():
    lines = elided("x" + "a" * 30 + "y", "z" + "a" * 30 + "z", context=3)
    assert lines[0] == "REF  x a a a ⋯24⋯ a a a y"
    assert lines[1] == "a    z · · · ⋯    · · · z"
    assert lines[2].split() == ["S", "S"]


def test_what_is_shorter_than_the_mark_is_kept():
    assert "⋯" not in elided("x" + "a" * 13 + "y", "z" + "a" * 13 + "z", context=3)[0]
    assert "⋯8⋯" in elided("x" + "a" * 14 + "y", "z" + "a" * 14 + "z", context=3)[0]


def test_both_ends_are_left_out_up_to_the_context():
    assert elided("a" * 20 + "x" + "a" * 20, "a" * 20 + "y" + "a" * 20, context=0)[0] == "REF  ⋯20⋯ x ⋯20⋯"


def test_a_text_without_errors_keeps_its_beginning():
    assert elided("a" * 20, "a" * 20, context=2)[0] == "REF  a a ⋯18⋯"


def test_the_whole_text_is_there_in_full():
    assert "⋯" not in "".join(elided("a" * 90, "a" * 90, is_full=True))
    assert "⋯70⋯" in elided("a" * 90, "a" * 90)[0]
    assert "..70.." in elided("a" * 90, "a" * 90, is_ascii=True)[0]


def test_nothing_is_left_out_where_one_of_several_systems_errs():
    grid = column_grid("a" * 30, {"right": "a" * 30, "wrong": "b" * 30})
    assert "⋯" not in grid_text(grid, GridStyle(width=400, context=0))[0].plain


@given(st.text("ab ", max_size=60), st.text("ab ", max_size=60), st.integers(0, 5))
def test_what_is_left_out_and_what_is_shown_make_up_all_columns(reference, hypothesis, context):
    grid = column_grid(reference, {"a": hypothesis})
    line = elided(reference, hypothesis, context=context)[0].removeprefix("REF").split()
    assert sum(int(cell.strip("⋯")) if "⋯" in cell else 1 for cell in line) == len(grid)


LONG = "the quick brown fox jumps over the lazy dog " * 20


def test_of_a_long_text_the_first_errors_are_shown_and_the_others_counted():
    wrong = LONG.replace("quick", "quich").replace("lazy", "lasy")
    lines = plain(column_grid(LONG, {"a": wrong, "b": LONG.replace("lazy", "lasy")}))
    assert len(lines) <= 13
    assert lines[-1].startswith("⋯ ")
    shown = sum(line.split().count("S") for line in lines if set(line) <= {"S", " "})
    assert sum(int(part.split()[-1]) for part in lines[-1].split("(")[1].rstrip(")").split(", ")) == 60 - shown
    assert not any("more error" in line for line in plain(column_grid(LONG, {"a": wrong}), is_full=True))


def test_a_text_that_fits_is_shown_whole():
    lines = plain(column_grid(LONG[:44], {"a": LONG[:44].replace("quick", "quich").replace("lazy", "lasy")}))
    assert not any("more error" in line for line in lines)


@given(st.text("ab ", max_size=200), st.text("ab ", max_size=200))
def test_no_error_is_lost_in_counting(reference, hypothesis):
    grid = column_grid(reference, {"a": hypothesis})
    row = grid.rows["a"]
    lines = plain(grid, width=30)
    shown = sum(letter in "SDI" for line in lines if set(line) <= set("SDI ") for letter in line)
    more = [int(line.split()[1].replace(",", "")) for line in lines if "more error" in line]
    assert row is not None
    assert shown + sum(more) == sum(letter in "SDI" for letter in row.letters) or not row.text_units
