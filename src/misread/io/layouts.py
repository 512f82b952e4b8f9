"""Versions of the layouts of files that misread writes and reads again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from misread.errors import InputFileError

LAYOUTS: Final[Mapping[str, int]] = {
    # Tables of stages, in Parquet.
    "segments": 1,
    "capture": 1,
    "timings": 1,
    "normalized": 1,
    "scores": 1,
    "alignments": 1,
    "confusions": 1,
    # Records, in JSON.
    "changes": 1,
    "ablation": 1,
    "regimes": 1,
    "comparison": 1,
    "signature": 1,
    "run": 1,
    "study": 1,
    "pins": 1,
    # Lines of JSON.
    "journal": 1,
    "decisions": 1,
    "disputes": 1,
    # A table of integers, in CSV.
    "counts": 1,
    # A pickled object.
    "evaluation": 1,
}
"""Version of the layout of each kind of file.

It is increased with every change of columns, keys or types, and `python -m tests.golden` writes an example of it.
"""


def check_layout(where: object, kind: str, version: object, *, command: str) -> None:
    """Raise InputFileError for a layout that this version does not read; `command` writes the file again.

    The layout may be newer, older, or not stated.
    """
    if version == LAYOUTS[kind]:
        return
    newer = isinstance(version, int) and version > LAYOUTS[kind]
    again = f"run `{command}` to make it again"
    cure = f"upgrade misread (pip install --upgrade misread), or {again}" if newer else again
    raise InputFileError(f"{where} has layout {version}, this version reads layout {LAYOUTS[kind]}; {cure}.")


def stamp(kind: str) -> dict[str, object]:
    """Kind of a file and version of its layout, as the file states them."""
    return {"kind": kind, "format": LAYOUTS[kind]}


def check_kind(path: Path, kind: str, actual: object, *, command: str) -> None:
    """Raise InputFileError, with both kinds, for a file of another kind."""
    if actual != kind:
        raise InputFileError(
            f"{path} is a file of kind {actual!r}, expected {kind!r}; run `{command}` to make it again."
        )
