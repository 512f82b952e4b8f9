"""Versions of the layouts of files that misread writes and reads again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from misread.errors import InputFileError


@dataclass(frozen=True, slots=True)
class Layout:
    """Version of a layout that is written, and the oldest one that is still read.

    A version is increased with every change of columns, keys or types, and `python -m tests.golden` writes an example
    of it, which every later version reads or refuses.
    """

    version: int = 1
    oldest: int = 1


LAYOUTS: Final[Mapping[str, Layout]] = {
    # Tables of stages, in Parquet.
    "segments": Layout(),
    "capture": Layout(),
    "timings": Layout(2),
    "normalized": Layout(3),
    "scores": Layout(3),
    "alignments": Layout(),
    "confusions": Layout(2),
    # Records, in JSON.
    "changes": Layout(),
    "ablation": Layout(),
    "regimes": Layout(),
    "comparison": Layout(7),
    "signature": Layout(),
    "run": Layout(7),
    "study": Layout(2),
    "pins": Layout(),
    # Lines of JSON.
    "journal": Layout(),
    "decisions": Layout(),
    "disputes": Layout(),
    # A table of integers, in CSV.
    "counts": Layout(2),
    # A pickled object.
    "evaluation": Layout(9, oldest=9),
}


def check_layout(where: object, kind: str, version: object, *, command: str) -> None:
    """Raise InputFileError for a layout that this version does not read; `command` writes the file again.

    The layout may be newer, too old, or not stated.
    """
    layout = LAYOUTS[kind]
    if isinstance(version, int) and layout.oldest <= version <= layout.version:
        return
    reads = (
        f"layout {layout.version}"
        if layout.oldest == layout.version
        else f"layouts {layout.oldest} to {layout.version}"
    )
    newer = isinstance(version, int) and version > layout.version
    again = f"run `{command}` to make it again"
    cure = f"upgrade misread (pip install --upgrade misread), or {again}" if newer else again
    raise InputFileError(f"{where} has layout {version}, this version reads {reads}; {cure}.")


def stamp(kind: str) -> dict[str, object]:
    """Kind of a file and version of its layout, as the file states them."""
    return {"kind": kind, "format": LAYOUTS[kind].version}


def check_kind(path: Path, kind: str, actual: object, *, command: str) -> None:
    """Raise InputFileError, with both kinds, for a file of another kind."""
    if actual != kind:
        raise InputFileError(
            f"{path} is a file of kind {actual!r}, expected {kind!r}; run `{command}` to make it again."
        )
