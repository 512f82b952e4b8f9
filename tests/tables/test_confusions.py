import csv
import io
from dataclasses import replace

import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.metrics.confusion_table import ConfusionTable
from misread.normalize import get_normalizer, normalize
from misread.sockets import get_metrics
from misread.tables import ReportSettings, lay_out_confusions, render_csv, render_html, render_latex, render_markdown
from misread.tables.confusions import lay_out_confused_by, show_confused
from misread.tally import ScoredSystem

SETTINGS = ReportSettings(["cer"], names={"a": "A", "books": "old books"}, confusions=2)
REFERENCE, HYPOTHESIS = "INVOICE #12345 TOTAL: $150.00", "INV0ICE #I2345 T0TAL: $15O.OO"


def confused(reference, hypothesis, metrics=("cer", "wer")):
    keys = SegmentKeys(["s1"], None, {})
    capture = Capture(Origin("books", "a"), keys, TextPairs([reference], [hypothesis]), [None])
    return ScoredSystem(normalize(capture, get_normalizer("none")), get_metrics(metrics)).confusions


def texts(table):
    return [[cell.text for cell in row] for row in table.cells]


def lay_out(table, kind="character", settings=SETTINGS):
    return lay_out_confusions("books", {"a": table}, kind, settings)


def test_the_most_frequent_stand_first_with_their_shares():
    table = lay_out(confused(REFERENCE, HYPOTHESIS))
    assert texts(table) == [["A", "0", "O", "3", "50.00", "100.00"], ["A", "O", "0", "2", "33.33", "100.00"]]
    assert table.caption == (
        "The 2 most frequent confusions of characters by each system on old books (29 characters)."
    )
    assert "A: 6 errors in 29; 1 less frequent confusion not shown." in table.notes
    assert texts(lay_out(confused("the the cat", "tho tho cat"), "word")) == [["A", "the", "tho", "2", "100.00"]]
    # An insertion is a share of no occurrences.
    assert texts(lay_out(confused("", "x"))) == [["A", "∅", "x", "1", "100.00", ""]]


def test_a_single_confusion_and_graphemes_are_called_so():
    table = lay_out(confused(REFERENCE, HYPOTHESIS), settings=replace(SETTINGS, confusions=1))
    assert table.caption.startswith("The most frequent confusion of characters by each system on")
    assert "(1 graphemes)" in lay_out(confused("é", "e", ["ger"])).caption


def test_a_system_without_an_error_is_named_below():
    tables = {"a": confused("a", "b"), "b": confused("a", "a")}
    table = lay_out_confusions("books", tables, "character", SETTINGS)
    assert [row[0].text for row in table.cells] == ["A"]
    assert "b: no error." in table.notes


@pytest.mark.parametrize("table", [confused("a", "a"), ConfusionTable(Origin("a", "b"), {}, {}, {})])
def test_without_errors_there_is_no_table(table):
    assert lay_out(table) is None
    assert lay_out_confused_by("a", table, SETTINGS) is None
    assert lay_out_confused_by("a", None, SETTINGS) is None


def test_no_confusions_asked_for_are_no_table():
    table, settings = confused("a", "b"), replace(SETTINGS, confusions=0)
    assert lay_out(table, settings=settings) is None
    assert lay_out_confused_by("a", table, settings) is None


def test_of_one_system_those_that_happened_once_are_counted_below():
    table = lay_out_confused_by("a", confused(REFERENCE, HYPOTHESIS), replace(SETTINGS, confusions=1))
    assert (texts(table), table.caption, table.notes) == ([["0", "O", "3"]], "A", ["+ 1 more than once, + 1 once"])


@pytest.mark.parametrize(
    ("unit", "shown"),
    [
        ("<DELETE>", "∅"),
        ("∅", "∅ U+2205"),
        (" ", "␣"),
        ("␣", "␣ U+2423"),
        ("\u0301", "◌\u0301 U+0301"),
        ("\u200b", "U+200B"),
        ("\u00a0", "U+00A0"),
        ("\n", "↵"),
        ("é", "é"),
    ],
)
def test_every_sign_can_be_seen_and_told_apart(unit, shown):
    assert show_confused(unit) == shown


def test_csv_has_the_signs_as_they_are():
    rows = list(csv.DictReader(io.StringIO(render_csv([lay_out(confused("a bcdef", "abcdef\u0301"))]))))
    assert [(row["reference"], row["hypothesis"], row["count"]) for row in rows] == [
        (" ", "<DELETE>", "1"),
        ("<INSERT>", "\u0301", "1"),
    ]


def test_latex_joins_no_signs_and_turns_no_quotation_mark():
    text = render_latex(lay_out(confused("'–", "`-")))
    assert r"A & \textquotesingle{} & \textasciigrave{} & 1" in text
    assert r"A & \textendash{} & -{} & 1" in text


def test_what_latex_or_markdown_would_read_as_commands_is_escaped():
    table = lay_out(confused("_|", "%*"))
    assert r"A & \_ & \% & 1" in render_latex(table)
    assert r"A & \textbar{} & {*} & 1" in render_latex(table)
    assert r"| A | \_ | % | 1 |" in render_markdown(table)
    assert r"| A | \| | \* | 1 |" in render_markdown(table)
    assert "&lt;" in render_html(lay_out(confused("<", "a")))
