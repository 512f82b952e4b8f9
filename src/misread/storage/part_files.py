"""Rows of a part on their way from the process that made them to the one that writes them all, as Arrow has them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pyarrow as pa

from misread.io.atomic import ENDING, naming, temporary_folder


@contextmanager
def making_parts(path: Path) -> Iterator[Path]:
    """Folder next to a file for its parts, removed afterwards."""
    with temporary_folder(path) as folder:
        yield folder


def cut_groups(groups: Sequence[range], most_rows: int) -> list[range]:
    """Rows of parts, of a row group at most; one part without rows where there are none."""
    return [
        range(start, min(start + most_rows, group.stop))
        for group in groups
        for start in range(group.start, group.stop, most_rows)
    ] or [range(0)]


def write_part(path: Path, columns: Mapping[str, pa.Array]) -> None:
    """Write the columns of a part; its file is whole whenever it is there."""
    write_shares(path, [pa.table(dict(columns))])


def write_shares(path: Path, shares: Sequence[pa.Table]) -> None:
    """Write one or more tables with the same columns, to be read one by one.

    Another may write the file too: a worker that was taken for dead.
    """
    schema = shares[0].schema
    nothing = pa.RecordBatch.from_arrays([pa.nulls(0, kind) for kind in schema.types], schema=schema)
    temporary = path.with_name(f".{path.name}.{uuid4().hex}{ENDING}")
    with naming(path):
        try:
            with pa.OSFile(str(temporary), "wb") as file, pa.ipc.new_file(file, schema) as writer:
                for share in shares:
                    writer.write_batch(next(iter(share.combine_chunks().to_batches()), nothing))
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def read_shares(path: Path, numbers: Sequence[int]) -> pa.Table:
    """Some of the tables of a file, as one."""
    # Not mapped: pages would stay in memory.
    with pa.OSFile(str(path)) as file, pa.ipc.open_file(file) as reader:
        return pa.Table.from_batches([reader.get_batch(number) for number in numbers])


def take_part(path: Path) -> dict[str, pa.ChunkedArray]:
    """Columns of a part, which stay in their file as long as they are in use, though it is removed."""
    with pa.memory_map(str(path)) as file:
        table = pa.ipc.open_file(file).read_all()
    path.unlink()
    return {name: table[name] for name in table.column_names}
