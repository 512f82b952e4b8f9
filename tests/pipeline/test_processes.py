"""Work on all systems of a data set: every one is done, and the first error is raised as it was."""

import os
from pathlib import Path

import pytest

from misread.errors import TooDifferentError, UnknownNameError
from misread.pipeline.processes import for_each_system

pytestmark = pytest.mark.process


@pytest.fixture(params=[1, 3], ids=["one processor", "three processors"], autouse=True)
def processors(request, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(request.param)))
    return request.param


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def note_process(dataset, system):
    with Path(f"{dataset}-{system}").open("x") as file:
        file.write(str(os.getpid()))


def fail_for_some(dataset, system):
    if system == "b":
        raise UnknownNameError("metric", "ccer", ["cer", "wer"])
    if system == "c":
        raise TooDifferentError(7, (10, 20), 100, name="segment 's'")
    note_process(dataset, system)


@pytest.mark.parametrize("systems", [[], ["a"], list("abcdefg")])
def test_every_system_is_worked_on_once(folder, systems):
    for_each_system(note_process, "lines", systems)
    assert sorted(path.name for path in folder.iterdir()) == [f"lines-{system}" for system in systems]


def test_several_processors_are_used_if_there_are_any(folder, processors):
    for_each_system(note_process, "lines", list("abcdef"))
    workers = {path.read_text() for path in folder.iterdir()}
    assert (str(os.getpid()) in workers) is (processors == 1)


def test_the_error_of_the_first_system_is_raised_as_it_was(folder):
    with pytest.raises(UnknownNameError, match=r"unknown metric 'ccer'\. Did you mean 'cer'\?"):
        for_each_system(fail_for_some, "lines", list("abc"))
    with pytest.raises(TooDifferentError, match="segment 's'") as caught:
        for_each_system(fail_for_some, "books", list("ac"))
    assert (caught.value.pair, caught.value.lengths) == (7, (10, 20))
    assert (folder / "lines-a").is_file()
