from dataclasses import replace

import numpy as np
import pytest
from tests.report.timings import make_timings

from misread.data.segment_table import Origin
from misread.report.latency import draw_pareto, lay_out_latency
from misread.report.source_units import SourceUnits
from misread.tables import ReportSettings

SETTINGS = ReportSettings(["cer"], names={"a": "A"})


def timings(*seconds, memory=5_000_000, **measured):
    origin = Origin("books", "a", "0123456789", {"engine": "1.2"}, conditions={"concurrency": ["4", "16"]})
    return make_timings(origin, *seconds, memory=memory, **measured)


def test_numbers_are_those_of_numpy():
    seconds = np.random.default_rng(1).gamma(2, 0.05, 50)
    table = lay_out_latency("books", {"a": timings(*seconds)}, SETTINGS, SourceUnits())
    expected = [seconds.mean(), *np.percentile(seconds, [50, 90, 99])]
    assert [cell.text for cell in table.cells[0]] == [
        "A",
        "50",
        *(f"{1000 * value:.1f}" for value in expected),
        f"{50 / seconds.sum():.2f}",
        "5",
    ]
    assert "A: concurrency mixed 4, 16; engine 1.2." in table.notes


def test_systems_that_read_nothing_here_have_no_row_and_alone_no_table():
    table = lay_out_latency("books", {"recorded": timings(), "a": timings(0.1)}, SETTINGS, SourceUnits())
    assert [row[0].text for row in table.cells] == ["A"]
    assert lay_out_latency("books", {"recorded": timings()}, SETTINGS, SourceUnits()) is None


def test_first_readings_are_apart_with_the_time_to_start():
    measured = {"warm_up": [True, False, False], "start_up_seconds": [2.5, np.nan, np.nan]}
    table = lay_out_latency(
        "books", {"a": timings(9.0, 0.1, 0.3, **measured), "b": timings(0.1)}, SETTINGS, SourceUnits()
    )
    shown = {column.plain: [row[place].text for row in table.cells] for place, column in enumerate(table.headings)}
    assert (shown["n"], shown["mean"]) == (["2", "1"], ["200.0", "100.0"])
    assert (shown["first reading"], shown["start-up in s"]) == (["9000.0", ""], ["2.50", ""])
    assert table.records[1][-2:] == (None, None)


def test_first_readings_count_where_there_are_no_others():
    table = lay_out_latency("books", {"a": timings(2.0, warm_up=[True])}, SETTINGS, SourceUnits())
    assert (table.cells[0][1].text, table.cells[0][2].text) == ("1", "2000.0")


def test_readings_whose_latency_is_not_known_are_none_of_this_table(tmp_path, three):
    measured = {"a": timings(0.1, np.nan, 0.3), "b": timings(np.nan, np.nan)}
    table = lay_out_latency("books", measured, SETTINGS, SourceUnits())
    assert [(row[0].text, row[1].text, row[2].text) for row in table.cells] == [("A", "2", "200.0")]
    assert lay_out_latency("books", {"b": measured["b"]}, SETTINGS, SourceUnits()) is None
    measured = {"pero": timings(0.1), "kraken": timings(np.nan)}
    assert draw_pareto(three, "cer", measured, SETTINGS, tmp_path) == []


def test_streams_have_a_first_byte_and_tokens_per_second():
    measured = {"first_byte_seconds": [0.5, np.nan, 0.25], "output_tokens": [40.0, 1000.0, np.nan]}
    table = lay_out_latency("books", {"a": timings(1.0, 1.0, 1.0, **measured)}, SETTINGS, SourceUnits())
    assert [column.plain for column in table.headings][-2:] == ["first byte", "tokens/s"]
    # 40 tokens in half a second; of the other two one was not streamed and one has no tokens.
    assert [cell.text for cell in table.cells[0][-2:]] == ["375.0", "80.0"]


def test_lines_and_pages_are_counted_in_the_time_of_the_readings_that_count():
    pages = SourceUnits(are_pages=True, lines={"s0": 30, "s1": 40, "s2": 25})
    measured = timings(9.0, 2.0, 0.5, warm_up=[True, False, False])
    table = lay_out_latency("books", {"a": measured}, SETTINGS, pages)
    record = table.named_records[0]
    assert record["lines_per_second"] == pytest.approx((40 + 25) / 2.5)
    assert record["pages_per_minute"] == pytest.approx(60 * 2 / 2.5)
    titles = [column.plain for column in table.headings]
    assert {"segments/s", "lines/s", "pages/min"} <= {*titles}


def test_segments_that_are_lines_are_called_so_once():
    table = lay_out_latency("books", {"a": timings(0.5, 0.25)}, SETTINGS, SourceUnits(are_lines=True))
    titles = [column.plain for column in table.headings]
    assert ("lines/s" in titles, "segments/s" in titles, "pages/min" in titles) == (True, False, False)
    record = table.named_records[0]
    assert record["lines_per_second"] == record["segments_per_second"] == pytest.approx(2 / 0.75)


def test_pages_without_known_lines_have_pages_alone():
    table = lay_out_latency("books", {"a": timings(0.5)}, SETTINGS, SourceUnits(are_pages=True))
    assert table.named_records[0]["pages_per_minute"] == 120
    assert "lines_per_second" not in table.record_names


def test_the_figure_has_median_latency(tmp_path, three):
    measured = {"pero": timings(0.1), "kraken": timings(0.2), "recorded": timings()}
    (path,) = draw_pareto(three, "cer", measured, replace(SETTINGS, figure_formats=[]), tmp_path)
    assert path.name == "books_cer_by_latency.svg"
    assert "<!-- median latency in ms -->" in path.read_text(encoding="utf-8")
    assert draw_pareto(three, "cer", {"pero": timings(0.1)}, SETTINGS, tmp_path) == []
