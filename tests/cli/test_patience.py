"""A command that takes long says what it does, once, on standard error; one that does not says nothing."""

import io
import subprocess
import sys
import threading
import time
from types import FunctionType

import pytest

from misread.cli import patience
from misread.compiled.jit import Kernel


def work():
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass


def as_of(module):
    """A function that takes long, as if it were of a module."""
    return FunctionType(work.__code__, {"__name__": module, "time": time})


@pytest.fixture
def said(monkeypatch):
    """What is said of work after a hundredth of a second, or another time."""

    def run(of, seconds=0.01):
        monkeypatch.setattr(patience, "SECONDS", seconds)
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        with patience.say_what_takes_long():
            of()
        time.sleep(0.02)
        return sys.stderr.getvalue()

    return run


def test_work_that_is_done_in_time_is_not_spoken_of(said):
    assert said(lambda: None) == ""


def test_waiting_is_not_spoken_of(said):
    # Threads that other tests left behind may work meanwhile, though not all the time.
    assert "" in [said(lambda: time.sleep(0.1), seconds=0.09) for _ in range(3)]


def test_work_of_another_package_is_called_starting(said):
    assert said(work) == "note: starting; not done yet.\n"


@pytest.mark.parametrize(
    ("module", "activity"),
    [
        ("misread.data.table", "reading the data"),
        ("misread.tally", "counting errors"),
        ("misread.stats.compare.compare", "resampling and testing differences"),
    ],
)
def test_the_innermost_package_that_is_at_work_is_named(said, module, activity):
    assert said(as_of(module)) == f"note: {activity}; not done yet.\n"


@pytest.mark.parametrize(("are_kept", "expected"), [(True, "done once, and kept"), (False, "no folder can be written")])
def test_compiling_is_named_whichever_thread_does_it(said, monkeypatch, are_kept, expected):
    monkeypatch.setattr(Kernel, "are_kept", are_kept)
    thread = threading.Thread(target=as_of("numba.core.compiler"))
    thread.start()
    assert expected in said(work)
    thread.join()


PROGRAM = """
import sys
from misread.cli import patience, main
patience.SECONDS = {seconds}
sys.argv = ["misread", "score", "gold.txt", "a.txt", "--output", "json"]
main()
"""


@pytest.mark.process
@pytest.mark.parametrize(("seconds", "notes"), [(0.0, 1), (60.0, 0)])
def test_a_command_says_so_once_and_never_on_standard_output(tmp_path, seconds, notes):
    for name in ("gold", "a"):
        (tmp_path / f"{name}.txt").write_text("the quick brown fox\n", encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM.format(seconds=seconds)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("{")
    assert "note:" not in done.stdout
    assert done.stderr.count("note:") == notes


@pytest.mark.process
def test_the_library_says_nothing(tmp_path):
    program = "import misread; print(misread.cer('ab', 'ax')); import threading; print(threading.active_count())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0.5", "1"]
    assert done.stderr == ""
