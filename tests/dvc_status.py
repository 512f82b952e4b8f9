"""What `dvc status` says, asked in this process: to start DVC takes longer than its answer."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any


def status_of(root: Path) -> dict[str, Any]:
    """Stages of a project that are not as they were run, with what changed."""
    from dvc.repo import Repo

    with contextlib.chdir(root), Repo() as repo:
        found: dict[str, Any] = repo.status()
    return found


def short(name: str) -> str:
    """Name of a stage without its file and the ids that it runs for."""
    return name.split(":")[-1].split("@")[0]


def stages_made_stale(root: Path) -> dict[str, set[str]]:
    """Stages that DVC would run again, by the dependency that changed."""
    found: dict[str, set[str]] = {}
    for stage, changes in status_of(root).items():
        changed = (each["changed deps"] for each in changes if isinstance(each, dict) and "changed deps" in each)
        for dependency in (name for each in changed for name in each):
            found.setdefault(dependency, set()).add(short(stage))
    return found
