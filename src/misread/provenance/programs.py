"""Programs in the project's folder that systems run, and digests of their content."""

import hashlib
from pathlib import Path
from typing import Final

from misread.provenance.file_digests import digest_file

PROGRAMS: Final = Path("conf/programs")
"""Folder of the project, of which DVC sees every change."""


def list_programs() -> str:
    """List all files in the folder with their digests, as lines `SHA256  NAME` sorted by name."""
    return "".join(f"{digest_file(path)}  {path.as_posix()}\n" for path in _files(PROGRAMS))


def digest_program(argument: Path) -> str:
    """SHA-256 of a file in the folder, or of all files of the folder below it in which that file lies."""
    inside = argument.relative_to(PROGRAMS)
    if len(inside.parts) == 1 and argument.is_file():
        return digest_file(argument)
    listed = (f"{digest_file(path)}  {path.as_posix()}\n" for path in _files(PROGRAMS / inside.parts[0]))
    return hashlib.sha256("".join(listed).encode()).hexdigest()


def _files(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in found if path != PROGRAMS / "README.md")
