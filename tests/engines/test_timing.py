from __future__ import annotations

import mmap
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest

from misread.engines.timing import BlockPeak, LatencyMeter, peak_memory_bytes, throughput
from misread.errors import InputTypeError, UndefinedResultError

MEBIBYTE = 2**20
# Holds 64 MiB, says so, and waits.
HOLD = "import sys\nheld = bytearray(64 * 2**20)\nprint('held', flush=True)\nsys.stdin.read()"


@pytest.mark.process
def test_what_this_process_holds_is_counted():
    # In a new process: in this one, more than all that any test has held would have to be held. A shell starts it: the
    # peak of a process begins with that of the one that started it.
    code = """
from misread.engines.timing import peak_memory_bytes
held = bytearray(peak_memory_bytes() + 32 * 2**20)
assert peak_memory_bytes() >= len(held)
"""
    subprocess.run(["sh", "-c", '"$0" -c "$1"; exit $?', sys.executable, code], check=True)


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="running processes are seen on Linux only")
def test_what_a_running_child_holds_is_counted_and_an_ended_one_is_not_forgotten():
    before = peak_memory_bytes()
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        assert peak_memory_bytes() - before >= 64 * MEBIBYTE
        child.stdin.close()
        child.wait()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert peak_memory_bytes() - own >= 64 * MEBIBYTE


@contextmanager
def holding(size: int) -> Iterator[None]:
    """Hold memory of the system's own, and give it back.

    What a library has made the allocator keep for later would otherwise be taken, and nothing be given back.
    """
    with mmap.mmap(-1, size) as held:
        for place in range(0, size, mmap.PAGESIZE):
            held[place] = 1
        yield


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="a peak can be set back on Linux only")


@pytest.mark.slow
@on_linux
def test_what_was_given_back_before_a_block_is_not_its_peak():
    before = BlockPeak()
    with holding(256 * MEBIBYTE):
        pass
    assert before.close() > 256 * MEBIBYTE
    block = BlockPeak()
    with holding(32 * MEBIBYTE):
        start = BlockPeak().close()
        assert block.since_block
        assert start - 16 * MEBIBYTE < block.close() < start + 128 * MEBIBYTE
        assert peak_memory_bytes() > 32 * MEBIBYTE


@pytest.mark.slow
@on_linux
def test_a_block_inside_takes_nothing_from_the_block_around_it():
    around = BlockPeak()
    with holding(256 * MEBIBYTE):
        pass
    inside = BlockPeak().close()
    assert around.close() - inside > 200 * MEBIBYTE


@on_linux
@pytest.mark.process
def test_a_running_child_counts_with_what_it_holds_in_the_block():
    with subprocess.Popen([sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        block = BlockPeak()
        with_child = block.close()
        child.stdin.close()
        child.wait()
    assert with_child - BlockPeak().close() > 60 * MEBIBYTE


def test_where_a_peak_cannot_be_set_back_it_is_that_of_the_process(monkeypatch):
    monkeypatch.setattr("misread.engines.timing._reset_peak", lambda process: False)
    block = BlockPeak()
    assert not block.since_block
    assert block.close() == pytest.approx(peak_memory_bytes(), rel=0.01)


def test_a_block_is_measured_in_milliseconds_and_its_memory_beside_them() -> None:
    meter = LatencyMeter()
    for _ in range(3):
        with meter.measure():
            held = bytearray(1000)
            time.sleep(0.002)
    assert len(meter.seconds) == 3
    assert 2.0 <= meter.mean() < 500.0
    assert meter.peak_memory_bytes > len(held)


@pytest.mark.parametrize("percent", [0, 50, 90, 99, 100])
def test_percentiles_are_interpolated_linearly(percent: int) -> None:
    seconds = [0.4, 0.1, 0.2, 0.7]
    expected = 1000 * np.interp(percent / 100 * 3, range(4), sorted(seconds))
    assert LatencyMeter(seconds).percentile(percent) == pytest.approx(expected)


def test_the_summary_holds_what_the_specification_names() -> None:
    assert LatencyMeter([0.1, 0.3]).summary() == pytest.approx(
        {"mean": 200.0, "p50": 200.0, "p90": 280.0, "p99": 298.0, "n": 2}
    )


def test_throughput_has_three_units() -> None:
    found = throughput(30, 60.0, lines=600, pages=20)
    assert (found.samples_per_second, found["lines_per_second"], found.pages_per_minute) == (0.5, 10.0, 20.0)
    assert throughput(30, 60.0).lines_per_second is None
    assert (float(found), f"{found:.2f}", f"{found}") == (0.5, "0.50", str(found))


BLOCKS = """
from misread.engines.timing import LatencyMeter
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


def test_a_block_that_raises_is_no_latency_and_leaves_the_peak_as_it_was() -> None:
    meter = LatencyMeter()
    with pytest.raises(ValueError, match="broken"), meter.measure():
        raise ValueError("broken")
    assert (meter.seconds, meter.peak_memory_bytes) == ([], None)


@pytest.mark.parametrize("seconds", [None, "0.5", ["0.5"], [None], 0.5])
def test_latencies_that_are_not_numbers_in_a_row_are_refused(seconds: object) -> None:
    with pytest.raises(InputTypeError, match="seconds"):
        LatencyMeter(seconds)


def test_the_example_of_the_specification_prints() -> None:
    meter = LatencyMeter([0.010, 0.012])
    assert f"Mean: {meter.mean():.2f}ms, P90: {meter.percentile(90):.2f}ms" == "Mean: 11.00ms, P90: 11.80ms"


NO_TIME = [0.0, -1.0, float("nan")]


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (LatencyMeter().mean, "no latency was measured"),
        (partial(LatencyMeter([0.1]).percentile, 101), "not at 101"),
        *((partial(throughput, 1, seconds), "a time above 0") for seconds in NO_TIME),
        *((partial(throughput, 1, 1.0, **{kind: -1}), f"the number of {kind} is -1") for kind in ("lines", "pages")),
    ],
)
def test_what_has_no_meaning_is_no_number(measure: Callable[[], float], said: str) -> None:
    with pytest.raises(UndefinedResultError, match=said):
        measure()
