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


def test_a_process_that_is_ended_is_a_finding_and_the_next_input_follows(tmp_path):
    def end(data: bytes, folder: Path) -> None:
        if not (tmp_path / "ended").exists() and data == b"other":
            (tmp_path / "ended").touch()
            os._exit(7)

    ending = Target("target", SAMPLES, end, lambda rng, sample, others: b"other")
    done = run(ending, 3, 1, tmp_path / "findings")
    assert (done.inputs, done.accepted, list(done.findings)) == (
        3,
        2,
        ["the process ended (status 7, negative for a signal)"],
    )
    assert (tmp_path / "findings/target-1.input").read_bytes() == b"other"


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
