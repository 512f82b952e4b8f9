"""Files of a public Git repository at one commit: only those that are needed, resumed after a break."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which

from misread.errors import FetchError, MissingDependencyError
from misread.provenance.environment import git_environment

_CHUNK = 4096


def check_out(repository: str, commit: str, patterns: Sequence[str], target: Path) -> None:
    """Write files of a repository as they are at a commit below `target`: those that match, in the form of .gitignore.

    What an earlier call has brought there is not brought again. Git's progress goes to standard error if that is a
    terminal.

    Raises
    ------
    MissingDependencyError
        If Git is not installed.
    FetchError
        If the repository cannot be reached or does not have the commit; has Git's last line.
    """
    if not (target / ".git").is_dir():
        target.mkdir(parents=True, exist_ok=True)
        _git(target, "init", "--quiet")
    settings = {
        "remote.origin.url": repository,
        # Contents are brought at the check-out, of the chosen files alone.
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        # A copy at hand, on the same machine, is to send no more than that either.
        "remote.origin.uploadpack": (
            "git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack"
        ),
        "core.autocrlf": "false",
        "core.hooksPath": os.devnull,
    }
    for name, value in settings.items():
        _git(target, "config", name, value)
    _git(target, "sparse-checkout", "set", "--no-cone", "--end-of-options", *patterns)
    if not has_commit(target, commit):
        _git(target, "fetch", "--depth=1", "--filter=blob:none", "--no-tags", "--progress", "--", "origin", commit)
    _git(target, "checkout", "--force", "--detach", "--progress", commit)


def has_commit(repository: Path, commit: str) -> bool:
    """Whether a folder is a Git repository that has a commit."""
    try:
        _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{commit}^{{tree}}", offline=True)
    except FetchError:
        return False
    return True


def is_repository(folder: Path) -> bool:
    """Whether a folder is the top of a Git repository, with a work tree or without."""
    return (folder / ".git").exists() or (folder / "objects").is_dir()


def _git(folder: Path, *arguments: str, offline: bool = False) -> None:
    git = which("git")
    if git is None:
        raise MissingDependencyError("data sets are fetched with Git: apt-get install git.")
    # Without a question for a password in the terminal. Other transports, such as ext::, run programs that an address
    # names.
    protocols = {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "https:ssh:file"}
    environment = git_environment() | protocols | {"LC_ALL": "C"}
    if offline:
        environment["GIT_NO_LAZY_FETCH"] = "1"
    process = subprocess.Popen(  # noqa: S603
        [git, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    said = b""
    with process:
        assert process.stderr is not None  # noqa: S101  as asked for
        while chunk := os.read(process.stderr.fileno(), _CHUNK):
            said += chunk
            if sys.stderr.isatty():
                sys.stderr.write(chunk.decode(errors="replace"))
    if process.returncode:
        lines = said.decode(errors="replace").replace("\r", "\n").split("\n")
        last = next((line for line in lines if line.startswith(("fatal:", "error:"))), f"status {process.returncode}")
        raise FetchError((last.partition(":")[2].strip() or last).rstrip("."))
