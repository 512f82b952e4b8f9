"""Verdicts, pairs, groups, confusions, the axis: what stands above the explorer."""

from dataclasses import replace

import pytest
from tests.made_results import reason

from misread.metrics import Kind
from misread.report.page.headline import describe_method, headline
from misread.report.page.metric_results import lay_out_results
from misread.tables import ReportSettings, make_rate_table
from misread.tables.confusions import lay_out_confused_by

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
    assert headline(table_of(make_result(rates, pvalues))) == said


def test_the_headline_names_what_a_metric_says_that_it_counts(make_result):
    table = replace(table_of(make_result({"pero": 0.03, "b": 0.1})), metric="mine", counted="deleted runes")
    assert headline(table).startswith("PERO makes the fewest deleted runes on books (3.00 %).")
    assert headline(replace(table, counted="")).startswith("PERO has the lowest mine on books (3.00 %).")


@pytest.mark.parametrize(
    ("compared", "said"),
    [
        ({1}, "1 of the 2 others was not compared with it. 1 of the 2 others is significantly worse."),
        (set(), "2 of the 2 others were not compared with it."),
    ],
)
def test_the_headline_says_who_was_not_compared_with_the_best(make_result, compared, said):
    rates = {"pero": 0.03, "b": 0.1, "c": 0.2}
    made = make_result(rates)
    pairs = [{"pero", "b"}, *([{"pero", "c"}] if not compared else [])]
    apart = replace(made, comparisons=tuple(
        pair for pair in made.comparisons if {pair.baseline, pair.system} not in pairs
    ))  # fmt: skip
    answer = headline(table_of(apart))
    assert answer.startswith(f"PERO makes the fewest character errors on books (3.00 %). {said}")
    assert "No system differs" not in answer


def test_the_headline_says_that_the_data_cannot_tell_where_no_outcome_could_be_significant(make_result):
    result = make_result({"pero": 0.03, "b": 0.1}, {("pero", "b"): 0.3})
    scarce = reason("few_resamples", number=9, unit="resample")
    few = replace(result, comparisons=tuple(replace(pair, verdict_reason=scarce) for pair in result.comparisons))
    assert headline(table_of(few)) == (
        "The data cannot tell any system from PERO (3.00 %) on books: with 9 resamples, no p below 0.05 is possible."
    )


def test_a_row_knows_its_verdict_and_its_reason(three):
    verdicts = [row[-1] for row in lay_out_results(table_of(three)).cells]
    assert [cell.plain for cell in verdicts] == ["★ best", "○ not significant", "▲ worse"]
    assert [cell.remark for cell in verdicts] == ["", "p = 0.310", "p = 0.012"]
    assert (
        verdicts[1].mark.meaning
        == "bootstrap gives p = 0.31, not below 0.05; 2.00 points would have been found with 80 % probability."
    )


def test_a_system_that_was_not_compared_with_the_best_is_not_called_best(three):
    best, other, _ = table_of(three).rows
    apart = replace(three, comparisons=tuple(
        pair for pair in three.comparisons if {pair.baseline, pair.system} != {best.system, other.system}
    ))  # fmt: skip
    verdicts = [row[-1].plain for row in lay_out_results(table_of(apart)).cells]
    assert verdicts == ["★ best", "not compared", "▲ worse"]


def test_what_is_sorted_by_are_numbers(three):
    table = lay_out_results(table_of(three))
    assert {
        column.key: cell.value for column, cell in zip(table.headings, table.cells[1], strict=True) if column.key
    } == {
        "place": 2,
        "system": "tesseract4",
        "rate": 0.0381,
        "errors": 10,
        "exact": 50,
        "difference": pytest.approx(0.008),
        "pvalue": 0.31,
    }


def test_scores_that_are_no_shares_are_written_as_in_files(make_result, make_rate):
    costs = {name: replace(make_rate(cost), kind=Kind.OTHER) for name, cost in (("a", 0.00041), ("b", 0.1))}
    table = table_of(make_result(costs))
    assert [row[2].text for row in lay_out_results(table).cells] == ["0.00041", "0.10000"]
    assert "(0.00041)" in headline(table)


def test_kinds_of_errors_fill_the_bar(three):
    (shares,) = (cell.shares for cell in lay_out_results(table_of(three)).cells[0] if cell.shares)
    assert [(share.letter, share.number) for share in shares] == [("S", 7), ("D", 2), ("I", 1)]
    assert shares[-1].start + shares[-1].width == pytest.approx(90)


def test_confusions_lead_to_their_segments(books):
    pero = lay_out_confused_by("pero", books.confusions["pero"], SETTINGS, linked_to="books")
    assert pero.cells[0][-1].link == "#dataset=books&filter=read%3Apero%3A%25C3%25A0%3Aa"
    assert pero.cells[0][-1].spoken == "8 times à read as a: show segments"


def test_the_method_is_told_in_whole_sentences(three):
    first = table_of(three)
    told = describe_method(replace(three, excluded=1), first)
    assert told.startswith("3 systems read 60 segments from 12 clusters (page) of books. 1 more segment is left out")
    assert "micro average" in told
    assert told.endswith(first.method)
