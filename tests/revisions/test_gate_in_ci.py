"""The action for GitHub and the guide's job for GitLab: their shell lines run in a small repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.documents.blocks import blocks

from misread.cli.gate import STATUS

from .conftest import CLUSTERS, IDS, REFERENCES, Project, read_badly

pytestmark = [pytest.mark.pipeline, pytest.mark.process]
EXPRESSION = re.compile(r"\$\{\{ *(.+?) *\}\}")


def write_program(folder: Path, name: str, lines: str) -> None:
    """A program that notes its arguments, one a line, and does these lines."""
    path = folder / name
    path.write_text(f'#!/bin/bash\nprintf "%s\\n" "$@" > "{folder}/{name}.arguments"\n{lines}\n', encoding="utf-8")
    path.chmod(0o755)


class Runner:
    """Runs shell lines as a CI runner does; programs in `programs` come first."""

    def __init__(self, project: Project, folder: Path) -> None:
        self.project, self.folder = project, folder
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in ("gh", "curl", "python"):
            write_program(self.programs, name, "")

    def shell(self, lines: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(self.programs), str(Path(sys.executable).parent), os.environ["PATH"]])
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", lines],
            cwd=self.project.root,
            env={**os.environ, **variables, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    def arguments(self, program: str) -> list[str]:
        path = self.programs / f"{program}.arguments"
        return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []


@pytest.fixture
def runner(fresh, tmp_path, write_results) -> Runner:
    """A pull request on `main` that makes system a much worse, checked out without its results."""
    fresh.git("update-ref", "refs/remotes/origin/main", "HEAD")
    fresh.git("checkout", "--quiet", "-b", "faster")
    read = {"a": read_badly(2), "b": read_badly(10)}
    write_results(fresh.root, read=read, references=REFERENCES, ids=IDS, clusters=CLUSTERS)
    fresh.track()
    fresh.commit("read faster")
    shutil.rmtree(fresh.root / "build")
    return Runner(fresh, tmp_path)


@pytest.fixture
def act(runner, repository):
    """Run the composite action as GitHub does; gives the status of the job and what its steps printed."""
    action = yaml.safe_load((repository / ".github/actions/gate/action.yml").read_text(encoding="utf-8"))

    def run(**inputs: str) -> tuple[int, str]:
        values = {f"inputs.{name}": of.get("default", "") for name, of in action["inputs"].items()}
        assert {name for name, of in action["inputs"].items() if of.get("required")} <= {*inputs}
        values |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        values |= {"github.token": "t0ken", "github.event.number": "7"}
        files = {name: runner.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.touch()
        common = {**{name: str(path) for name, path in files.items()}, "RUNNER_TEMP": str(runner.folder)}
        printed = ""
        for step in action["runs"]["steps"]:
            # What a user may set must come in as a variable, never as a part of the lines.
            assert not EXPRESSION.search(step["run"])
            assert step["shell"] == "bash"
            if step["name"] == "Install misread" and not values["inputs.package"]:
                continue
            if step["name"] == "Comment on the pull request" and values["inputs.comment"] != "true":
                continue
            variables = {name: EXPRESSION.sub(lambda of: values[of[1]], text) for name, text in step["env"].items()}
            done = runner.shell(step["run"], GITHUB_BASE_REF="main", **common, **variables)
            printed += done.stdout + done.stderr
            for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines():
                name, _, value = line.partition("=")
                values[f"steps.{step.get('id')}.outputs.{name}"] = value
                values.setdefault(f"steps.gate.outputs.{name}", value)
            if done.returncode:
                return done.returncode, printed
        return 0, printed

    return run


@pytest.fixture
def work(runner, repository):
    """Run the job of the guide as GitLab does; gives its status and what it printed."""
    *_, block = blocks(repository / "docs/how-to/gates.md", "yml")
    job = yaml.safe_load(block)["gate"]

    def run(**variables: str) -> tuple[int, str]:
        base = runner.project.git("merge-base", "origin/main", "HEAD")
        given = {**job["variables"], "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_API_V4_URL": "https://git.example.org"}
        given |= {"CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "7", **variables}
        given = {name: given.get(text[1:], text) for name, text in given.items()}
        done = runner.shell("\n".join([*job["before_script"], *job["script"]]), **given)
        after = runner.shell("\n".join(job["after_script"]), **given)
        assert after.returncode == 0, after.stderr
        return done.returncode, done.stdout + done.stderr

    run.job = job
    return run


def test_the_action_fails_a_loss_and_comments_on_the_pull_request(act, runner):
    status, printed = act(metrics="cer", margin="0.002", package="misread[pipeline]==1.0")
    assert status == STATUS["fail"], printed
    assert printed.startswith("FAIL  worse than ")
    comment = (runner.folder / "gate.md").read_text(encoding="utf-8")
    assert comment.startswith("**FAIL** worse than ")
    assert (runner.folder / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8") == comment
    assert runner.arguments("python") == ["-m", "pip", "install", "--quiet", "misread[pipeline]==1.0"]
    assert runner.arguments("gh")[:5] == ["pr", "comment", "7", "--body-file", str(runner.folder / "gate.md")]


def test_the_action_hands_on_its_inputs_and_ends_with_the_outcome(act, runner):
    ended = 'echo "said" > "${@: -1}"; exit '
    write_program(runner.programs, "misread", f"{ended}3")
    given = {"metrics": "cer,wer", "margin": "cer=0.002 wer=0.01", "systems": "a b;exit", "datasets": "lines"}
    given["package"] = ""
    assert act(**given, comment="false")[0] == STATUS["cannot tell"]
    base = runner.project.git("merge-base", "origin/main", "HEAD")
    assert runner.arguments("misread") == [
        *("gate", "--baseline", base, "--metrics", "cer,wer", "--margin", "cer=0.002", "--margin", "wer=0.01"),
        *("--systems", "a b;exit", "--datasets", "lines", "--markdown", str(runner.folder / "gate.md")),
    ]
    assert runner.arguments("gh") == runner.arguments("python") == []
    assert act(metrics="cer", margin="0.002", cannot_tell="pass")[0] == 0
    assert runner.arguments("gh") != []


def test_a_typo_in_what_to_do_where_nobody_can_tell_is_refused(act):
    status, printed = act(metrics="cer", margin="0.002", cannot_tell="ignore")
    assert (status, printed) == (2, "cannot-tell is 'ignore', expected fail or pass.\n")


def test_the_job_passes_within_the_margin_and_leaves_a_file(work, runner):
    status, printed = work(MISREAD_MARGIN="0.1")
    assert status == 0, printed
    assert printed.startswith("PASS  2 comparisons with ")
    assert (runner.project.root / "gate.md").read_text(encoding="utf-8").startswith("**PASS** ")
    assert runner.arguments("python") == ["-m", "pip", "install", "--quiet", "misread[pipeline]"]
    assert work.job["artifacts"]["paths"] == ["gate.md"]
    assert runner.arguments("curl") == []


def test_the_job_hands_on_its_variables_and_ends_with_the_outcome(work, runner):
    write_program(runner.programs, "misread", "echo said > gate.md; exit 3")
    chosen = {"MISREAD_METRICS": "cer,wer", "MISREAD_MARGIN": "cer=0.002 wer=0.01", "MISREAD_SYSTEMS": "a b;exit"}
    status, _ = work(**chosen, MISREAD_DATASETS="lines", MISREAD_TOKEN="s3cret")  # noqa: S106  no password
    assert status == STATUS["cannot tell"] == work.job["allow_failure"]["exit_codes"]
    base = runner.project.git("merge-base", "origin/main", "HEAD")
    assert runner.arguments("misread") == [
        *("gate", "--baseline", base, "--metrics", "cer,wer", "--margin", "cer=0.002", "--margin", "wer=0.01"),
        *("--systems", "a b;exit", "--datasets", "lines", "--markdown", "gate.md"),
    ]
    sent = runner.arguments("curl")
    assert sent[-1] == "https://git.example.org/projects/3/merge_requests/7/notes"
    assert "body@gate.md" in sent
