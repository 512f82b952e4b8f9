"""Verdicts, pairs, groups, confusions, the axis: what stands above the explorer."""

from dataclasses import replace

import pytest

from misread.report import ReportSettings, make_rate_table
from misread.report.numbers import RateFormat
from misread.report.page.confusions import make_confusion_lists
from misread.report.page.forest import make_axis
from misread.report.page.groups import make_group_tables
from misread.report.page.method import describe_method
from misread.report.page.pairs import make_pair_matrix
from misread.report.page.results import make_result_table
from misread.report.page.verdicts import headline

SETTINGS = ReportSettings(["cer"], names={"pero": "PERO"})


def table_of(result):
    return make_rate_table(result, "cer", SETTINGS)


@pytest.mark.parametrize(
    ("rates", "pvalues", "said"),
    [
        ({"pero": 0.03}, {}, "PERO has a CER of 3.00 % on books. Add a second system to compare."),
        (
            {"pero": 0.03, "b": 0.1},
            {},
            "PERO makes the fewest character errors on books (3.00 %). The other system is significantly worse.",
        ),
        (
            {"pero": 0.03, "b": 0.1, "c": 0.2},
            {("pero", "b"): 0.3},
            "PERO makes the fewest character errors on books (3.00 %). "
            "1 of the 2 others is significantly worse, 1 is not significantly different.",
        ),
        (
            {"pero": 0.03, "b": 0.1},
            {("pero", "b"): 0.3},
            "No system differs significantly from PERO (3.00 %) on books at 95 % confidence.",
        ),
        ({"pero": None}, {}, "No system has a CER on books."),
    ],
)
def test_the_headline_says_who_is_best_and_how_surely(make_result, rates, pvalues, said):
    assert headline(table_of(make_result(rates, pvalues)), SETTINGS.rates) == said


def test_a_row_knows_its_verdict_and_its_reason(three):
    table = make_result_table(table_of(three), three.ranking.get("cer", {}), SETTINGS)
    _, second, _ = table.rows
    assert [row.verdict.word for row in table.rows] == ["best", "not significant", "worse"]
    assert [row.verdict.sign for row in table.rows] == ["★", "○", "▲"]
    assert second.verdict.meaning == "bootstrap gives p = 0.31."


def test_kinds_of_errors_fill_the_bar(three):
    row = make_result_table(table_of(three), {}, SETTINGS).rows[0]
    assert [(share.letter, share.count) for share in row.operations] == [("S", 7), ("D", 2), ("I", 1)]
    assert row.operations[-1].begin + row.operations[-1].width == pytest.approx(90)


def test_pairs_are_read_in_both_directions(three):
    matrix = make_pair_matrix(three, table_of(three), SETTINGS)
    assert matrix.columns == ("PERO", "tesseract4", "kraken")
    there, back = matrix.rows[2].cells[0], matrix.rows[0].cells[2]
    assert (there.difference, back.difference) == ("+12.56", "-12.56")
    assert (there.verdict.word, back.verdict.word) == ("worse", "better")
    assert matrix.rows[0].cells[0] is None


def test_two_systems_need_no_matrix(make_result):
    result = make_result({"a": 0.1, "b": 0.2})
    assert make_pair_matrix(result, table_of(result), SETTINGS) is None


def test_groups_keep_their_order_and_mark_the_best(grouped):
    settings = ReportSettings(["cer"], group_order={"degradation": ["clean", "light", "heavy"]})
    (table,) = make_group_tables(grouped, table_of(grouped), settings)
    assert [row.group for row in table.rows] == ["clean", "light", "heavy"]
    assert [(cell.rate, cell.is_best) for cell in table.rows[0].cells] == [("2.00", True), ("10.00", False)]


def test_an_empty_group_column_is_left_out(make_result):
    result = make_result({"a": 0.1}, groups={"degradation": {}})
    assert make_group_tables(result, table_of(result), SETTINGS) == ()


def test_confusions_are_the_most_frequent_and_the_rest_is_counted(books):
    (pero, kraken) = make_confusion_lists(books.confusions, ["pero", "kraken"], SETTINGS)
    assert [(row.shown, row.count) for row in pero.rows] == [(("à", "a"), 8)]
    assert (pero.name, pero.once) == ("PERO", 1)
    assert (("∅", "."), 36) in [(row.shown, row.count) for row in kraken.rows]
    assert pero.rows[0].address("pero") == "read:pero:%C3%A0:a"


def test_a_system_without_confusions_is_left_out(run_on):
    made = run_on(["ab"], {"a": ["ab"]})
    assert make_confusion_lists(made.confusions, ["a", "b"], SETTINGS) == ()


def test_confusions_are_left_out_where_none_are_wanted(books):
    assert make_confusion_lists(books.confusions, ["pero"], replace(SETTINGS, confusions=0)) == ()


def test_the_method_is_told_in_whole_sentences(three):
    first = make_result_table(table_of(three), {}, SETTINGS)
    told = describe_method(replace(three, excluded=1), first)
    assert told.startswith("3 systems read 60 segments from 12 clusters (page) of books. 1 more segment is left out")
    assert "micro average" in told
    assert told.endswith(first.method)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([0.03, 0.187], ["0", "5", "10", "15", "20"]),
        ([1.7], ["0", "50", "100", "150", "200"]),
    ],
)
def test_the_axis_begins_at_zero_and_has_round_numbers(values, ticks):
    assert [tick.label for tick in make_axis(values, RateFormat()).ticks] == ticks
