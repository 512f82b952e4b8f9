"""Latencies and throughput."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

from misread.engines.timing.latency import LatencyMeter, real_time_factor, throughput
from misread.errors import InputTypeError, UndefinedResultError


def test_a_block_is_measured_in_milliseconds() -> None:
    meter = LatencyMeter()
    for _ in range(3):
        with meter.measure():
            time.sleep(0.002)
    assert len(meter.seconds) == 3
    assert 2.0 <= meter.mean() < 500.0


def test_a_block_that_raises_is_no_latency() -> None:
    meter = LatencyMeter()
    with pytest.raises(ValueError, match="broken"), meter.measure():
        raise ValueError("broken")
    assert meter.seconds == []


@pytest.mark.parametrize("percent", [0, 50, 90, 99, 100])
def test_percentiles_are_interpolated_linearly(percent: int) -> None:
    seconds = [0.4, 0.1, 0.2, 0.7]
    expected = 1000 * np.interp(percent / 100 * 3, range(4), sorted(seconds))
    assert LatencyMeter(seconds).percentile(percent) == pytest.approx(expected)


def test_the_summary_holds_what_the_specification_names() -> None:
    assert LatencyMeter([0.1, 0.3]).summary() == pytest.approx(
        {"mean": 200.0, "p50": 200.0, "p90": 280.0, "p99": 298.0, "n": 2}
    )


def test_nothing_measured_has_no_mean() -> None:
    with pytest.raises(UndefinedResultError, match="no latency was measured"):
        LatencyMeter().mean()


def test_a_percentile_out_of_range_is_refused() -> None:
    with pytest.raises(UndefinedResultError, match="not at 101"):
        LatencyMeter([0.1]).percentile(101)


def test_throughput_has_three_units() -> None:
    found = throughput(30, 60.0, lines=600, pages=20)
    assert (found.samples_per_second, found["lines_per_second"], found.pages_per_minute) == (0.5, 10.0, 20.0)
    assert throughput(30, 60.0).lines_per_second is None


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan")])
def test_no_time_has_no_throughput(seconds: float) -> None:
    with pytest.raises(UndefinedResultError, match="a time above 0"):
        throughput(1, seconds)


def test_the_peak_of_memory_is_kept_beside_the_latencies() -> None:
    meter = LatencyMeter()
    assert meter.peak_memory_bytes is None
    with meter.measure():
        held = bytearray(1000)
    assert meter.peak_memory_bytes > len(held)


BLOCKS = """
from misread.engines.timing.latency import LatencyMeter
mebibyte = 2**20
large = bytearray(256 * mebibyte)
del large
meter = LatencyMeter()
with meter.measure():
    pass
small = meter.peak_memory_bytes
with meter.measure():
    held = bytearray(64 * mebibyte)
    del held
with meter.measure():
    pass
assert meter.peak_is_of_blocks
print((meter.peak_memory_bytes - small) // mebibyte)
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="a peak can be set back on Linux only")
def test_the_peak_is_that_of_the_largest_block_and_not_of_what_was_before() -> None:
    # In a process of its own: libraries that other tests load keep what was freed, and a block is given that.
    done = subprocess.run([sys.executable, "-c", BLOCKS], capture_output=True, text=True, check=True)
    assert 48 < int(done.stdout) < 128


def test_a_block_that_raises_leaves_the_peak_as_it_was() -> None:
    meter = LatencyMeter()
    with pytest.raises(ValueError, match="broken"), meter.measure():
        raise ValueError("broken")
    assert meter.peak_memory_bytes is None


@pytest.mark.parametrize("seconds", [None, "0.5", ["0.5"], [None], 0.5])
def test_latencies_that_are_not_numbers_in_a_row_are_refused(seconds: object) -> None:
    with pytest.raises(InputTypeError, match="seconds"):
        LatencyMeter(seconds)


def test_the_example_of_the_specification_prints() -> None:
    meter = LatencyMeter([0.010, 0.012])
    assert f"Mean: {meter.mean():.2f}ms, P90: {meter.percentile(90):.2f}ms" == "Mean: 11.00ms, P90: 11.80ms"


def test_audio_has_a_real_time_factor() -> None:
    assert throughput(3, 30.0, audio_seconds=120.0).real_time_factor == real_time_factor(30.0, 120.0) == 0.25
    assert throughput(3, 30.0).real_time_factor is None


@pytest.mark.parametrize(("seconds", "audio"), [(1.0, 0.0), (1.0, -1.0), (-1.0, 1.0), (1.0, float("nan"))])
def test_audio_without_length_has_no_real_time_factor(seconds: float, audio: float) -> None:
    with pytest.raises(UndefinedResultError):
        real_time_factor(seconds, audio)


@pytest.mark.parametrize("kind", ["lines", "pages"])
def test_a_negative_number_is_refused(kind: str) -> None:
    with pytest.raises(UndefinedResultError, match=f"the number of {kind} is -1"):
        throughput(1, 1.0, **{kind: -1})
