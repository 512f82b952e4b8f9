import pytest
from tests.newcomers import TASKS

# `misread init` starts Git.
MARKS = {"study": [pytest.mark.process]}
TYPED = [pytest.param(name, step, marks=MARKS.get(name, ())) for name, task in TASKS.items() for step in task.steps]


@pytest.mark.parametrize(("name", "command"), TYPED)
def test_what_a_command_prints_stays_within_its_lines(misread, tmp_path, name, command):
    TASKS[name].write(tmp_path)
    done = misread(*command.words[1:])
    assert done.status == command.status
    assert 0 < len((done.out + done.err).splitlines()) <= command.most_lines
