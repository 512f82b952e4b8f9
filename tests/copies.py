"""Copies of folders that tests change."""

import shutil
from pathlib import Path

_MAY_WRITE = 0o200
# Files that another process is writing into a cache, and gives its name when they are whole.
_UNFINISHED = ("*.pyc.*", "*.tmp.*")


def copy_writable(source: Path, target: Path, *ignored: str) -> None:
    """Copy a folder but for ignored names; sources may be read-only, as an installation or shared data often are.

    Compiled code in it stays good, as times of files are kept.
    """
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*ignored, *_UNFINISHED))
    for path in (target, *target.rglob("*")):
        path.chmod(path.stat().st_mode | _MAY_WRITE)
