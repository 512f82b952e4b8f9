"""Copies of folders that tests change."""

import shutil
from pathlib import Path

_MAY_WRITE = 0o200


def copy_writable(source: Path, target: Path, *ignored: str) -> None:
    """Copy a folder but for ignored names; sources may be read-only, as an installation or shared data often are."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*ignored))
    for path in (target, *target.rglob("*")):
        path.chmod(path.stat().st_mode | _MAY_WRITE)
