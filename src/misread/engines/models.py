"""Digests of models, by which a changed one is noticed."""

import hashlib
from pathlib import Path

from misread.provenance.digests import digest_file


def digest_model(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of all files in a folder."""
    if path.is_file():
        return digest_file(path)
    listed = (f"{digest_model(each)}  {each.relative_to(path).as_posix()}\n" for each in _files(path))
    return hashlib.sha256("".join(listed).encode()).hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
