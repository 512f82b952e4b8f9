"""File names made of names from outside, such as the columns of somebody's table."""

from __future__ import annotations

import hashlib
import re
from typing import Final

# A name that ends like a hash gets its own, so that it cannot equal another name with its hash.
_PLAIN: Final = re.compile(r"(?!.*-[0-9a-f]{10}$)[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
_LONGEST: Final = 32
_DIGITS: Final = 10


def file_stem(*parts: str) -> str:
    """Join names to a file name without extension that is safe in every file system and in LaTeX.

    Names of ASCII letters, digits, _ and - stay as they are; others keep these characters and get a hash, so that no
    path leaves its folder and different names never share a file.
    """
    return "_".join(map(_safe, parts))


def _safe(part: str) -> str:
    if _PLAIN.fullmatch(part):
        return part
    # Lone surrogates come from file names that are not UTF-8.
    digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    kept = re.sub("[^A-Za-z0-9_]+", "-", part).strip("-")[:_LONGEST]
    return f"{kept or 'name'}-{digest}"
