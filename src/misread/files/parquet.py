"""Parquet files with a note on their content, checked when read; equal bytes for equal content."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from misread.errors import InputFileError
from misread.files.atomic import replacing
from misread.files.layouts import check_kind, check_layout, stamp
from misread.files.parquet_seal import check_seal, seal, sealable
from misread.records import Origin

GROUP_ROWS: Final = 1 << 15
"""Most rows of a row group: what one part of the work reads at a time."""

_GROUP_BYTES: Final = 1 << 26  # of texts, with which a row group is full before it has so many rows
_NOTE = b"misread"


class TableWriter:
    """Writes the rows of one stage table as they come.

    How they are cut into parts makes no difference to the file: its row groups follow from the rows alone. `note` has
    JSON-able facts on the whole file, which may be known at the end only.
    """

    def __init__(self, path: Path) -> None:
        self.note: Mapping[str, Any] = {}
        self._path = path
        self._file: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []
        self._rows = 0
        self._text_bytes = 0

    def write(self, columns: Mapping[str, pa.Array]) -> None:
        """Write the rows of a part, which may be none; all parts have the same columns, and there is one at least."""
        table = pa.table(dict(columns))
        if self._file is None:
            # Without a schema of Arrow's own, which would hide a note that is added at the end from its readers.
            self._file = pq.ParquetWriter(
                self._path, table.schema, compression="zstd", store_schema=False, write_page_checksum=True
            )
        self._waiting.append(table)
        self._rows += len(table)
        self._text_bytes += _text_bytes(table)
        if self._rows >= GROUP_ROWS or self._text_bytes >= _GROUP_BYTES:
            self._write_groups(last=False)

    def finish(self, kind: str) -> None:
        """Write what waits for a full row group, and the note."""
        self._write_groups(last=True)
        if self._file is not None:
            content = json.dumps({**stamp(kind), **self.note}, ensure_ascii=False, sort_keys=True, allow_nan=False)
            self._file.add_key_value_metadata(sealable({_NOTE: content.encode()}))
        self.close()
        if self._file is not None:
            seal(self._path)

    def close(self) -> None:
        """Close the file, whole or not."""
        if self._file is not None:
            self._file.close()

    def _write_groups(self, *, last: bool) -> None:
        if self._file is None:
            return
        table = pa.concat_tables(self._waiting)
        # Of one chunk, for pages end where chunks do.
        table = table.combine_chunks()
        while rows := _rows_of_group(table):
            self._file.write_table(table[:rows], row_group_size=rows)
            table = table[rows:]
        if last and (len(table) or not self._file.is_open):
            self._file.write_table(table, row_group_size=max(1, len(table)))
        self._waiting, self._rows, self._text_bytes = [table], len(table), _text_bytes(table)


@contextmanager
def table_writer(path: Path, *, kind: str) -> Iterator[TableWriter]:
    """Write one stage table part by part and atomically: an error in the block leaves the file as it was.

    Kinds are "alignments", "capture", "confusions", "normalized", "scores", "segments" and "timings".
    """
    with replacing(path) as temporary:
        writer = TableWriter(temporary)
        try:
            yield writer
            writer.finish(kind)
        finally:
            writer.close()


def write_parquet(path: Path, columns: Mapping[str, pa.Array], *, kind: str, note: Mapping[str, Any]) -> None:
    """Write one stage table, with `kind` and a note as `table_writer` does."""
    write_parquet_parts(path, [columns], kind=kind, note=note)


def write_parquet_parts(
    path: Path, parts: Iterable[Mapping[str, pa.Array]], *, kind: str, note: Mapping[str, Any]
) -> None:
    """Write one stage table of which only a part is in memory at a time; there is at least one, which may be empty."""
    with table_writer(path, kind=kind) as writer:
        writer.note = note
        for part in parts:
            writer.write(part)


def row_groups(path: Path, *, kind: str, made_by: str) -> list[range]:
    """Rows of every row group of a stage table; raises as `read_parquet`."""
    with _opened(path, kind=kind, made_by=made_by) as (file, _):
        return _row_groups(file)


def read_parquet(
    path: Path, *, kind: str, made_by: str, without: Collection[str] = (), rows: range | None = None
) -> tuple[pa.Table, dict[str, Any]]:
    """Read one stage table, all columns but those named, and its note; `made_by` is the stage to run again.

    Of `rows`, only the row groups that have some are read. Raises InputFileError if the file is missing, is not a
    Parquet file, or is of another kind or layout.
    """
    with _opened(path, kind=kind, made_by=made_by) as (file, note):
        names = [name for name in file.schema_arrow.names if name not in without]
        if rows is None:
            return file.read(names), note
        groups = [(number, group) for number, group in enumerate(_row_groups(file)) if _overlap(group, rows)]
        if not groups:
            return file.schema_arrow.empty_table().select(names), note
        table = file.read_row_groups([number for number, _ in groups], names)
        return table.slice(rows.start - groups[0][1].start, len(rows)), note


def read_columns(path: Path, names: Collection[str], *, kind: str, made_by: str) -> Iterator[pa.RecordBatch]:
    """Read some columns of a stage table, a row group at most at a time; raises as `read_parquet`."""
    with _opened(path, kind=kind, made_by=made_by) as (file, _):
        yield from file.iter_batches(columns=[name for name in names if name in file.schema_arrow.names])


def read_note(path: Path) -> dict[str, Any]:
    """Read the note of a stage table alone; raises InputFileError if it has none."""
    try:
        return _note_in(pq.read_metadata(path))
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise InputFileError(f"{path} is not a Parquet file with a note of misread ({_one_line(error)}).") from None


@contextmanager
def _opened(path: Path, *, kind: str, made_by: str) -> Iterator[tuple[pq.ParquetFile, dict[str, Any]]]:
    """A stage table and its note."""
    command = f"dvc repro {made_by}"
    again = f"run `{command}` to make it again"
    try:
        check_seal(path)
        # The function of the module that reads a table would import pandas, for a third of a second in every stage.
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            if _NOTE not in (file.metadata.metadata or {}):
                raise InputFileError(f"{path} was not written by misread; {again}.")
            note = _note_in(file.metadata)
            check_kind(path, kind, note["kind"], command=command)
            check_layout(path, kind, note["format"], command=command)
            yield file, note
    except FileNotFoundError:
        raise InputFileError(f"{path} is not there; {again}.") from None
    except (pa.ArrowException, OSError) as error:
        raise InputFileError(f"{path} is not a readable Parquet file ({_one_line(error)}); {again}.") from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _row_groups(file: pq.ParquetFile) -> list[range]:
    sizes = (file.metadata.row_group(number).num_rows for number in range(file.metadata.num_row_groups))
    return [range(start, end) for start, end in pairwise(accumulate(sizes, initial=0))]


def _overlap(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)


def _rows_of_group(table: pa.Table) -> int:
    """Rows of the full row group that a table begins with; 0 if there is none."""
    head = table[:GROUP_ROWS]
    if _text_bytes(head) >= _GROUP_BYTES:
        lengths = [pc.fill_null(pc.binary_length(column), 0).to_numpy() for column in head.columns if _is_text(column)]
        full = np.cumsum(np.sum(lengths, axis=0, dtype=np.int64)) >= _GROUP_BYTES
        return int(np.argmax(full)) + 1
    return len(head) if len(head) == GROUP_ROWS else 0


def _text_bytes(table: pa.Table) -> int:
    return sum(pc.sum(pc.binary_length(column)).as_py() or 0 for column in table.columns if _is_text(column))


def _is_text(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_string(column.type) or pa.types.is_large_string(column.type))


def _note_in(facts: pq.FileMetaData) -> dict[str, Any]:
    try:
        note: dict[str, Any] = json.loads((facts.metadata or {})[_NOTE])
    except RecursionError:
        raise ValueError("its note is nested too deeply") from None
    return note


def read_origin(note: Mapping[str, Any]) -> Origin:
    """Origin from the note of a stage table; JSON has lists where it has tuples."""
    origin = note["origin"]
    return Origin(**{**origin, "notes": tuple(origin.get("notes", ()))})
