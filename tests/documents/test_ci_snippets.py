"""The pipelines that the guide offers for continuous integration."""

import re
import shlex

import pytest
import yaml
from tests.documents.blocks import ROOT, blocks
from typer.main import get_command

from misread.cli.app import make_app

GUIDE = ROOT / "docs/how-to"
GATES = (GUIDE / "gates.md").read_text(encoding="utf-8")
GITHUB, GITLAB = map(yaml.safe_load, blocks(GUIDE / "gates.md", "yml"))
LINES = [
    line
    for name in ("gates", "comparing-commits")
    for block in blocks(GUIDE / f"{name}.md", "bash")
    for line in block.splitlines()
    if line.startswith(("misread gate", "misread diff"))
]


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES)
def test_a_line_runs_a_command_that_there_is_with_options_that_it_has(line):
    _, command, *words = shlex.split(line, comments=True)
    known = {name for option in get_command(make_app()).commands[command].params for name in option.opts}
    assert {word for word in words if word.startswith("--")} <= known


def test_the_workflow_gives_the_action_inputs_that_it_has():
    *_, step = GITHUB["jobs"]["gate"]["steps"]
    folder = step["uses"].removeprefix("OWNER/misread/").partition("@")[0]
    inputs = yaml.safe_load((ROOT / folder / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert set(step["with"]) <= set(inputs)
    assert {name for name, of in inputs.items() if of.get("required")} <= set(step["with"])
    assert all(f"`{name}`" in GATES for name in inputs)
    assert GITHUB["jobs"]["gate"]["steps"][0]["with"] == {"fetch-depth": 0}
    assert GITHUB["permissions"]["pull-requests"] == "write"


def test_the_job_has_the_variables_that_its_lines_read():
    job = GITLAB["gate"]
    read = set(re.findall(r"\$\{?(MISREAD_\w+)", "\n".join(job["before_script"] + job["script"])))
    assert read == {name for name in job["variables"] if name.startswith("MISREAD_")}
    assert job["variables"]["GIT_DEPTH"] == "0"


def test_the_job_gives_the_gate_options_that_it_has():
    known = {name for option in get_command(make_app()).commands["gate"].params for name in option.opts}
    options = set(re.findall(r"(?<= )--[a-z-]+", "\n".join(GITLAB["gate"]["script"])))
    assert {"--baseline", "--metrics", "--margin", "--markdown"} <= options <= known
