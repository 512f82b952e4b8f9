"""Git and DVC in a study's folder: checks, uncommitted files, and set-up."""

import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Final

from misread.errors import ConfigurationError, MissingDependencyError
from misread.pipeline.paths import card, folder_in_project
from misread.provenance.environment import git_environment, git_reason

DVC_CONFIG: Final = Path(".dvc/config")
# Without a network, each DVC command would retry to ask for a newer version.
_SETTINGS: Final = {
    "core.analytics": "false",
    "core.autostage": "true",
    "core.check_update": "false",
    "hydra.enabled": "True",
}


def require_tools() -> None:
    """Raise an error if Git, DVC or Hydra is missing."""
    if which("git") is None:
        raise MissingDependencyError("a study is a Git repository, and git was not found: apt-get install git.")
    lacking = [name for name, module in (("DVC", "dvc"), ("Hydra", "hydra")) if find_spec(module) is None]
    if lacking:
        raise MissingDependencyError(f"a study needs {' and '.join(lacking)}: pip install 'misread[pipeline]'.")


def find_top(root: Path) -> Path | None:
    """Top folder of the Git repository that contains a folder; None if none does.

    Raises ConfigurationError if Git does not open it, such as one that belongs to somebody else.
    """
    above = next(folder for folder in (root, *root.parents) if folder.is_dir())
    done = run("git", "rev-parse", "--show-toplevel", folder=above)
    if done.returncode and "not a git repository" not in done.stderr:
        raise ConfigurationError(f"Git does not open {above}: {git_reason(done.stderr)}.")
    return Path(done.stdout.rstrip("\n")) if done.returncode == 0 else None


def list_uncommitted(root: Path) -> list[str]:
    """Tracked files below a folder with uncommitted changes, as paths from the folder."""
    if not root.is_dir() or find_top(root) is None:
        return []
    # Paths start at the top of the repository.
    prefix = _require("git", "rev-parse", "--show-prefix", folder=root).rstrip("\n")
    status = _require("git", "status", "--porcelain", "-z", "--untracked-files=no", "--", ".", folder=root).split("\0")
    changed = [entry[3:] for entry in status if len(entry) > 3 and entry[2] == " "]
    # A newly added file has no older content that could be lost.
    added = {entry[3:] for entry in status if entry[:2] == "A "}
    return sorted(path.removeprefix(prefix) for path in changed if path not in added)


def find_ignored(root: Path, paths: Iterable[str]) -> dict[str, str]:
    """Those of some paths in a folder that Git ignores or would ignore, each with the pattern and its position."""
    top = find_top(root)
    if top is None and not root.is_dir():
        return {}
    # Git does not follow links.
    folder = Path(os.path.realpath(root))
    asked = "".join(f"{folder / path}\0" for path in paths)
    with TemporaryDirectory(prefix="misread-") as empty:
        if top is None:
            run("git", "init", "--quiet", folder=Path(empty))
        tree = [f"--git-dir={empty}/.git", f"--work-tree={folder}"] if top is None else []
        command = ("git", *tree, "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
        done = run(*command, folder=top or folder, text=asked)
    fields = done.stdout.split("\0")
    rows = zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    return {
        os.path.relpath(path, folder): f"{pattern!r} in {source}, line {line}"
        for source, line, pattern, path in rows
        if not pattern.startswith("!")
    }


def watched_folder(root: Path, data: str, dataset: str) -> str:
    """Folder in which DVC looks for changes of a data set, whose own folder `data` is as conf/ names it.

    It is that folder where it is one of the study that Git does not ignore, else the one of the card.
    """
    folder = folder_in_project(data)
    is_tracked = folder is not None and not find_ignored(root, [folder.as_posix()])
    return folder.as_posix() if folder and is_tracked else card(dataset).as_posix()


def set_up(root: Path) -> list[str]:
    """Make a folder a Git and DVC repository, if it is none, with DVC's settings; returns the steps done."""
    done = []
    if find_top(root) is None:
        _require("git", "init", "--quiet", folder=root)
        done.append("git init")
    if not (root / ".dvc").is_dir():
        top = find_top(root)
        below = [] if top is not None and top.resolve() == root.resolve() else ["--subdir"]
        _require(sys.executable, "-m", "dvc", "init", *below, folder=root)
        (root / DVC_CONFIG).write_text(_as_config(), encoding="utf-8")
        return [*done, " ".join(["dvc init", *below])]
    if not _composes(root):
        for name, value in _SETTINGS.items():
            _require(sys.executable, "-m", "dvc", "config", name, value, folder=root)
        done.append(f"set {', '.join(_SETTINGS)} in {DVC_CONFIG}")
    return done


def would_change(root: Path) -> list[str]:
    """DVC's files that `set_up` would change."""
    return [str(DVC_CONFIG)] if (root / ".dvc").is_dir() and not _composes(root) else []


def _composes(root: Path) -> bool:
    """Whether `dvc exp run` composes conf/ here."""
    from configparser import ConfigParser, Error

    config = ConfigParser()
    try:
        config.read(root / DVC_CONFIG, encoding="utf-8")
        return config.getboolean("hydra", "enabled", fallback=False)
    except (Error, ValueError):
        return False


def _as_config() -> str:
    sections: dict[str, list[str]] = {}
    for name, value in _SETTINGS.items():
        section, _, key = name.partition(".")
        sections.setdefault(section, []).append(f"    {key} = {value}\n")
    return "".join(f"[{section}]\n{''.join(lines)}" for section, lines in sections.items())


def _require(*command: str, folder: Path) -> str:
    """Output of a program; raises ConfigurationError with its own reason if it fails."""
    done = run(*command, folder=folder)
    if done.returncode:
        lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        # DVC continues after its error, and so does Git before it.
        reasons = [line for line in lines if line.startswith(("ERROR:", "fatal:"))]
        name = " ".join(command).removeprefix(f"{sys.executable} -m ")
        reason = [*lines, *reasons[:1]][-1] if lines else "no reason was given"
        raise ConfigurationError(f"`{name}` failed in {folder}: {reason.removesuffix('.')}.")
    return done.stdout


def run(*command: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program in a folder on an input; the caller checks the exit status."""
    return subprocess.run(  # noqa: S603
        command,
        cwd=folder,
        env=git_environment(),
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
