"""Six things that new users do: what they type works, answers what they ask, and prints no more than it did."""

import re
import subprocess

import pytest
from tests.documents.blocks import EXAMPLES, ROOT
from tests.newcomers import TASKS, measure_all

pytestmark = [pytest.mark.process, pytest.mark.slow]
# Lines that are one however long they are: of signatures, LaTeX, messages, and the answers of diff and gate.
WORDS = "hint|warning|note|PASS|IMPROVEMENT|paired|randomisation|Running|the texts of"
LONG = re.compile(rf"\w+\|\w+:|.*\\|.* makes the fewest |(?:{WORDS})\b")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Each task as it was done, with the stages of the study run without DVC."""
    return measure_all(tmp_path_factory.mktemp("tasks"), repro="misread stage all")


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_answered_with_few_words(measured, name):
    effort, said = measured[name]
    assert TASKS[name].answer in " ".join(said.split())
    assert all(number <= most for number, most in zip(effort, TASKS[name].most, strict=True)), effort


@pytest.mark.parametrize("name", TASKS)
def test_its_tables_and_notes_fit_a_screen_of_80_columns(measured, name):
    _, said = measured[name]
    assert [line for line in said.splitlines() if len(line) > 80 and not LONG.match(line)] == []
    assert ("Left out" in said, "\\begin{tabular}" in said) == (False, name == "paper")


def test_commands_of_the_readme_run_on_the_examples(tmp_path, misread):
    lines = re.findall(r"^    (misread (?:score|init) .*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(lines) >= 4
    subprocess.run(["cp", "-R", f"{EXAMPLES}/.", str(tmp_path)], check=True)
    for line in lines:
        done = misread(*(word.strip("'") for word in line.split()[1:]))
        assert done.status == 0, done.err
