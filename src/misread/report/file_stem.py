"""Names of files made of names from outside, such as the columns of somebody's table."""

from __future__ import annotations

import hashlib
import re
from typing import Final

# What ends like a hash gets one of its own, so that it is not taken for another name with its hash.
_PLAIN: Final = re.compile(r"(?!.*-[0-9a-f]{10}$)[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
_LONGEST: Final = 32
_DIGITS: Final = 10


def file_stem(*parts: str) -> str:
    """Join names to the name of a file, without its ending.

    A name of Latin letters, digits, _ and - stays as it is. Of any other, these are kept, and a hash is put behind, so
    that it leaves no folder, any file system and LaTeX take it, and two names never give one file.

    Parameters
    ----------
    *parts : str
        Ids of data sets, metrics and systems, group columns, and words of ours between them.

    Returns
    -------
    str

    Examples
    --------
    >>> file_stem("das22", "cer", "by", "book")
    'das22_cer_by_book'
    >>> file_stem("das22", "cer", "by", "../x")
    'das22_cer_by_x-d6b96a97d1'
    """
    return "_".join(map(_safe, parts))


def _safe(part: str) -> str:
    if _PLAIN.fullmatch(part):
        return part
    # Lone surrogates come from file names that are not UTF-8.
    digest = hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
    kept = re.sub("[^A-Za-z0-9_]+", "-", part).strip("-")[:_LONGEST]
    return f"{kept or 'name'}-{digest}"
