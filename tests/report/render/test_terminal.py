import io

import pytest
from rich.console import Console

from misread.report.render.terminal import print_table


@pytest.fixture
def shown(make_paper):
    def show(of, width=120, **settings):
        console = Console(file=io.StringIO(), width=width)
        print_table(make_paper(of, **settings), console)
        return console.file.getvalue()

    return show


def test_a_row_has_the_rate_the_interval_and_the_counts(shown, three):
    line = next(line for line in shown(three).splitlines() if line.startswith("tesseract4"))
    cells = "tesseract4 | 3.81† | [2.81, 4.81] | 7 / 2 / 1 | 10 / 2923 | +0.80 [-0.20, +1.30] | 0.310"
    assert " ".join(line.split()) == cells.replace("| ", "")


def test_no_number_is_cut_where_the_screen_is_narrow(shown, three):
    words = shown(three, width=60).split()
    assert {"2923", "[14.57,", "16.57]", "+12.56", "0.012"} <= set(words)


def test_names_are_not_read_as_markup(shown, make_result):
    assert "[bold]x[/bold]" in shown(make_result({"a": 0.1}), names={"a": "[bold]x[/bold]"})


def test_the_signature_is_one_line(shown, three):
    assert three.signature in shown(three, width=40).splitlines()


def test_without_a_terminal_there_is_no_colour(shown, three):
    assert "\x1b" not in shown(three)


def test_every_system_but_the_best_has_its_verdict_and_the_reason(shown, three):
    lines = shown(three).splitlines()
    assert "○ tesseract4 against pero: inconclusive. bootstrap gives p = 0.31." in lines
    assert "▲ kraken against pero: worse. bootstrap gives p = 0.0123." in lines
