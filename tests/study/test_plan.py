"""Nothing is overwritten: what is there already stays, or ends the command before anything is written."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from misread.errors import ConfigurationError, InputFileError, MissingDependencyError
from misread.study import repository
from misread.study.content import describe_example
from misread.study.plan import check_plan, check_root, plan_study, write_plan
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
        {"data/lines/lines.csv": "id\n"},
        {"conf": "a file where a folder is wanted"},
        {"stages/captures/dvc.yaml/x": "a folder where a file is wanted"},
    ],
    ids=lambda files: " ".join(files),
)
def test_files_that_are_others_end_the_command_and_are_all_listed(root: Path, foreign: dict[str, str]) -> None:
    for name, text in foreign.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    before = contents(root)
    plan = plan_study(root, describe_example())
    plan = plan.__class__(files={**plan.files, "params.yaml": b"seed: 1\n"}, added=plan.added, unchanged=plan.unchanged)
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
    assert plan.unchanged == ["README.md"]


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
    for name in ("kept.txt", "changed.txt", "removed.txt", "staged.txt", "sub/changed.txt"):
        (root / name).write_text("x")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "x")
    (root / "changed.txt").write_text("y")
    (root / "sub/changed.txt").write_text("y")
    (root / "removed.txt").unlink()
    (root / "new.txt").write_text("y")
    for name in ("added.txt", "staged.txt"):
        (root / name).write_text("y")
        git(root, "add", name)
    assert list_uncommitted(root) == ["changed.txt", "removed.txt", "staged.txt", "sub/changed.txt"]
    assert list_uncommitted(root / "sub") == ["changed.txt"]


def test_a_study_is_not_made_twice(root: Path) -> None:
    write_plan(root, plan_study(root, describe_example()))
    with pytest.raises(ConfigurationError, match=r"is a study already .*name another folder"):
        plan_study(root, describe_example())


def test_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "study").write_text("")
    for root in (tmp_path / "study", tmp_path / "study/below"):
        with pytest.raises(ConfigurationError, match="study is a file; name a folder"):
            check_root(root)


@pytest.mark.parametrize("folder", ["conf", "data", ".dvc", ".misread"])
def test_a_folder_that_is_a_link_to_elsewhere_is_refused(tmp_path: Path, folder: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / folder).symlink_to(tmp_path / "elsewhere")
    plan = plan_study(tmp_path / "study", describe_example())
    with pytest.raises(ConfigurationError, match=rf"/{re.escape(folder)} is a link to .*elsewhere, outside of the stu"):
        check_plan(tmp_path / "study", plan)


def test_links_within_a_study_and_to_a_study_are_followed(root: Path, tmp_path: Path) -> None:
    (root / "settings").mkdir()
    (root / "conf").symlink_to("settings")
    (tmp_path / "link").symlink_to(root)
    plan = plan_study(tmp_path / "link", describe_example())
    check_plan(tmp_path / "link", plan)
    write_plan(tmp_path / "link", plan)
    assert (root / "settings/config.yaml").is_file()


@pytest.mark.parametrize("has_repository", [False, True])
def test_what_git_would_ignore_is_refused_with_the_pattern_until_it_is_gone(
    tmp_path: Path, has_repository: bool
) -> None:
    if has_repository:
        git(tmp_path, "init", "--quiet")
    (tmp_path / "study").mkdir()
    ignore = tmp_path / "study/.gitignore"
    ignore.write_text("# everything\n*\n!dvc.yaml\n")
    before = contents(tmp_path)
    with pytest.raises(ConfigurationError) as refusal:
        check_plan(tmp_path / "study", plan_study(tmp_path / "study", describe_example()))
    assert "Git ignores .dvc/config, .dvcignore, .gitattributes and " in str(refusal.value)
    assert re.search(r"\('\*' in \S*\.gitignore, line 2\), which a study commits", str(refusal.value))
    assert contents(tmp_path) == before
    ignore.unlink()
    check_plan(tmp_path / "study", plan_study(tmp_path / "study", describe_example()))


def test_ignored_data_and_pages_for_people_are_no_obstacle(root: Path) -> None:
    (root / ".gitignore").write_text("*.csv\nMakefile\nREADME.md\n")
    check_plan(root, plan_study(root, describe_example()))


def test_what_cannot_be_set_up_is_set_up_after_mending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(root: Path) -> list[str]:
        raise ConfigurationError("no DVC today")

    with monkeypatch.context() as broken:
        broken.setattr("misread.study.plan.set_up", refuse)
        with pytest.raises(ConfigurationError, match="no DVC today"):
            write_plan(tmp_path, plan_study(tmp_path, describe_example()))
    monkeypatch.setattr("misread.study.plan.set_up", lambda root: ["set up"])
    plan = plan_study(tmp_path, describe_example())
    check_plan(tmp_path, plan)
    assert write_plan(tmp_path, plan) == ["set up"]


@pytest.mark.pipeline
@pytest.mark.process
def test_the_reason_of_dvc_is_given(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / ".gitignore").write_text(".dvc\n")
    with pytest.raises(ConfigurationError, match=r"`dvc init` failed in .*: ERROR: .*\.dvc is ignored by your SCM"):
        repository.set_up(tmp_path)


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("x\udcff", r"x\\udcff' is not UTF-8, in which names are written; rename it"),
        ("st${x}[1]{y}", r"\[1\]\{y\} has \{ and \} in its path, with which DVC cannot run a stage"),
        ("a}b/study", r"has \} in its path"),
        ("loop", r"loop is a link that leads nowhere; name a folder"),
        ("loop/study", r"loop is a link that leads nowhere; name a folder"),
        ("nowhere", r"nowhere is a link that leads nowhere; name a folder"),
    ],
)
def test_a_folder_in_which_no_study_can_run_is_refused(tmp_path: Path, name: str, refusal: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("gone")
    with pytest.raises((ConfigurationError, InputFileError), match=refusal):
        check_root(tmp_path / name)


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("which", "git was not found: apt-get install git"),
        ("find_spec", r"needs DVC and Hydra: pip install 'misread\[pipeline\]'"),
    ],
)
def test_without_git_or_dvc_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, search: str, said: str) -> None:
    monkeypatch.setattr(repository, search, lambda name: None)
    with pytest.raises(MissingDependencyError, match=said):
        require_tools()
