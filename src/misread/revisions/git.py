"""Access to Git: commits and DVC experiments by name, files of a commit, the latest commits."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from misread.errors import MissingDependencyError, RevisionError
from misread.provenance.environment import git_environment

_FIELDS = "%H%x1f%h%x1f%cs%x1f%s"
# Reference of an experiment: the hash of its base commit, in two parts, and its name.
_EXPERIMENT = re.compile(r"refs/exps/[0-9a-f]{2}/[0-9a-f]{38}/[^/]+")
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit."""

    hash: str
    short: str
    date: str  # year-month-day
    subject: str  # first line of the message


def run_git(root: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run Git in a folder; the caller checks the exit status. Raises MissingDependencyError if Git is not installed."""
    git = which("git")
    if git is None:
        raise MissingDependencyError("reading revisions needs Git: apt-get install git.")
    return subprocess.run(  # noqa: S603
        [git, *arguments], cwd=root, env=git_environment(), input=stdin.encode(), capture_output=True, check=False
    )


def require_repository(root: Path) -> Path:
    """Find the top folder of the repository that a folder belongs to; raises RevisionError if there is none."""
    done = run_git(root, "rev-parse", "--show-toplevel")
    if done.returncode:
        raise RevisionError(
            f"{root.resolve()} is not in a Git repository: revisions are compared in the project's folder."
        )
    return Path(_text(done.stdout).rstrip("\n"))


def find_commit(root: Path, revision: str) -> Commit:
    """Find a commit by any name that Git knows (hash, branch, tag, HEAD~1), or by the name of a DVC experiment.

    If several experiments have the name, it means the one run on the current commit. Raises RevisionError, which lists
    branches, tags and experiments, if there is no such commit or the name is ambiguous.
    """
    commit = _show(root, revision)
    if commit is None:
        require_repository(root)
    if commit is None and (reference := _find_experiment(root, revision)):
        commit = _show(root, reference)
    if commit is None:
        raise RevisionError(f"unknown revision {revision!r}{_known_names(root)}.")
    return commit


def latest_commits(root: Path, number: int, revision: str = "HEAD") -> list[Commit]:
    """List up to `number` commits, the latest first: `revision` and its first parents."""
    last = find_commit(root, revision)
    return _commits(run_git(root, "log", "--first-parent", f"-{number}", f"--format={_FIELDS}", last.hash, "--").stdout)


def read_at(root: Path, commit: Commit, path: Path) -> str | None:
    """Read a text file (path relative to `root`) of a commit; None if it did not exist."""
    done = run_git(root, "show", f"{commit.hash}:./{path.as_posix()}")
    return None if done.returncode else _text(done.stdout)


def read_all_at(root: Path, commit: Commit, paths: Sequence[Path]) -> dict[Path, str | None]:
    """Read text files of a commit, as `read_at` does, all by one process; no path may have a line break."""
    names = "".join(f"{commit.hash}:./{path.as_posix()}\n" for path in paths)
    left = run_git(root, "cat-file", "--batch", stdin=names).stdout
    texts: dict[Path, str | None] = {}
    for path in paths:
        # OBJECT KIND SIZE and the content, or NAME missing.
        head, _, left = left.partition(b"\n")
        size = head.rpartition(b" ")[2]
        if not size.isdigit():
            texts[path] = None
            continue
        texts[path], left = _text(left[: int(size)]), left[int(size) + 1 :]
    return texts


def _show(root: Path, revision: str) -> Commit | None:
    done = run_git(root, "log", "-1", f"--format={_FIELDS}", "--end-of-options", f"{revision}^{{commit}}", "--")
    return None if done.returncode or not done.stdout.strip() else _commits(done.stdout)[0]


def _commits(log: bytes) -> list[Commit]:
    return [Commit(*line.split("\x1f", 3)) for line in _text(log).splitlines()]


def _find_experiment(root: Path, name: str) -> str | None:
    """Reference of the experiment with this name; None if there is none."""
    references = [reference for reference in _experiments(root) if reference.split("/")[-1] == name]
    if len(references) < 2:
        return references[0] if references else None
    head = _text(run_git(root, "rev-parse", "HEAD").stdout).strip()
    for reference in references:
        if "".join(reference.split("/")[2:4]) == head:
            return reference
    raise RevisionError(
        f"{len(references)} experiments are called {name!r}, on different commits; give the one that is meant by its "
        f"whole name: {', '.join(references)}."
    )


def _experiments(root: Path) -> list[str]:
    """References of all experiments, without DVC's other references."""
    listed = _text(run_git(root, "for-each-ref", "--format=%(refname)", "refs/exps").stdout).split()
    return [reference for reference in listed if _EXPERIMENT.fullmatch(reference)]


def _known_names(root: Path) -> str:
    format_and_number = ("--format=%(refname:short)", f"--count={_MOST_NAMES}")
    names = _text(run_git(root, "for-each-ref", *format_and_number, "refs/heads", "refs/tags").stdout).split()
    known = f"; branches and tags are: {', '.join(names)}" if names else "; there is no commit yet"
    experiments = sorted({reference.split("/")[-1] for reference in _experiments(root)})
    if not experiments:
        return known
    more = f" and {len(experiments) - _MOST_NAMES} more" if len(experiments) > _MOST_NAMES else ""
    return f"{known}; experiments are: {', '.join(experiments[:_MOST_NAMES])}{more}"


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
