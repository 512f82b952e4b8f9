"""Stage tables read: Parquet files with a note on their content, which are checked; errors say how to make one."""

import json
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from functools import wraps
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from misread.data.segment_table import Doubt, Origin, TextFacts
from misread.errors import InputFileError
from misread.io.json_files import from_plain
from misread.io.layouts import check_kind, check_layout
from misread.io.stored_columns import StoredColumn, release_memory
from misread.text.arrow_numpy import as_array, to_arrow
from misread.types import IntArray

NOTE: Final = b"misread"
CHECKSUM: Final = b"misread.checksum"
_TOO_FEW: Final = "it has fewer rows than it says"


def row_groups(path: Path, *, kind: str, made_by: str) -> list[range]:
    """Rows of every row group of a stage table; raises as `read_parquet`."""
    with _opened(path, kind=kind, made_by=made_by) as (file, _):
        return _row_groups(file)


def read_parquet(
    path: Path, *, kind: str, made_by: str, without: Collection[str] = (), rows: range | IntArray | None = None
) -> tuple[pa.Table, dict[str, Any]]:
    """Read one stage table, all columns but those named, and its note; `made_by` is the stage to run again.

    Of `rows`, a range or numbers that ascend, only the row groups that have some are read. Raises InputFileError if the
    file is missing, is not a Parquet file, or is of another kind or layout.
    """
    with _opened(path, kind=kind, made_by=made_by) as (file, note):
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
    """A stage table that stays in its file, with its note; raises as `read_parquet`, and on later damage.

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
                table = _read_one_group(self._file, number, names)
            columns = [as_array(table[name]) for name in names]
            return columns[0] if len(columns) == 1 else pa.StructArray.from_arrays(columns, names)

        return StoredColumn([group for group in _row_groups(self._file) if group], load)


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
    # The function of the module that reads a table would import pandas, for a third of a second in every stage.
    # Reading ahead is for files far away, and its threads keep memory of their own.
    file = pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False)
    if NOTE not in (file.metadata.metadata or {}):
        raise InputFileError(f"{path} was not written by misread; run `{command}` to make it again.")
    note = _note_in(file.metadata)
    check_kind(path, kind, note["kind"], command=command)
    check_layout(path, kind, note["format"], command=command)
    return file, note


@contextmanager
def _read_errors(path: Path, made_by: str) -> Iterator[None]:
    """Errors of Arrow and the system on a stage table, as InputFileError."""
    again = f"run `dvc repro {made_by}` to make it again"
    try:
        yield
    except FileNotFoundError:
        raise InputFileError(f"{path} is not there; {again}.") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{path} is not a readable Parquet file ({_one_line(error)}); {again}.") from None


def _read_groups(
    file: pq.ParquetFile, numbers: Sequence[int], names: Sequence[str], *, use_threads: bool = True
) -> pa.Table:
    """Some row groups; ArrowInvalid if rows lack: of a page whose head is damaged, Arrow reads some or nothing."""
    table = file.read_row_groups(numbers, names, use_threads=use_threads)
    if len(table) != sum(file.metadata.row_group(number).num_rows for number in numbers):
        raise pa.ArrowInvalid(_TOO_FEW)
    return table


def _read_one_group(file: pq.ParquetFile, number: int, names: Sequence[str]) -> pa.Table:
    """One row group of several that are read in turn."""
    # Threads would keep memory of their own.
    table = _read_groups(file, [number], names, use_threads=False)
    # Arrow keeps some twenty megabytes where three were read.
    release_memory()
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
            taken.append(_read_one_group(file, number, names).take(to_arrow(rows[first:last] - group.start)))
    return pa.concat_tables(taken)


def _overlap(first: range, second: range) -> bool:
    return max(first.start, second.start) < min(first.stop, second.stop)


def checksum_of(note: bytes, columns: pa.Schema, groups: Sequence[int]) -> bytes:
    """Checksum of what Parquet has none of: the note, names and types of columns, and the rows of each row group."""
    described = [(column.name, column.nullable, _describe_type(column.type)) for column in columns]
    return b"%08x" % zlib.crc32(note + repr((described, [*groups])).encode())


def _describe_type(kind: pa.DataType) -> str:
    """A type as it is both written and read: Parquet has one of texts, and names of its own in nested ones."""
    if kind.num_fields:
        return "nested"
    return "text" if kind in (pa.string(), pa.large_string()) else str(kind)


def _note_in(facts: pq.FileMetaData) -> dict[str, Any]:
    """The note of a table."""
    metadata = facts.metadata or {}
    groups = [facts.row_group(number).num_rows for number in range(facts.num_row_groups)]
    if metadata.get(CHECKSUM) != checksum_of(metadata[NOTE], facts.schema.to_arrow_schema(), groups):
        raise pa.ArrowInvalid("its note does not have its checksum")
    try:
        note: dict[str, Any] = json.loads(metadata[NOTE])
    except RecursionError:
        raise ValueError("its note is nested too deeply") from None
    return note


def read_origin(note: Mapping[str, Any]) -> Origin:
    """Origin from the note of a stage table."""
    from msgspec import ValidationError

    origin = note["origin"]
    try:
        return from_plain({**origin, "facts": origin}, Origin)
    except ValidationError as error:
        raise ValueError(f"its origin: {error}") from None


def note_origin(origin: Origin) -> dict[str, Any]:
    """Origin in the note of a stage table, with facts of the texts among its fields."""
    note = asdict(origin)
    facts = describe_facts(note.pop("facts"))
    if not note["conditions"]:
        # Recorded outputs and local engines have none.
        del note["conditions"]
    return {**note, **facts}


def describe_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Origin of texts from a note."""
    facts = dict(facts)
    for name in ("pairing", "formats", "doubts", "remarks"):
        if not facts[name]:
            del facts[name]
    return facts


def read_facts(note: Mapping[str, Any]) -> TextFacts:
    """Facts of the texts from a note, which leaves out what there is nothing of."""
    doubts = [Doubt(**doubt) for doubt in note.get("doubts", ())]
    stated = {known.name: note[known.name] for known in fields(TextFacts) if known.name in note}
    return TextFacts(**{**stated, "doubts": doubts})


Options = ParamSpec("Options")
Made = TypeVar("Made")

Reader = Callable[Concatenate[Path, Options], Made]


def reads_stage(made_by: str) -> Callable[[Reader[Options, Made]], Reader[Options, Made]]:
    """A reader of what this stage writes, which raises InputFileError for a column or fact that is not as it wrote it.

    The file may be of another version of misread, of somebody else, or damaged in a way that Parquet does not notice.
    """

    def decorate(read: Reader[Options, Made]) -> Reader[Options, Made]:
        @wraps(read)
        def reader(path: Path, /, *args: Options.args, **options: Options.kwargs) -> Made:
            try:
                return read(path, *args, **options)
            except InputFileError:
                raise
            except (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError) as error:
                reason = " ".join(f"{type(error).__name__}: {error}".split())
                raise InputFileError(
                    f"{path} was written by another version of misread, or changed after it ({reason}); run "
                    f"`dvc repro {made_by}` to make it again."
                ) from None

        return reader

    return decorate
