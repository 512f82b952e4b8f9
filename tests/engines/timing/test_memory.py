import mmap
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from misread.engines.timing.memory import BlockPeak, peak_memory_bytes

MEBIBYTE = 2**20
# Holds 64 MiB, says so, and waits.
HOLD = "import sys\nheld = bytearray(64 * 2**20)\nprint('held', flush=True)\nsys.stdin.read()"


@pytest.mark.process
def test_what_this_process_holds_is_counted():
    # In a new process: in this one, more than all that any test has held would have to be held.
    code = """
from misread.engines.timing.memory import peak_memory_bytes
held = bytearray(peak_memory_bytes() + 32 * 2**20)
assert peak_memory_bytes() >= len(held)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


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
    monkeypatch.setattr("misread.engines.timing.memory._reset_peak", lambda process: False)
    block = BlockPeak()
    assert not block.since_block
    assert block.close() == pytest.approx(peak_memory_bytes(), rel=0.01)
