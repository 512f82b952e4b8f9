import numpy as np
import pytest

from misread.data.segment_table import Origin
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.tables import ReportSettings
from misread.tables.figures import draw_confusions
from misread.tables.figures.confusions import MOST_CHARACTERS, choose_cells, label

SETTINGS = ReportSettings(["cer"], names={"a": "A $1"}, figure_formats=[])


def table(*rows):
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    return ConfusionTable(Origin("books", "a"), {"character": Confusions(*columns)}, {}, {})


ROWS = (("0", "O", 3), ("O", "0", 2), ("0", "<DELETE>", 2), ("<INSERT>", " ", 1), ("漢", "\u0301", 1), ("$", "_", 1))


@pytest.mark.slow
def test_it_is_the_same_bytes_for_the_same_numbers(tmp_path):
    one, two = (draw_confusions("books", "a", table(*ROWS), SETTINGS, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == ["books_confusions_a.svg"]
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_cells_hold_the_counts_of_the_characters_with_most_errors():
    references, hypotheses, counts = choose_cells(table(*ROWS).confusions["character"])
    assert (references[:2], hypotheses[:3]) == (["0", "O"], ["O", "0", "<DELETE>"])
    assert counts[:2, :3].tolist() == [[3, 0, 2], [0, 2, 0]]


def test_there_are_no_more_rows_and_columns_than_can_be_read():
    rows = [(chr(97 + place), chr(65 + place), 26 - place) for place in range(26)]
    references, hypotheses, counts = choose_cells(table(*rows).confusions["character"])
    assert counts.shape == (MOST_CHARACTERS, MOST_CHARACTERS)
    assert (references[0], hypotheses[0], np.trace(counts)) == ("a", "A", sum(range(15, 27)))


def test_every_number_stands_in_the_figure(tmp_path):
    svg = draw_confusions("books", "a", table(("0", "O", 1234), ("O", "0", 77)), SETTINGS, tmp_path)[0].read_text()
    assert all(f"<!-- {text} -->" in svg for text in ("1,234", "77", "reference", "read as"))


@pytest.mark.parametrize(
    ("unit", "shown"),
    [("漢", "U+6F22"), ("\u05d0", "א"), ("\u200b", "U+200B"), ("a", "a"), (" ", "␣"), ("<DELETE>", "∅")],
)
def test_a_character_that_the_font_lacks_is_named(unit, shown):
    assert label(unit) == shown


@pytest.mark.parametrize("empty", [table(), ConfusionTable(Origin("a", "b"), {}, {}, {})])
def test_without_errors_there_is_no_figure(tmp_path, empty):
    assert draw_confusions("books", "a", empty, SETTINGS, tmp_path) == []
