"""Rows of a part on their way from the process that made them to the one that writes them all.

They are in Parquet where they fill row groups, which are then in the table as they are, and else as Arrow has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from misread.io.atomic import ENDING, naming, temporary_folder
from misread.storage.parquet_seal import MAGIC
from misread.storage.parquet_writer import TableWriter, as_stored, cut_groups, encode_groups


@contextmanager
def making_parts(path: Path) -> Iterator[Path]:
    """Folder beside a file for the parts that it is made of, which is removed afterwards."""
    with temporary_folder(path) as folder:
        yield folder


def write_part(path: Path, columns: Mapping[str, pa.Array], *, kind: str) -> None:
    """Write the columns of a part of a stage table of a kind; it is whole whenever it is there."""
    table = as_stored(columns, kind=kind)
    groups, rest = cut_groups(table)
    if groups and not len(rest):
        with _replacing(path) as temporary:
            temporary.write_bytes(encode_groups(groups))
        return
    with _writing(path, table.schema) as writer:
        writer.write_table(table)


def move_part(path: Path, table: TableWriter) -> int:
    """Move the rows of a part into a stage table of its kind, and give their number; its file is removed."""
    with path.open("rb") as file:
        is_encoded = file.read(len(MAGIC)) == MAGIC
    if is_encoded and not table.is_waiting:
        rows = table.append(memoryview(path.read_bytes()))
    else:
        rows = table.write(_read_encoded(path) if is_encoded else read_part(path))
    path.unlink()
    return rows


def read_part(path: Path) -> dict[str, pa.ChunkedArray]:
    """Columns as Arrow has them, which stay in their file as long as they are in use, though it is removed."""
    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    return {name: table[name] for name in table.column_names}


def take_part(path: Path) -> dict[str, pa.ChunkedArray]:
    """Columns as Arrow has them; their file is removed."""
    columns = read_part(path)
    path.unlink()
    return columns


@contextmanager
def writing_drawers(path: Path, schema: pa.Schema) -> Iterator[Callable[[pa.Table], None]]:
    """Write a file of drawers: each table that the function is given is one, and may be empty.

    It is whole whenever it is there.
    """
    nothing = pa.RecordBatch.from_arrays([pa.nulls(0, of) for of in schema.types], schema=schema)
    with _writing(path, schema) as writer:

        def put(table: pa.Table) -> None:
            batches = table.combine_chunks().to_batches()
            writer.write_batch(batches[0] if batches else nothing)

        yield put


@contextmanager
def drawers(path: Path) -> Iterator[pa.RecordBatchFileReader]:
    """Open a file of drawers, each of which is read by its number."""
    # Not mapped: of each of many small drawers the system would have 64 kB or more in memory.
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        yield reader


def _read_encoded(path: Path) -> dict[str, pa.ChunkedArray]:
    """Columns of row groups, which rows before them cut in other places."""
    table = pq.ParquetFile(path).read()
    return {name: table[name] for name in table.column_names}


@contextmanager
def _writing(path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatchFileWriter]:
    """Write a file as Arrow has it."""
    with (
        _replacing(path) as temporary,
        pa.OSFile(str(temporary), "wb") as file,
        pa.ipc.new_file(file, schema) as writer,
    ):
        yield writer


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """Temporary path of a file that another may write too: a worker that was taken for dead."""
    temporary = path.with_name(f".{path.name}.{uuid4().hex}{ENDING}")
    with naming(path):
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
