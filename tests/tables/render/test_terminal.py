import io
import re

import pytest
from rich.console import Console

from misread.tables import Column, Table
from misread.tables.render.terminal import print_table, render_text


@pytest.fixture
def shown(make_paper):
    def show(of, width=120, **settings):
        console = Console(file=io.StringIO(), width=width)
        print_table(make_paper(of, **settings), console)
        return console.file.getvalue()

    return show


def test_a_row_has_the_rate_the_interval_and_the_counts(shown, three):
    line = next(line for line in shown(three).splitlines() if line.startswith("tesseract4"))
    cells = "tesseract4 | 3.81† | [2.81, 4.81] | 1–2 a | 7/2/1 | 10/2923 | +0.80 [-0.20, +1.30] | 0.310"
    assert " ".join(line.split()) == cells.replace("| ", "")


@pytest.mark.parametrize(
    ("width", "left_out"),
    [
        (120, ""),
        (90, ""),
        (78, "S/D/I, errors"),
        (70, "rank, S/D/I, errors"),
        (60, "[95 %], S/D/I, errors"),
        (40, "[95 %], Δ to best [95 %]"),
    ],
)
def test_columns_that_do_not_fit_are_left_out_whole_and_named(shown, three, width, left_out):
    lines = shown(three, width=width).splitlines()
    # A rate follows: a folded sentence may begin with a name, too.
    table = [line for line in lines if re.match(r"(pero|tesseract4|kraken) +\d", line)]
    assert len(table) == 3
    assert max(map(len, table)) <= width
    said = " ".join(" ".join(lines).split())
    assert (f"Left out at a width of {width}: {left_out}. All columns need" in said) == bool(left_out)


def test_a_title_is_folded_before_a_column_is_left_out(shown, three):
    need = next(int(word) for word in shown(three, width=50).split("All columns")[1].split() if word.isdecimal())
    assert "Left out" not in shown(three, width=need)
    assert "Left out" in shown(three, width=need - 20)


def test_a_group_table_of_many_systems_names_the_first_that_are_left_out():
    rates = [Column(f"system {place} %", lambda _: "12.34 [11.11, 13.13]") for place in range(30)]
    table = Table(columns=[Column("book", kind="name"), *rates], rows=["one"])
    console = Console(file=io.StringIO(), width=80)
    print_table(table, console)
    said = " ".join(console.file.getvalue().split())
    assert "12.34 [11.11, 13.13]" in said
    assert "and 21 more. All columns need" in said


def test_a_long_name_is_folded_and_no_column_is_lost(shown, make_result):
    said = shown(make_result({"a" * 200: 0.1, "b": 0.2}), width=120)
    assert "Left out" not in said
    assert said.count("a" * 40) >= 5


def test_names_are_not_read_as_markup(shown, make_result):
    assert "[bold]x[/bold]" in shown(make_result({"a": 0.1}), names={"a": "[bold]x[/bold]"})


def test_the_signature_is_one_line(shown, three):
    assert str(three.signature) in shown(three, width=40).splitlines()


def test_the_verdict_stands_right_below_the_rows_and_marks_are_explained_after_it_without_colour(shown, three):
    lines = shown(three, width=200).splitlines()
    last = max(number for number, line in enumerate(lines) if line.startswith("kraken"))
    assert lines[last + 1 : last + 6] == [
        "pero has significantly fewer character errors: 12.56 points fewer than kraken; the data cannot tell pero from "
        "tesseract4 (p = 0.310).",
        "†: not significantly different from the best.",
        "Ranks are those that the tests leave open; systems that share a letter do not differ significantly.",
        "Intervals: bootstrap over 12 clusters (page).",
        "p: paired bootstrap, adjusted by Holm over 3 pairs; below 0.05 is significant.",
    ]
    assert "\x1b" not in shown(three)


def test_columns_that_do_not_fit_are_named_before_the_verdict(shown, three):
    said = shown(three, width=60)
    assert said.index("Left out at a width") < said.index("pero has significantly")


def test_tables_are_apart(make_paper, three):
    table = make_paper(three)
    one = render_text([table])
    assert render_text([table, table]) == f"{one}\n{one}"
