"""Parquet files with a note on their content, checked when read; equal bytes for equal content."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from misread.files.free_memory import release_memory, within_free_memory
from misread.files.layouts import check_kind, check_layout, stamp
from misread.files.parquet_seal import check_seal, seal, sealable
from misread.files.stored_columns import StoredColumn
from misread.records import Origin
from misread.text.arrow_numpy import to_arrow, to_floats
from misread.types import IntArray

GROUP_ROWS: Final = 1 << 15
"""Most rows of a row group: what one part of the work reads at a time."""

_GROUP_BYTES: Final = 1 << 24  # of texts, with which a row group is full before it has so many rows
_LARGE: Final = _GROUP_BYTES // 2  # bytes of texts of a row group whose memory is given back
_BATCH: Final = 64  # rows after which a page is looked at, which of long texts is several times its size at 1024
_NOTE = b"misread"
_TOO_FEW: Final = "it has fewer rows than it says"
# Kinds of tables in which no number and no text is missing, so that these columns need not say of each row whether it
# is there; labels may be.
_WITHOUT_NULLS = frozenset({"scores", "alignments", "confusions"})
# Columns of texts that seldom repeat: a dictionary of them grows too large and is given up, which takes as long as all
# else, and files are larger by the part that was written with it.
_DISTINCT = frozenset(
    {"segment_id", "reference", "hypothesis", "raw", "reference_digest", "characters"}
    | {f"{side}_{form}" for side in ("reference", "hypothesis") for form in ("normalized", "normalized_lines")}
)


class TableWriter:
    """Writes the rows of one stage table as they come.

    How they are cut into parts makes no difference to the file: its row groups follow from the rows alone. `note` has
    JSON-able facts on the whole file, which may be known at the end only.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self.note: Mapping[str, Any] = {}
        self._path = path
        self._kind = kind
        self._file: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []
        self._rows = 0
        self._text_bytes = 0

    def write(self, columns: Mapping[str, pa.Array]) -> None:
        """Write the rows of a part, which may be none; all parts have the same columns, and there is one at least."""
        table = pa.table(dict(columns))
        if self._kind in _WITHOUT_NULLS:
            table = table.cast(pa.schema([field.with_nullable(_may_lack(field)) for field in table.schema]))
        if self._file is None:
            encodings = _encodings(table.schema)
            repeating = [name for name in table.column_names if _name_of(name) not in _DISTINCT | encodings.keys()]
            # Without a schema of Arrow's own, which would hide a note that is added at the end from its readers, and
            # without the least and greatest value of each column, which nothing asks for.
            self._file = pq.ParquetWriter(
                self._path,
                table.schema,
                compression="zstd",
                use_dictionary=repeating or False,
                column_encoding=encodings,
                store_schema=False,
                write_page_checksum=True,
                write_statistics=False,
                write_batch_size=_BATCH,
            )
        self._waiting.append(table)
        self._rows += len(table)
        self._text_bytes += _text_bytes(table)
        if self._rows >= GROUP_ROWS or self._text_bytes >= _GROUP_BYTES:
            self._write_groups(last=False)

    def finish(self) -> None:
        """Write what waits for a full row group, and the note."""
        self._write_groups(last=True)
        if self._file is not None:
            note = {**stamp(self._kind), **self.note}
            content = json.dumps(note, ensure_ascii=False, sort_keys=True, allow_nan=False)
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
        while rows := _rows_of_group(table):
            self._write_group(self._file, table[:rows])
            # Parts whose rows were all written are given back.
            table = table[rows:]
        if last and (len(table) or not self._file.is_open):
            self._write_group(self._file, table)
        self._waiting, self._rows, self._text_bytes = [table], len(table), _text_bytes(table)

    def _write_group(self, file: pq.ParquetWriter, rows: pa.Table) -> None:
        """Write a row group of one chunk, for pages end where chunks do."""
        file.write_table(rows.combine_chunks(), row_group_size=max(1, len(rows)))
        if _text_bytes(rows) >= _LARGE:
            # What writing took would otherwise stay with the process; of a small one the next takes it again.
            release_memory()


@contextmanager
def table_writer(path: Path, *, kind: str) -> Iterator[TableWriter]:
    """Write one stage table part by part and atomically: an error in the block leaves the file as it was.

    Kinds are "alignments", "capture", "confusions", "normalized", "scores", "segments" and "timings".
    """
    with replacing(path) as temporary:
        writer = TableWriter(temporary, kind)
        try:
            yield writer
            writer.finish()
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
    path: Path, *, kind: str, made_by: str, without: Collection[str] = (), rows: range | IntArray | None = None
) -> tuple[pa.Table, dict[str, Any]]:
    """Read one stage table, all columns but those named, and its note; `made_by` is the stage to run again.

    Of `rows`, a range or numbers that ascend, only the row groups that have some are read. Raises InputFileError if the
    file is missing, is not a Parquet file, is of another kind or layout, or takes more memory than is free.
    """
    with _opened(path, kind=kind, made_by=made_by) as (file, note), within_free_memory(path):
        names = [name for name in file.schema_arrow.names if name not in without]
        if rows is None:
            return _read_groups(file, range(file.num_row_groups), names), note
        if not isinstance(rows, range):
            return _take_rows(file, rows, names), note
        groups = [(number, group) for number, group in enumerate(_row_groups(file)) if _overlap(group, rows)]
        if not groups:
            return pa.Table.from_batches([], file.schema_arrow).select(names), note
        table = _read_groups(file, [number for number, _ in groups], names)
        return table.slice(rows.start - groups[0][1].start, len(rows)), note


class StoredTable:
    """A stage table that stays in its file, with its note; raises as `read_parquet`, and for what is damaged later on.

    The file stays open, and is what it was when it was opened.
    """

    def __init__(self, path: Path, *, kind: str, made_by: str) -> None:
        self._path, self._made_by = path, made_by
        with _read_errors(path, made_by):
            self._file, self.note = _open(path, kind=kind, made_by=made_by)
        self.names = self._file.schema_arrow.names

    def column(self, *names: str) -> StoredColumn:
        """A column, or several as one of structs; KeyError if there is none."""
        for name in names:
            if name not in self.names:
                raise KeyError(name)

        def load(number: int) -> pa.Array:
            with _read_errors(self._path, self._made_by):
                # Threads would keep memory of their own.
                table = _read_groups(self._file, [number], names, use_threads=False)
            # Arrow keeps some twenty megabytes where three were read.
            release_memory()
            columns = [_as_one(table[name]) for name in names]
            return columns[0] if len(columns) == 1 else pa.StructArray.from_arrays(columns, names)

        return StoredColumn([group for group in _row_groups(self._file) if group], load)


def _as_one(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def read_columns(path: Path, names: Collection[str], *, kind: str, made_by: str) -> Iterator[pa.RecordBatch]:
    """Read some columns of a stage table, a row group at most at a time; raises as `read_parquet`."""
    with _opened(path, kind=kind, made_by=made_by) as (file, _):
        asked = [name for name in names if name in file.schema_arrow.names]
        left = file.metadata.num_rows
        for batch in file.iter_batches(columns=asked):
            left -= len(batch)
            yield batch
        if left:
            raise pa.ArrowInvalid(_TOO_FEW)


def read_note(path: Path) -> dict[str, Any]:
    """Read the note of a stage table alone; raises InputFileError if it has none."""
    try:
        return _note_in(pq.read_metadata(path))
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise InputFileError(f"{path} is not a Parquet file with a note of misread ({_one_line(error)}).") from None


@contextmanager
def _opened(path: Path, *, kind: str, made_by: str) -> Iterator[tuple[pq.ParquetFile, dict[str, Any]]]:
    """A stage table and its note."""
    with _read_errors(path, made_by):
        file, note = _open(path, kind=kind, made_by=made_by)
        with file:
            yield file, note


def _open(path: Path, *, kind: str, made_by: str) -> tuple[pq.ParquetFile, dict[str, Any]]:
    command = f"dvc repro {made_by}"
    check_seal(path)
    # The function of the module that reads a table would import pandas, for a third of a second in every stage.
    # Reading ahead is for files far away, and its threads keep memory of their own.
    file = pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False)
    if _NOTE not in (file.metadata.metadata or {}):
        raise InputFileError(f"{path} was not written by misread; run `{command}` to make it again.")
    note = _note_in(file.metadata)
    check_kind(path, kind, note["kind"], command=command)
    check_layout(path, kind, note["format"], command=command)
    return file, note


@contextmanager
def _read_errors(path: Path, made_by: str) -> Iterator[None]:
    """What Arrow and the system say of a stage table, as InputFileError."""
    again = f"run `dvc repro {made_by}` to make it again"
    try:
        yield
    except FileNotFoundError:
        raise InputFileError(f"{path} is not there; {again}.") from None
    except (pa.ArrowException, OSError) as error:
        raise InputFileError(f"{path} is not a readable Parquet file ({_one_line(error)}); {again}.") from None


def _read_groups(
    file: pq.ParquetFile, numbers: Sequence[int], names: Sequence[str], *, use_threads: bool = True
) -> pa.Table:
    """Some row groups; ArrowInvalid if rows lack: of a page whose head is damaged, Arrow reads some or nothing."""
    table = file.read_row_groups(numbers, names, use_threads=use_threads)
    if len(table) != sum(file.metadata.row_group(number).num_rows for number in numbers):
        raise pa.ArrowInvalid(_TOO_FEW)
    return table


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _row_groups(file: pq.ParquetFile) -> list[range]:
    sizes = (file.metadata.row_group(number).num_rows for number in range(file.metadata.num_row_groups))
    return [range(start, end) for start, end in pairwise(accumulate(sizes, initial=0))]


def _take_rows(file: pq.ParquetFile, rows: IntArray, names: Sequence[str]) -> pa.Table:
    """Some rows, in memory with the row group that is looked at."""
    taken = [pa.Table.from_batches([], file.schema_arrow).select(names)]
    for number, group in enumerate(_row_groups(file)):
        first, last = np.searchsorted(rows, (group.start, group.stop))
        if first < last:
            taken.append(_read_groups(file, [number], names).take(to_arrow(rows[first:last] - group.start)))
    return pa.concat_tables(taken)


def _overlap(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)


def _rows_of_group(table: pa.Table) -> int:
    """Rows of the full row group that a table begins with; 0 if there is none."""
    head = table[:GROUP_ROWS]
    if _text_bytes(head) >= _GROUP_BYTES:
        lengths = [np.nan_to_num(to_floats(pc.binary_length(column))) for column in head.columns if _is_text(column)]
        full = np.cumsum(np.sum(lengths, axis=0, dtype=np.int64)) >= _GROUP_BYTES
        return int(np.argmax(full)) + 1
    return len(head) if len(head) == GROUP_ROWS else 0


def _text_bytes(table: pa.Table) -> int:
    return sum(_bytes_of(chunk) for column in table.columns if _is_text(column) for chunk in column.chunks)


def _bytes_of(texts: pa.Array) -> int:
    """Bytes of all texts, without those of a null, which may have some that nobody sees."""
    if texts.null_count or not len(texts):
        return pc.sum(pc.binary_length(texts)).as_py() or 0
    bounds = np.frombuffer(texts.buffers()[1], np.int32 if texts.type == pa.string() else np.int64)
    return int(bounds[texts.offset + len(texts)] - bounds[texts.offset])


def _may_lack(field: pa.Field) -> bool:
    return not pa.types.is_integer(field.type) and _name_of(field.name) not in _DISTINCT


def _encodings(schema: pa.Schema) -> dict[str, str]:
    """Columns that are written without a dictionary, in half of the time: numbers as steps from one to the next."""
    steps = {field.name: "DELTA_BINARY_PACKED" for field in schema if pa.types.is_integer(field.type)}
    # All of one length, so that the lengths are as good as nothing.
    return steps | {name: "DELTA_LENGTH_BYTE_ARRAY" for name in schema.names if name == "reference_digest"}


def _name_of(column: str) -> str:
    """Name of a column without its run."""
    return column.partition("@")[0]


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
