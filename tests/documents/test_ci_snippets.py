"""The pipelines that the guide offers for continuous integration."""

import pytest
import yaml
from documents.blocks import ROOT, blocks

from misread.cli.app import app

SNIPPETS = blocks((ROOT / "docs/guide/comparing-commits.md").read_text(encoding="utf-8"), "yml")


def scripts(snippet):
    """Lines of shell of every job."""
    content = yaml.safe_load(snippet)
    jobs = content["jobs"].values() if "jobs" in content else [content["results"]]
    steps = [step for job in jobs for step in job.get("steps", []) if "run" in step]
    return [step["run"] for step in steps] or [line for job in jobs for line in job["script"]]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=["github", "gitlab"])
def test_a_snippet_runs_a_command_that_there_is_with_options_that_it_has(snippet):
    from typer.main import get_command

    (line,) = [line for script in scripts(snippet) for line in script.splitlines() if "misread diff" in line]
    known = {name for option in get_command(app).commands["diff"].params for name in option.opts}
    assert {word for word in line.split() if word.startswith("--")} <= known
    assert "--fail-on regression" in line
    assert any("pip install 'misread[pipeline]'" in script for script in scripts(snippet))
