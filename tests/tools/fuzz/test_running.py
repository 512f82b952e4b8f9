import gc
import os
from pathlib import Path

import pytest
from tools.fuzz.running import check, run
from tools.fuzz.targets import Target

from misread.errors import InputFileError
from tools.fuzz import running

SAMPLES = [b"sample"]


def target(take):
    return Target("target", SAMPLES, take, lambda rng, sample, others: sample)


def refuse(data, folder):
    raise InputFileError("one line")


def break_off(data, folder):
    raise KeyError(data)


def say_much(data, folder):
    raise InputFileError("two\nlines")


def run_on(data, folder):
    while True:
        pass


@pytest.mark.parametrize(
    ("take", "expected"),
    [
        (lambda data, folder: data, None),
        (refuse, ""),
        (break_off, "KeyError in no line of misread"),
        (say_much, "InputFileError of several lines or with control characters"),
        (run_on, "took more than 0.1 s in no line of misread"),
    ],
)
def test_every_end_of_an_input_is_told_apart(monkeypatch, tmp_path, take, expected):
    monkeypatch.setattr(running, "CPU_SECONDS", 0.1)
    assert check(target(take), b"", tmp_path) == expected


def test_findings_are_counted_once_and_kept(tmp_path):
    def take(data: bytes, folder: Path) -> None:
        if data != b"sample":
            raise KeyError(data)

    numbers = iter(range(4))
    broken = Target("target", SAMPLES, take, lambda rng, sample, others: b"%d" % next(numbers))
    done = run(broken, 4, 1, tmp_path / "findings")
    assert (done.inputs, done.accepted, done.refused) == (4, 0, 0)
    (file,) = done.findings.values()
    assert [path.name for path in (tmp_path / "findings").iterdir()] == ["target-1.input"]
    assert Path(file).read_bytes() == b"0"


def test_a_process_that_is_ended_is_a_finding_and_leaves_its_input(tmp_path):
    def end(data: bytes, folder: Path) -> None:
        if data == b"2":
            os._exit(7)

    numbers = iter(range(4))
    ending = Target("target", SAMPLES, end, lambda rng, sample, others: b"%d" % next(numbers))
    done = run(ending, 4, 1, tmp_path / "findings")
    assert list(done.findings) == ["the process ended (status 7, negative for a signal)"]
    (file,) = done.findings.values()
    assert Path(file).read_bytes() == b"2"


def test_what_fails_beside_an_input_ends_the_run_and_says_what_it_was(tmp_path):
    def make(rng, sample, others):
        raise KeyError("no such sample")

    with pytest.raises(RuntimeError, match=r"target: inputs could not be taken:(.|\n)*KeyError: 'no such sample'"):
        run(Target("target", SAMPLES, lambda data, folder: None, make), 3, 1, tmp_path)


class Untidy:
    """Garbage that says when it is collected, as a connection that nobody closed."""

    def __init__(self, collected):
        self.me, self.collected = self, collected

    def __del__(self):
        self.collected.append(self.me)


def test_garbage_of_others_is_not_collected_while_an_input_is_taken(tmp_path):
    collected = []

    def take(data, folder):
        Untidy(collected)
        [[] for _ in range(100_000)]
        assert not collected

    assert gc.isenabled()
    assert check(target(take), b"", tmp_path) is None
    assert gc.isenabled()
    gc.collect()
    assert collected
