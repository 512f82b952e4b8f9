import io
import math
from types import SimpleNamespace

import pytest
from rich.console import Console

from misread.engines.base import Reading
from misread.engines.prices import ModelPrice
from misread.pipeline.capture_tally import CaptureTally, lay_out_facts, reading_progress, show_money

PRICE = ModelPrice(usd_per_1000_tokens=1.0, usd_per_1000_output_tokens=10.0, date="2026-01-01", source="a contract")


def reading(seconds=0.1, reason=None, memory=None, **more):
    return Reading("a", None if reason else "one", reason, seconds, memory, **more)


def tally_of(*readings, before=(), **more):
    tally = CaptureTally("s reads d", **more)
    for each in readings:
        tally.add(each, is_new=True)
    for each in before:
        tally.add(each, is_new=False)
    return tally


def test_readings_made_now_are_told_from_those_before():
    facts = dict(tally_of(reading(), reading(reason="no"), before=[reading(reason="no")]).facts())
    assert facts["readings"] == "3, 2 of them failed"
    assert (facts["read now"].split(" in ")[0], facts["read before"]) == ("2", "1")


@pytest.mark.parametrize(
    ("readings", "name", "expected"),
    [
        (
            [reading(9.0, warm_up=True, start_up_seconds=2.5), reading(0.1), reading(0.3)],
            "latency",
            "median 200.0 ms, p90 280.0 ms; first readings apart: 9,000.0 ms",
        ),
        ([reading(9.0, warm_up=True, start_up_seconds=2.5)], "start-up", "2.50 s"),
        # Where there are first readings alone, they count.
        ([reading(2.0, warm_up=True)], "latency", "2,000.0 ms"),
        ([reading(memory=3_000_000), reading(memory=9_000_000), reading()], "peak memory", "9 MB"),
    ],
)
def test_the_first_reading_of_an_engine_is_apart_and_memory_the_largest_peak(readings, name, expected):
    assert dict(tally_of(*readings).facts())[name] == expected
    # What was not measured has no row.
    assert [fact for fact, _ in tally_of().facts()] == ["readings", "read now", "read before"]


def test_streams_have_a_first_byte_and_a_rate_of_tokens():
    stream = reading(1.0, first_byte_seconds=0.5, input_tokens=300, output_tokens=20)
    facts = dict(tally_of(stream, reading(9.0, output_tokens=1000)).facts())
    assert facts["first byte"] == "500.0 ms, then 40.0 tokens/s"
    assert facts["tokens"] == "300 in, 1,020 out"


def test_money_is_that_of_this_run_and_of_the_whole_capture():
    made, before = reading(input_tokens=100, output_tokens=10), reading(input_tokens=1000, output_tokens=100)
    assert dict(tally_of(made, before=[before], price=PRICE).facts())["cost"] == "0.20 USD now, 2.20 USD in all"


def test_a_price_by_the_segment_needs_no_tokens():
    price = ModelPrice(usd_per_segment=0.5, date="2026-01-01", source="a contract")
    assert tally_of(reading(), reading(reason="no"), price=price).spent(is_new=True) == 1.0
    assert tally_of(reading()).spent(is_new=True) is None


@pytest.mark.parametrize(
    ("dollars", "shown"),
    [(0.0, "0.00 USD"), (0.1, "0.10 USD"), (0.0999, "0.1 USD"), (0.00123, "0.0012 USD"), (1234.5, "1,234.50 USD")],
)
def test_small_sums_are_not_rounded_away_and_an_unknown_one_says_why(dollars, shown):
    assert show_money(dollars) == shown
    assert "usd_per_1000_output_tokens" in show_money(math.nan)


@pytest.mark.parametrize("quiet", [True, False])
def test_the_bar_shows_rate_failures_and_money_unless_it_is_to_be_quiet(monkeypatch, quiet):
    shown = io.StringIO()
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=shown, width=150))
    tally = CaptureTally("s reads [d]", PRICE)
    with reading_progress(tally, 3, quiet=quiet) as listeners:
        listeners.on_found(reading())
        listeners.on_reading(reading(input_tokens=500))
        listeners.on_reading(reading(reason="no"))
    assert (tally.made, tally.read_before, tally.failed) == (2, 1, 1)
    line = shown.getvalue()
    assert (line == "") is quiet
    if not quiet:
        assert "s reads [d]" in line
        assert "2/2" in line
        assert "1 failed, 0.50 USD" in line


def test_the_bar_shows_the_rate_and_the_time_that_is_left(monkeypatch):
    shown, clock = io.StringIO(), [0.0]
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=shown, width=150, get_time=lambda: clock[-1]))
    monkeypatch.setattr("misread.pipeline.capture_tally.time", SimpleNamespace(monotonic=lambda: clock[-1]))
    with reading_progress(CaptureTally("s reads d"), 30) as listeners:
        for seconds in (2.0, 4.0, 6.0):
            clock.append(seconds)
            listeners.on_reading(reading())
    line = shown.getvalue()
    # Six seconds have gone by, and 27 readings at one in two seconds are left.
    assert "3/30 0:00:06 0:00:54 0.5/s" in line


def test_the_summary_is_a_table_whose_labels_are_escaped():
    shown = lay_out_facts("s reads \x1b[d", [("readings", "1"), ("cost", "2\n3")])
    assert shown.splitlines() == [r"s reads \x1b[d", "  readings  1", r"  cost      2\n3"]
