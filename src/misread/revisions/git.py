"""Access to Git: commits and DVC experiments by name, files of a commit."""

import os
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from misread.errors import MissingDependencyError, RevisionError
from misread.io.pointers import pointer_in
from misread.provenance.environment import git_environment, git_reason

_FIELDS = "%H%x1f%h%x1f%cs%x1f%s"
# Reference of an experiment: the hash of its base commit, in two parts, and its name.
_EXPERIMENT = re.compile(r"refs/exps/[0-9a-f]{2}/[0-9a-f]{38}/[^/]+")
_BRANCH = re.compile(r"\w[\w./-]*")
_MOST_NAMES = 12
# A path that a commit does not have; whatever else Git says is a failure.
_NO_PATH = re.compile(
    rb"fatal: (?:path )?'.*' (?:does not exist in|exists on disk, but not in|is outside repository) ", re.S
)
SHALLOW = (
    "this clone is shallow, and older commits are not in it: run `git fetch --unshallow` (`fetch-depth: 0` of "
    "actions/checkout, `GIT_DEPTH: 0` of GitLab)"
)
"""Message on a clone that lacks the parents of a commit."""


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


def ask_git(root: Path, *arguments: str, stdin: str = "") -> bytes:
    """Output of Git; raises RevisionError with Git's own reason if it fails."""
    done = run_git(root, *arguments, stdin=stdin)
    if done.returncode:
        raise RevisionError(f"`git {arguments[0]}` failed in {root.resolve()}: {git_reason(done.stderr)}.")
    return done.stdout


def require_repository(root: Path) -> Path:
    """Find the top folder of the repository that a folder belongs to.

    Raises RevisionError if there is none, or Git does not open it, such as one that belongs to somebody else.
    """
    done = run_git(root, "rev-parse", "--show-toplevel")
    if b"not a git repository" in done.stderr:
        raise RevisionError(
            f"{root.resolve()} is not in a Git repository: revisions are compared in the project's folder."
        )
    if done.returncode:
        raise RevisionError(f"Git does not open {root.resolve()}: {git_reason(done.stderr)}.")
    return Path(os.fsdecode(done.stdout).rstrip("\n"))


def find_commit(root: Path, revision: str) -> Commit:
    """Find a commit by any name that Git knows (hash, branch, tag, HEAD~1), or by the name of a DVC experiment.

    If several experiments have the name, it means the one run on the current commit. A branch that only one remote has
    is meant without the remote's name, as by `git checkout`. Raises RevisionError, which lists branches, tags and
    experiments, if there is no such commit or the name is ambiguous.
    """
    commit, reason = _show(root, revision)
    if commit is None:
        require_repository(root)
        if reference := _find_experiment(root, revision) or _find_remote_branch(root, revision):
            commit, reason = _show(root, reference)
    if commit is None:
        what = f"Git cannot read {revision!r}: {reason}"
        if reason.startswith("bad revision"):
            what = f"unknown revision {revision!r}{_known_names(root)}"
        raise RevisionError(f"{what}{_how_to_fetch(root, revision)}.")
    return commit


def shallow_ends(root: Path) -> list[str]:
    """Hashes of the commits at which a shallow clone ends; none in a whole one."""
    path = root / os.fsdecode(run_git(root, "rev-parse", "--git-path", "shallow").stdout).rstrip("\n")
    return path.read_text(encoding="ascii").split() if path.is_file() else []


def read_at(root: Path, commit: Commit, path: Path) -> str | None:
    """Read a text file (path relative to `root`) of a commit; None if it did not exist."""
    content = content_at(root, commit, f"./{path.as_posix()}")
    return None if content is None else _text(content)


def content_at(root: Path, commit: Commit, path: str) -> bytes | None:
    """A file of a commit, by its path from the top of the repository or, after `./`, from `root`; None if it has none.

    Raises RevisionError with Git's own reason if it cannot be read.
    """
    done = run_git(root, "cat-file", "blob", f"{commit.hash}:{path}")
    if done.returncode and not _NO_PATH.match(done.stderr):
        raise RevisionError(f"{path} of {commit.short} cannot be read: {git_reason(done.stderr)}.")
    if not done.returncode and pointer_in(done.stdout):
        raise RevisionError(f"{path} of {commit.short} is a pointer without content: keep it out of Git LFS.")
    return None if done.returncode else done.stdout


def read_all_at(root: Path, commit: Commit, paths: Sequence[Path]) -> dict[Path, str | None]:
    """Read text files of a commit, as `read_at` does, all by one process; no path may have a line break."""
    names = "".join(f"{commit.hash}:./{path.as_posix()}\n" for path in paths)
    left = ask_git(root, "cat-file", "--batch", stdin=names)
    texts: dict[Path, str | None] = {}
    for path in paths:
        # OBJECT KIND SIZE and the content, or NAME missing.
        head, _, left = left.partition(b"\n")
        size = head.rpartition(b" ")[2]
        if not size.isdigit():
            texts[path] = None
            continue
        texts[path], left = _text(left[: int(size)]), left[int(size) + 1 :]
    # Git calls a file missing too whose content it lacks.
    if missing := [path.as_posix() for path, text in texts.items() if text is None]:
        for name in ask_git(root, "ls-tree", "-z", "--name-only", commit.hash, "--", *missing).split(b"\0")[:-1]:
            content_at(root, commit, f"./{os.fsdecode(name)}")
    return texts


def _show(root: Path, revision: str) -> tuple[Commit | None, str]:
    """A commit, or None and the reason that Git gives."""
    done = run_git(root, "log", "-1", f"--format={_FIELDS}", "--end-of-options", f"{revision}^{{commit}}", "--")
    if done.returncode or not done.stdout.strip():
        return None, git_reason(done.stderr)
    return Commit(*_text(done.stdout).rstrip("\n").split("\x1f", 3)), ""


def _find_experiment(root: Path, name: str) -> str | None:
    """Reference of the experiment with this name; None if there is none."""
    references = [reference for reference in _experiments(root) if reference.split("/")[-1] == name]
    if len(references) < 2:
        return references[0] if references else None
    head = _text(ask_git(root, "rev-parse", "HEAD")).strip()
    for reference in references:
        if "".join(reference.split("/")[2:4]) == head:
            return reference
    raise RevisionError(
        f"{len(references)} experiments are called {name!r}, on different commits; give the one that is meant by its "
        f"whole name: {', '.join(references)}."
    )


def _experiments(root: Path) -> list[str]:
    """References of all experiments, without DVC's other references."""
    listed = _text(ask_git(root, "for-each-ref", "--format=%(refname)", "refs/exps")).split()
    return [reference for reference in listed if _EXPERIMENT.fullmatch(reference)]


def _find_remote_branch(root: Path, revision: str) -> str | None:
    """Reference for a name such as main or main~1 of a branch that exactly one remote has; None if there is none."""
    branch = re.split(r"[~^]", revision, maxsplit=1)[0]
    listed = _text(ask_git(root, "for-each-ref", "--format=%(refname)", "refs/remotes")).split()
    references = [reference for reference in listed if reference.split("/", 3)[3:] == [branch]]
    return references[0] + revision[len(branch) :] if len(references) == 1 else None


def _how_to_fetch(root: Path, revision: str) -> str:
    remotes = _text(run_git(root, "remote").stdout).split()
    if shallow_ends(root):
        return f"; {SHALLOW}"
    if not remotes or not _BRANCH.fullmatch(revision):
        return ""
    return f"; if {remotes[0]} has it: `git fetch {remotes[0]} {revision}:refs/remotes/{remotes[0]}/{revision}`"


def _known_names(root: Path) -> str:
    # A remote's HEAD is another name of one of its branches.
    form = "--format=%(if)%(symref)%(then)%(else)%(refname:short)%(end)"
    names = _text(ask_git(root, "for-each-ref", form, "refs/heads", "refs/tags", "refs/remotes")).split()
    known = f"; branches and tags are: {', '.join(names[:_MOST_NAMES])}" if names else ""
    if len(names) > _MOST_NAMES:
        known += f" and {len(names) - _MOST_NAMES} more"
    if not names and _show(root, "HEAD")[0] is None:
        known = "; there is no commit yet: `git add -A && git commit -m Results` makes one"
    experiments = sorted({reference.split("/")[-1] for reference in _experiments(root)})
    if not experiments:
        return known
    more = f" and {len(experiments) - _MOST_NAMES} more" if len(experiments) > _MOST_NAMES else ""
    return f"{known}; experiments are: {', '.join(experiments[:_MOST_NAMES])}{more}"


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
