"""`misread score --executor dask` prints what it prints without."""

from functools import partial

import pytest

from misread import execution
from misread.stats.bootstrap import draws

REFERENCE = "".join(f"line {number} with some words\n" for number in range(30))


@pytest.fixture
def files(tmp_path):
    for name, text in {"ref": REFERENCE, "a": REFERENCE.replace("some", "same"), "b": REFERENCE.upper()}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return "ref.txt", "a.txt", "b.txt", "--tests", "bootstrap"


def test_numbers_are_those_of_this_process(misread, files, monkeypatch, schedulers):
    monkeypatch.setattr(draws, "SECONDS_WORTH_SENDING", 0.0)
    here = misread("score", *files)
    there = misread("score", *files, "--executor", "dask", "--scheduler", schedulers(2))
    assert (there.status, there.out) == (here.status, here.out) == (0, here.out)


def test_an_address_at_which_nothing_answers_is_one_line(misread, files, monkeypatch):
    pytest.importorskip("distributed", reason="misread[dask] is not installed")
    monkeypatch.setattr(draws, "SECONDS_WORTH_SENDING", 0.0)
    monkeypatch.setattr(execution, "Dask", partial(execution.Dask, patience=0.5))
    done = misread("score", *files, "--executor", "dask", "--scheduler", "tcp://127.0.0.1:9")
    assert done.status == 1
    assert done.err.splitlines()[-1].startswith("error: no Dask scheduler answers at tcp://127.0.0.1:9; start one")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scheduler", "tcp://a:1"), "--scheduler is for --executor dask; name that as well."),
        (("--workers", "3"), "--workers is for --executor dask; name that as well."),
        (("--executor", "dask", "--workers", "2", "--scheduler", "tcp://a:1"), "name one of the two."),
        (("--executor", "dask", "--workers", "0"), "--workers is 0, expected 1 or more."),
    ],
)
def test_options_that_do_not_belong_together_are_refused(misread, files, options, message):
    done = misread("score", *files, *options)
    assert (done.status, done.err.strip().endswith(message)) == (1, True), done.err


def test_an_unknown_executor_lists_the_choices(misread, files):
    done = misread("score", *files, "--executor", "spark")
    assert done.status != 0
    assert "There are: dask, local." in done.err
