"""A study whose results go through a DVC remote: a fresh clone has them, and runs no stage again."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SYSTEMS = ("--hyp", "one=one", "--hyp", "two=gemini-2.0")
SETTINGS = (
    "statistics.resamples=99",
    "crosscheck.segments=0",
    "ablation.normalizers=[none]",
    "report.confusions=0",
    "report.figure_formats=[]",
)


@pytest.mark.slow
@pytest.mark.pipeline
@pytest.mark.process
def test_a_fresh_clone_pulls_all_results_and_runs_nothing_again(table, tmp_path):
    def run(root: Path, *command: str) -> str:
        variables = {
            **os.environ,
            **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    study, store, clone = (tmp_path / name for name in ("study", "store", "clone"))
    columns = ("--id", "id", "--ref", "truth", "--cluster", "page")
    run(tmp_path, "misread", "init", "--table", str(table), *columns, *SYSTEMS, str(study))
    run(study, "misread", "compose", *SETTINGS)
    run(study, "dvc", "remote", "add", "--default", "store", str(store))
    run(study, "dvc", "repro")
    run(study, "git", "add", "--all")
    run(study, "git", "commit", "--quiet", "--message", "results")
    run(study, "dvc", "push", "--quiet")
    run(tmp_path, "git", "clone", "--quiet", str(study), str(clone))
    run(clone, "dvc", "pull", "--quiet")

    ran = re.findall("^Running stage '([^']*)'", run(clone, "dvc", "repro"), re.MULTILINE)
    # The list of code, which every run writes where only the package is installed, is the same.
    assert {name.split(":")[-1] for name in ran} <= {"codebase"}
    assert run(clone, "git", "status", "--porcelain") == ""
    pages = [(root / "reports/index.html").read_bytes() for root in (study, clone)]
    assert pages[0] == pages[1]
