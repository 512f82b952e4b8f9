"""Nothing is overwritten: what is there already stays, or ends the command before anything is written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from misread.errors import ConfigurationError, MissingDependencyError
from misread.study import repository
from misread.study.content import describe_example
from misread.study.plan import check_plan, plan_study, write_plan
from misread.study.repository import list_uncommitted, require_tools


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder in which Git and DVC are set up already."""
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config").write_text("[hydra]\n    enabled = True\n")
    git(tmp_path, "init", "--quiet")
    return tmp_path


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=root, check=True)


def contents(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    "foreign",
    [
        {"dvc.yaml": "stages: {}\n"},
        {"params.yaml": "seed: 3\n", "dvc.yaml": "stages: {}\n"},
        {"conf/config.yaml": "a: 1\n"},
        {"data/example/example.csv": "id\n"},
        {"conf": "a file where a folder is wanted"},
        {"captures/dvc.yaml/x": "a folder where a file is wanted"},
    ],
    ids=lambda files: " ".join(files),
)
def test_files_that_are_others_end_the_command_and_are_all_listed(root: Path, foreign: dict[str, str]) -> None:
    for name, text in foreign.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    before = contents(root)
    plan = plan_study(root, describe_example())
    plan = plan.__class__(files={**plan.files, "params.yaml": b"seed: 1\n"}, added=plan.added, kept=plan.kept)
    with pytest.raises(ConfigurationError, match="would be overwritten; nothing was written") as refusal:
        check_plan(root, plan)
    assert contents(root) == before
    for name in foreign:
        assert name.removesuffix("/x") in str(refusal.value)


def test_a_file_that_is_the_same_is_no_obstacle(root: Path) -> None:
    plan = plan_study(root, describe_example())
    (root / "dvc.yaml").write_bytes(plan.files["dvc.yaml"])
    check_plan(root, plan_study(root, describe_example()))


def test_lists_get_lines_and_pages_of_ones_own_stay(root: Path) -> None:
    (root / ".gitignore").write_text("/secret/\n/.venv/")
    (root / "README.md").write_text("ours\n")
    plan = plan_study(root, describe_example())
    check_plan(root, plan)
    write_plan(root, plan)
    lines = (root / ".gitignore").read_text().splitlines()
    assert lines[:2] == ["/secret/", "/.venv/"]
    assert "/build/" in lines
    assert lines.count("/.venv/") == 1
    assert (root / "README.md").read_text() == "ours\n"
    assert plan.kept == ["README.md"]


def test_a_list_with_changes_that_are_not_committed_is_not_touched(root: Path) -> None:
    (root / ".gitignore").write_text("/secret/\n")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    (root / ".gitignore").write_text("/secrets/\n")
    with pytest.raises(ConfigurationError, match=r"\.gitignore in .* has changes that are not committed; nothing was"):
        check_plan(root, plan_study(root, describe_example()))
    assert (root / ".gitignore").read_text() == "/secrets/\n"


def test_uncommitted_are_files_that_git_knows_in_another_state(root: Path) -> None:
    (root / "sub").mkdir()
    for name in ("kept.txt", "changed.txt", "removed.txt", "sub/changed.txt"):
        (root / name).write_text("x")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    (root / "changed.txt").write_text("y")
    (root / "sub/changed.txt").write_text("y")
    (root / "removed.txt").unlink()
    (root / "new.txt").write_text("y")
    (root / "added.txt").write_text("y")
    git(root, "add", "added.txt")
    assert list_uncommitted(root) == ["changed.txt", "removed.txt", "sub/changed.txt"]
    assert list_uncommitted(root / "sub") == ["changed.txt"]


def test_a_changed_file_that_is_staged_counts_as_uncommitted(root: Path) -> None:
    (root / "a.txt").write_text("x")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    (root / "a.txt").write_text("y")
    git(root, "add", "--all")
    assert list_uncommitted(root) == ["a.txt"]


def test_a_study_is_not_made_twice(root: Path) -> None:
    write_plan(root, plan_study(root, describe_example()))
    with pytest.raises(ConfigurationError, match=r"is a study already .*misread init --upgrade"):
        plan_study(root, describe_example())


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "study").write_text("")
    with pytest.raises(ConfigurationError, match="study is a file; name a folder"):
        plan_study(tmp_path / "study", describe_example())


def test_without_git_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "which", lambda name: None)
    with pytest.raises(MissingDependencyError, match="git was not found: apt-get install git"):
        require_tools()


def test_without_dvc_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r"needs DVC and Hydra: pip install 'misread\[pipeline\]'"):
        require_tools()
