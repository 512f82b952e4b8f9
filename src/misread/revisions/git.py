"""Access to Git: commits by name, files of a commit, the latest commits."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from misread.errors import MissingDependencyError, RevisionError

_FIELDS = "%H%x1f%h%x1f%cs%x1f%s"


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit."""

    hash: str
    short: str
    date: str  # year-month-day
    subject: str  # first line of the message


def run_git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run Git in a folder; the caller checks the exit status. Raises MissingDependencyError if Git is not installed."""
    git = which("git")
    if git is None:
        raise MissingDependencyError("reading revisions needs Git: apt-get install git.")
    # Without the variables of a hook that may be running: they would point Git at another repository.
    return subprocess.run([git, *arguments], cwd=root, capture_output=True, check=False)  # noqa: S603


def require_repository(root: Path) -> Path:
    """Find the top folder of the repository that a folder belongs to; raises RevisionError if there is none."""
    done = run_git(root, "rev-parse", "--show-toplevel")
    if done.returncode:
        raise RevisionError(
            f"{root.resolve()} is not in a Git repository: revisions are compared in the project's folder."
        )
    return Path(_text(done.stdout).rstrip("\n"))


def find_commit(root: Path, revision: str) -> Commit:
    """Find a commit by any name that Git knows: a hash, a branch, a tag, HEAD~1.

    Raises RevisionError, which names branches and tags, if there is no such commit.
    """
    require_repository(root)
    done = run_git(root, "log", "-1", f"--format={_FIELDS}", "--end-of-options", f"{revision}^{{commit}}", "--")
    if done.returncode or not done.stdout.strip():
        raise RevisionError(f"unknown revision {revision!r}{_known_names(root)}.")
    return _commits(done.stdout)[0]


def latest_commits(root: Path, number: int, revision: str = "HEAD") -> list[Commit]:
    """List up to `number` commits, the latest first: `revision` and its first parents."""
    last = find_commit(root, revision)
    return _commits(run_git(root, "log", "--first-parent", f"-{number}", f"--format={_FIELDS}", last.hash, "--").stdout)


def read_at(root: Path, commit: Commit, path: Path) -> str | None:
    """Read a text file (path relative to `root`) as it was in a commit; None where it did not exist."""
    done = run_git(root, "show", f"{commit.hash}:./{path.as_posix()}")
    return None if done.returncode else _text(done.stdout)


def _commits(log: bytes) -> list[Commit]:
    return [Commit(*line.split("\x1f", 3)) for line in _text(log).splitlines()]


def _known_names(root: Path) -> str:
    done = run_git(root, "for-each-ref", "--format=%(refname:short)", "--count=12", "refs/heads", "refs/tags")
    names = _text(done.stdout).split()
    return f"; branches and tags are: {', '.join(names)}" if names else "; there is no commit yet"


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
