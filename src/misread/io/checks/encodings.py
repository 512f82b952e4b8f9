"""Checks of names whose bytes are no UTF-8, which Python holds as halves of surrogate pairs."""

from pathlib import Path

from misread.errors import InputFileError


def require_utf8(name: str | Path) -> None:
    """Refuse a name that no list of files, configuration or table could hold; raises InputFileError with it."""
    try:
        str(name).encode()
    except UnicodeEncodeError:
        raise InputFileError(f"{str(name)!r} is not UTF-8, in which names are written; rename it.") from None
