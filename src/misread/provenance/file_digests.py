"""Digests of files, read in parts."""

import hashlib
from pathlib import Path


def digest_file(path: Path) -> str:
    """SHA-256 of the content of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
