"""Hooks of pre-commit: those that misread offers to studies, and those of this repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

pytestmark = [pytest.mark.process, pytest.mark.slow]
PRE_COMMIT = "pre-commit==4.7.0"


@pytest.fixture(scope="session")
def offered(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Repository that offers the hooks of this one."""
    folder = tmp_path_factory.mktemp("offered")
    shutil.copy(repository / ".pre-commit-hooks.yaml", folder)
    commit_all(folder)
    return folder


def commit_all(folder: Path) -> None:
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "all")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)


@pytest.fixture
def hook(offered: Path, tmp_path: Path) -> Callable[[str], tuple[int, str]]:
    """Run a hook on all files of a study; returns its status and what is printed."""

    def run(name: str) -> tuple[int, str]:
        subprocess.run(["git", "add", "--all"], cwd=tmp_path, check=True)
        # A hook runs the misread of the study's environment.
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        command = ["uvx", "--quiet", PRE_COMMIT, "try-repo", str(offered), name, "--all-files"]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    return run


def test_settings_that_were_not_composed_are_seen_before_a_commit(hook, repository, tmp_path):
    shutil.copytree(repository / "conf", tmp_path / "conf", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(repository / "params.yaml", tmp_path)
    commit_all(tmp_path)
    assert hook("misread-compose")[0] == 0
    text = (tmp_path / "params.yaml").read_text()
    (tmp_path / "params.yaml").write_text(text.replace("seed: 1", "seed: 2"))
    status, said = hook("misread-compose")
    assert status == 1
    assert "params.yaml" in said


def test_the_guide_names_every_hook(repository):
    hooks = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text())
    guide = (repository / "docs/how-to/numbers-in-papers.md").read_text()
    assert {entry["id"] for entry in hooks} == set(re.findall(r"^ +- id: (\S+)$", guide, re.MULTILINE))


def test_hooks_of_this_repository_run_what_make_check_runs(repository):
    (local,) = yaml.safe_load((repository / ".pre-commit-config.yaml").read_text())["repos"]
    entries = [re.sub(r"^\.venv/bin/| --force-exclude$", "", entry["entry"]) for entry in local["hooks"]]
    (target,) = re.findall(r"^check: .*\n((?:\t.*\n)+)", (repository / "Makefile").read_text(), re.MULTILINE)
    # What make only looks at, a hook mends.
    assert entries == [line.strip().replace("ruff format --check", "ruff format") for line in target.splitlines()]
