import numpy as np

from misread.records import Origin, Timings
from misread.report import ReportSettings
from misread.report.tables.latency import lay_out_latency

SETTINGS = ReportSettings(["cer"], names={"a": "A"})


def timings(*seconds, memory=5_000_000):
    origin = Origin("books", "a", "0123456789", {"engine": "1.2"})
    return Timings(origin, np.array(seconds), np.full(len(seconds), memory))


def test_numbers_are_those_of_numpy():
    seconds = np.random.default_rng(1).gamma(2, 0.05, 50)
    table = lay_out_latency("books", {"a": timings(*seconds)}, SETTINGS)
    expected = [seconds.mean(), *np.percentile(seconds, [50, 90, 99])]
    assert [cell.text for cell in table.rows[0]] == [
        "A",
        "50",
        *(f"{1000 * value:.1f}" for value in expected),
        f"{50 / seconds.sum():.2f}",
        "5",
    ]
    assert "A: engine 1.2." in table.notes


def test_systems_that_read_nothing_here_have_no_row():
    table = lay_out_latency("books", {"recorded": timings(), "a": timings(0.1)}, SETTINGS)
    assert [row[0].text for row in table.rows] == ["A"]


def test_where_nothing_was_measured_there_is_no_table():
    assert lay_out_latency("books", {"recorded": timings()}, SETTINGS) is None
