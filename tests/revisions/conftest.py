"""A small project under Git and DVC, with a few commits of results made by hand."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

PAGES = 12
LINES = 5
REFERENCES = [f"Page {page} line {line} tells of ships" for page in range(PAGES) for line in range(LINES)]
IDS = [f"p{page:02}-l{line}" for page in range(PAGES) for line in range(LINES)]
CLUSTERS = [f"p{page:02}" for page in range(PAGES) for _ in range(LINES)]


def read_badly(every: int) -> list[str]:
    """Two wrong letters in each n-th line."""
    return [text.replace("ships", "shlqs") if row % every == 0 else text for row, text in enumerate(REFERENCES)]


@dataclass(frozen=True)
class Project:
    """A folder with results, and the means to commit them."""

    root: Path

    def git(self, *arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=self.root, check=True, capture_output=True, text=True
        ).stdout.strip()

    def track(self) -> None:
        """Put every result into the cache and dvc.lock, as `dvc repro` would."""
        from dvc.repo import Repo

        outputs = sorted(
            str(path.relative_to(self.root)) for path in (self.root / "build").rglob("*") if path.is_file()
        )
        stage = {"cmd": "echo made by hand", "outs": outputs}
        (self.root / "dvc.yaml").write_text(yaml.safe_dump({"stages": {"everything": stage}}), encoding="utf-8")
        with Repo(str(self.root)) as repo:
            repo.commit(force=True)

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "--short", "HEAD")


def make_project(root: Path) -> Project:
    from dvc.repo import Repo

    project = Project(root)
    project.git("init", "--quiet", "--initial-branch=main")
    Repo.init(str(root)).close()
    (root / ".gitignore").write_text("/build/\n", encoding="utf-8")
    return project


@pytest.fixture(scope="session")
def write_pages(write_results):
    """Write results of some rows of the pages, without a comparison of their systems."""
    good = read_badly(10)

    def write(root: Path, read: Mapping[str, Sequence[str]] | None = None, rows: slice = slice(None), **settings):
        texts = {name: column[rows] for name, column in (read or {"a": good, "b": good}).items()}
        shared = {"references": REFERENCES[rows], "ids": IDS[rows], "clusters": CLUSTERS[rows], "compares": False}
        return write_results(root, read=texts, **shared | settings)

    return write


@pytest.fixture
def change(fresh, write_pages, misread, monkeypatch):
    """Make other results in the working tree; give what a command says of them."""

    def run(*arguments, read=None, segments=60, **settings):
        write_pages(fresh.root, read, slice(segments), **settings)
        monkeypatch.chdir(fresh.root)
        return misread(*arguments)

    return run


@pytest.fixture(scope="session")
def past(tmp_path_factory: pytest.TempPathFactory, write_results) -> Project:
    """Commits by tag: empty, first, same, worse, lower; the working tree is as the last one. Only to be read."""
    root = tmp_path_factory.mktemp("past")
    project = make_project(root)

    def store(tag: str, *, a: list[str], b: list[str], track: bool = True, **settings) -> None:
        write_results(root, read={"a": a, "b": b}, references=REFERENCES, ids=IDS, clusters=CLUSTERS, **settings)
        if track:
            project.track()
        project.commit(tag)
        project.git("tag", tag)

    project.commit("empty")
    project.git("tag", "empty")
    good, worse = read_badly(10), read_badly(2)
    store("first", a=good, b=good)
    project.commit("say more in the readme")
    project.git("tag", "same")
    store("worse", a=worse, b=good, engine={"engine": "2.0"})
    store("lower", a=worse, b=good, engine={"engine": "2.0"}, normalizer=("collapse_whitespace", "lower_case"))
    return project


@pytest.fixture(scope="session")
def single(tmp_path_factory: pytest.TempPathFactory, write_results) -> Path:
    root = tmp_path_factory.mktemp("single")
    project = make_project(root)
    good = read_badly(10)
    write_results(root, read={"a": good, "b": good}, references=REFERENCES, ids=IDS, clusters=CLUSTERS)
    project.track()
    project.commit("first")
    return root


@pytest.fixture
def fresh(single: Path, tmp_path: Path) -> Project:
    """A copy of a project of one commit, to be changed."""
    return Project(shutil.copytree(single, tmp_path / "fresh", symlinks=True))
