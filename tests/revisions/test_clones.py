"""Repositories as others have them: shallow, detached, somebody else's, damaged, with other line ends."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from misread.errors import ConfigurationError, RevisionError
from misread.revisions import open_revision
from misread.revisions.git import find_commit, read_all_at, read_at, require_repository
from misread.study.content import describe_example
from misread.study.plan import plan_study, write_plan
from misread.study.repository import find_top

from .conftest import Project

pytestmark = [pytest.mark.pipeline, pytest.mark.process]


@pytest.fixture
def clone(past: Project, tmp_path: Path):
    """A clone of the project of five commits, with options of `git clone`."""

    def make(*options: str) -> Project:
        path = tmp_path / "clone"
        subprocess.run(["git", "clone", "-q", *options, f"file://{past.root}", str(path)], check=True)
        return Project(path)

    return make


@pytest.mark.parametrize("name", ["HEAD~1", "worse", "0123456789abcdef"])
def test_what_a_shallow_clone_lacks_is_answered_with_how_to_bring_it(clone, name):
    shallow = clone("--depth=1", "--no-tags")
    with pytest.raises(RevisionError, match=r"unknown .* shallow, .*`git fetch --unshallow` \(`fetch-depth: 0`"):
        find_commit(shallow.root, name)
    shallow.git("fetch", "-q", "--unshallow", "--tags")
    with pytest.raises(RevisionError, match="unknown revision 'nothing'") as refusal:
        find_commit(shallow.root, "nothing")
    assert "shallow" not in str(refusal.value)


@pytest.mark.parametrize("suffix", ["", "~1", "^"])
def test_a_branch_that_one_remote_has_needs_no_local_one(clone, suffix):
    detached = clone()
    detached.git("checkout", "-q", "--detach", "origin/main")
    detached.git("branch", "-q", "-D", "main")
    assert find_commit(detached.root, f"main{suffix}") == find_commit(detached.root, f"origin/main{suffix}")


def test_a_branch_of_two_remotes_is_not_guessed_and_both_are_listed(clone, past):
    detached = clone("--no-tags")
    detached.git("remote", "add", "fork", str(past.root))
    detached.git("fetch", "-q", "--no-tags", "fork")
    detached.git("checkout", "-q", "--detach")
    detached.git("branch", "-q", "-D", "main")
    with pytest.raises(RevisionError, match="unknown revision 'main'; branches and tags are: fork/main, origin/main"):
        find_commit(detached.root, "main")


def test_a_branch_that_was_not_fetched_is_found_once_the_named_line_has_fetched_it(clone, past):
    single = clone("--single-branch", "--branch=first")
    with pytest.raises(RevisionError, match=r"unknown revision 'main'; .*; if origin has it: `git fetch") as refusal:
        find_commit(single.root, "main")
    subprocess.run(str(refusal.value).split("`")[1].split(), cwd=single.root, check=True)
    assert find_commit(single.root, "main") == find_commit(past.root, "main")


def test_a_local_branch_goes_before_that_of_a_remote(clone):
    ahead = clone()
    ahead.git("reset", "-q", "--hard", "HEAD~1")
    assert find_commit(ahead.root, "main") == find_commit(ahead.root, "origin/main~1")


def test_a_commit_without_any_branch_is_not_called_no_commit(clone):
    detached = clone("--no-tags")
    detached.git("checkout", "-q", "--detach")
    detached.git("remote", "remove", "origin")
    detached.git("branch", "-q", "-D", "main")
    with pytest.raises(RevisionError, match="unknown revision 'main'") as refusal:
        find_commit(detached.root, "main")
    assert "no commit yet" not in str(refusal.value)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_a_repository_of_somebody_else_is_refused_in_gits_words(clone, monkeypatch):
    foreign = clone()
    os.chown(foreign.root, 12345, 12345)
    os.chown(foreign.root / ".git", 12345, 12345)
    # The tests' own settings take every folder for safe.
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    said = r"dubious ownership .*git config --global --add safe\.directory "
    for ask in (
        require_repository,
        lambda root: find_commit(root, "HEAD"),
        lambda root: open_revision(root, None, root),
    ):
        with pytest.raises(RevisionError, match=said):
            ask(foreign.root)
    with pytest.raises(ConfigurationError, match=said):
        find_top(foreign.root)


def test_a_file_whose_content_git_has_lost_is_no_file_that_never_was(clone):
    broken = clone()
    blob = broken.git("rev-parse", "HEAD:params.yaml")
    commit = find_commit(broken.root, "HEAD")
    assert read_at(broken.root, commit, Path("absent.yaml")) is None
    for pack in (broken.root / ".git/objects/pack").glob("*.pack"):
        moved = pack.rename(broken.root / ".git/moved.pack")
        with moved.open("rb") as packed:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=broken.root, stdin=packed, check=True)
    (broken.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    for read in (
        lambda path: read_at(broken.root, commit, path),
        lambda path: read_all_at(broken.root, commit, [path]),
    ):
        with pytest.raises(RevisionError, match=r"params\.yaml of \w+ cannot be read: "):
            read(Path("params.yaml"))
        assert read(Path("absent.yaml")) in (None, {Path("absent.yaml"): None})


@pytest.mark.parametrize("autocrlf", ["true", "input", "false"])
def test_a_study_is_the_same_bytes_whatever_a_clone_does_to_line_ends(tmp_path, autocrlf):
    study = Project(tmp_path / "study")
    write_plan(study.root, plan_study(study.root, describe_example()))
    (study.root / "params.yaml").write_text("seed: 1\n", encoding="utf-8")
    (study.root / "dvc.lock").write_text("schema: '2.0'\n", encoding="utf-8")
    study.commit("study")
    path = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "-c", f"core.autocrlf={autocrlf}", str(study.root), str(path)], check=True)
    left = {"Makefile", "README.md", ".gitattributes", ".gitignore", ".dvcignore"}
    listed = [name for name in study.git("ls-files").splitlines() if name not in left]
    assert listed
    assert [name for name in listed if (path / name).read_bytes() != (study.root / name).read_bytes()] == []
