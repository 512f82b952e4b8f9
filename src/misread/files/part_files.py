"""Rows of a part on their way from the process that made them to the one that writes them all, as Arrow has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from misread.files.atomic import ENDING, naming, temporary_folder

if TYPE_CHECKING:
    import pyarrow as pa


@contextmanager
def making_parts(path: Path) -> Iterator[Path]:
    """Folder beside a file for the parts that it is made of, which is removed afterwards."""
    with temporary_folder(path) as folder:
        yield folder


def write_part(path: Path, columns: Mapping[str, pa.Array]) -> None:
    """Write the columns of a part, as Arrow has them in memory; it is whole whenever it is there."""
    import pyarrow as pa

    table = pa.table(dict(columns))
    with _writing(path, table.schema) as writer:
        writer.write_table(table)


def read_part(path: Path) -> dict[str, pa.ChunkedArray]:
    """Read the columns of a part, which stay in its file as long as they are in use, though it is removed."""
    import pyarrow as pa

    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    return {name: table[name] for name in table.column_names}


def take_part(path: Path) -> dict[str, pa.ChunkedArray]:
    """Read the columns of a part, and remove its file."""
    columns = read_part(path)
    path.unlink()
    return columns


@contextmanager
def writing_drawers(path: Path, schema: pa.Schema) -> Iterator[Callable[[pa.Table], None]]:
    """Write a file of drawers: each table that the function is given is one, and may be empty.

    It is whole whenever it is there.
    """
    import pyarrow as pa

    nothing = pa.RecordBatch.from_arrays([pa.nulls(0, of) for of in schema.types], schema=schema)
    with _writing(path, schema) as writer:

        def put(table: pa.Table) -> None:
            batches = table.combine_chunks().to_batches()
            writer.write_batch(batches[0] if batches else nothing)

        yield put


@contextmanager
def drawers(path: Path) -> Iterator[pa.RecordBatchFileReader]:
    """Open a file of drawers, each of which is read by its number."""
    import pyarrow as pa

    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        yield reader


@contextmanager
def _writing(path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatchFileWriter]:
    """Write a file of which there may be another writer: a worker that was taken for dead. Each has one of its own."""
    import pyarrow as pa

    temporary = path.with_name(f".{path.name}.{uuid4().hex}{ENDING}")
    with naming(path):
        try:
            with pa.OSFile(str(temporary), "wb") as file, pa.ipc.new_file(file, schema) as writer:
                yield writer
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
