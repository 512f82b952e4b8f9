"""Work on all systems of a data set: every one is done, and the first error is raised as it was."""

import os
from functools import partial
from pathlib import Path

import pytest

from misread.errors import TooDifferentError, UnknownNameError
from misread.execution import Local
from misread.pipeline.system_tasks import results_of

pytestmark = pytest.mark.process


@pytest.fixture(params=[1, 3], ids=["one processor", "three processors"], autouse=True)
def processors(request, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(request.param)))
    return request.param


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


BIG = 1_000_000


@pytest.fixture(autouse=True)
def big(folder):
    (folder / "big").mkdir()
    (folder / "big/input").write_bytes(bytes(BIG))


def work_on(systems, function, inputs=(Path("big/input"),), dataset="lines"):
    assert len(list(results_of(partial(function, dataset), systems, inputs, Local(), "working"))) == len(systems)


def note_process(dataset, system):
    with Path(f"{dataset}-{system}").open("x") as file:
        file.write(str(os.getpid()))


def written(folder):
    return [path for path in folder.iterdir() if path.is_file()]


def fail_for_some(dataset, system):
    if system == "b":
        raise UnknownNameError("metric", "ccer", ["cer", "wer"])
    if system == "c":
        raise TooDifferentError(7, (10, 20), 100, name="segment 's'")
    note_process(dataset, system)


@pytest.mark.parametrize("systems", ["", "a", "abcdefg"])
def test_every_system_is_worked_on_once(folder, systems):
    work_on(systems, note_process)
    assert sorted(path.name for path in written(folder)) == [f"lines-{system}" for system in systems]


def test_several_processors_are_used_if_there_are_any(folder, processors):
    work_on("abcdef", note_process)
    workers = {path.read_text() for path in written(folder)}
    assert (str(os.getpid()) in workers) is (processors == 1)


@pytest.mark.parametrize("sizes", [{"a": BIG - 1}, {"a": BIG // 2, "b": BIG // 2 - 1}, {}])
def test_small_inputs_are_worked_on_in_this_process(folder, sizes):
    for name, size in sizes.items():
        (folder / "big" / name).write_bytes(bytes(size))
    work_on("abc", note_process, [Path("big", system) for system in "abc"])
    assert {path.read_text() for path in written(folder)} == {str(os.getpid())}


def test_inputs_of_all_systems_together_are_worth_processes(folder, processors):
    (folder / "big/a").write_bytes(bytes(BIG // 2))
    (folder / "big/b").write_bytes(bytes(BIG // 2))
    work_on("ab", note_process, [Path("big/a"), Path("big/b")])
    assert (str(os.getpid()) in {path.read_text() for path in written(folder)}) is (processors == 1)


def test_the_error_of_the_first_system_is_raised_as_it_was(folder):
    with pytest.raises(UnknownNameError, match=r"unknown metric 'ccer'\. Did you mean 'cer'\?"):
        work_on("abc", fail_for_some)
    with pytest.raises(TooDifferentError, match="segment 's'") as caught:
        work_on("ac", fail_for_some, dataset="books")
    assert (caught.value.pair, caught.value.lengths) == (7, (10, 20))
    assert (folder / "lines-a").is_file()
