"""Parquet files with a note on their content, checked when read; equal bytes for equal content."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from misread.errors import InputFileError
from misread.files.atomic import replacing
from misread.records import Origin

FORMAT = 1
"""Layout version of stage files, increased when older readers would misunderstand newer files."""

_NOTE = b"misread"


def write_parquet(path: Path, columns: Mapping[str, pa.Array], *, kind: str, note: Mapping[str, Any]) -> None:
    """Write one stage table atomically, with `kind` and a note of JSON-able facts on the whole file.

    Kinds are "alignments", "capture", "confusions", "normalized", "scores", "segments" and "timings".
    """
    write_parquet_parts(path, [columns], kind=kind, note=note)


def write_parquet_parts(
    path: Path, parts: Iterable[Mapping[str, pa.Array]], *, kind: str, note: Mapping[str, Any]
) -> None:
    """Write one stage table of which only a part is in memory at a time; there is at least one, which may be empty."""
    content = json.dumps({"kind": kind, "format": FORMAT, **note}, ensure_ascii=False, sort_keys=True, allow_nan=False)
    tables = (pa.table(dict(part)).replace_schema_metadata({_NOTE: content.encode()}) for part in parts)
    first = next(tables)
    with replacing(path) as temporary, pq.ParquetWriter(temporary, first.schema, compression="zstd") as writer:
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def read_parquet(
    path: Path, *, kind: str, made_by: str, without: Collection[str] = ()
) -> tuple[pa.Table, dict[str, Any]]:
    """Read one stage table, all columns but those named, and its note; `made_by` is the stage to run again.

    Raises InputFileError if the file is missing, is not a Parquet file, or is of another kind or layout.
    """
    again = f"run `dvc repro {made_by}` to make it again"
    try:
        # The function of the module that reads a table would import pandas, for a third of a second in every stage.
        with pq.ParquetFile(path) as file:
            table = file.read([name for name in file.schema_arrow.names if name not in without])
    except FileNotFoundError:
        raise InputFileError(f"{path} is not there; {again}.") from None
    except (pa.ArrowException, OSError) as error:
        reason = " ".join(str(error).split())
        raise InputFileError(f"{path} is not a readable Parquet file ({reason}); {again}.") from None
    if _NOTE not in (table.schema.metadata or {}):
        raise InputFileError(f"{path} was not written by misread; {again}.")
    note = _note_in(table.schema)
    if note["kind"] != kind:
        raise InputFileError(f"{path} is a file of kind {note['kind']!r}, expected {kind!r}; {again}.")
    if note["format"] != FORMAT:
        raise InputFileError(f"{path} has layout {note['format']}, this version reads layout {FORMAT}; {again}.")
    return table, note


def read_note(path: Path) -> dict[str, Any]:
    """Read the note of a stage table alone; raises InputFileError if it has none."""
    try:
        return _note_in(pq.read_schema(path))
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise InputFileError(f"{path} is not a Parquet file with a note of misread ({reason}).") from None


def _note_in(schema: pa.Schema) -> dict[str, Any]:
    note: dict[str, Any] = json.loads((schema.metadata or {})[_NOTE])
    return note


def read_origin(note: Mapping[str, Any]) -> Origin:
    """Origin from the note of a stage table; JSON has lists where it has tuples."""
    origin = note["origin"]
    return Origin(**{**origin, "notes": tuple(origin.get("notes", ()))})
