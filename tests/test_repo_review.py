"""The repository is as the guide of Scientific Python wants it; what it does otherwise has a reason."""

import json
import re
import subprocess
import tomllib

import pytest

pytestmark = [pytest.mark.process, pytest.mark.slow]


def test_no_check_fails_but_those_that_are_left_out_with_a_reason(repository):
    (version,) = re.findall(r"^REPO_REVIEW := (\S+)$", (repository / "Makefile").read_text(), re.MULTILINE)
    command = ["uvx", "--quiet", "--from", f"sp-repo-review[cli]=={version}", "repo-review", ".", "--format", "json"]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    checks = json.loads(done.stdout)["checks"]
    assert sum(check["result"] is True for check in checks.values()) > 40
    assert [name for name, check in checks.items() if check["result"] is False] == []
    reasons = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]["repo-review"]["ignore"]
    assert all(len(reason.split()) > 3 for reason in reasons.values())
