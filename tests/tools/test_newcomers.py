from itertools import islice

import pytest
from tools.newcomers import TASKS, Command, Edit, count, edit, measure

SCREENFUL = 50
TYPED = [(name, step) for name, task in TASKS.items() if name != "study" for step in task.steps]


@pytest.mark.parametrize(("name", "command"), TYPED)
def test_what_a_command_prints_stays_within_its_lines(misread, tmp_path, name, command):
    TASKS[name].write(tmp_path)
    done = misread(*command.words[1:])
    assert done.status == command.status
    assert 0 < len((done.out + done.err).splitlines()) <= command.most_lines


@pytest.mark.pipeline
@pytest.mark.process
@pytest.mark.slow
def test_the_beginning_of_a_study_prints_no_more_than_its_lines(tmp_path):
    # All of it takes half a minute: python -m tools.newcomers study. What `dvc repro` prints is counted where it runs.
    for command, printed in islice(measure(TASKS["study"], tmp_path), 1):
        assert printed.lines <= command.most_lines, command.words


def test_no_command_may_print_more_than_a_screenful():
    commands = [step for task in TASKS.values() for step in task.steps if isinstance(step, Command)]
    assert max(command.most_lines for command in commands) <= SCREENFUL


@pytest.mark.parametrize("name", TASKS)
def test_data_are_the_same_every_time(tmp_path, name):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        TASKS[name].write(tmp_path / folder)
    one, two = (
        {path.relative_to(tmp_path / folder): path.read_bytes() for path in (tmp_path / folder).rglob("*.*")}
        for folder in ("one", "two")
    )
    assert one == two != {}


def test_lines_and_words_are_counted():
    assert count("one two\n\nthree\n") == (1, 3, 3)


def test_an_edit_replaces_a_text_or_says_that_there_is_none(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    edit(tmp_path, Edit("a.txt", "old", "new"))
    assert (tmp_path / "a.txt").read_text() == "new"
    with pytest.raises(SystemExit, match="has no 'old' to replace"):
        edit(tmp_path, Edit("a.txt", "old", "new"))
