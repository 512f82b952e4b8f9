"""Stage tables written: Parquet files with a note on their content; equal bytes for equal content."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from misread.io.atomic import replacing
from misread.io.layouts import stamp
from misread.io.stored_columns import release_memory
from misread.storage.parquet import CHECKSUM, NOTE, checksum_of
from misread.text.arrow_numpy import to_floats

GROUP_ROWS: Final = 1 << 15
"""Most rows of a row group: what one part of the work reads at a time."""

_GROUP_BYTES: Final = 1 << 24  # of texts that fill a row group with fewer rows
_BATCH: Final = 64  # rows after which a page is looked at, which of long texts is several times its size at 1024
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

    def __init__(self, file: BinaryIO, kind: str) -> None:
        self.note: Mapping[str, Any] = {}
        self._file, self._kind = file, kind
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []
        self._text_bytes = 0
        self._groups: list[int] = []

    def write(self, columns: Mapping[str, pa.Array]) -> int:
        """Write the rows of a part, and give their number, which may be none.

        All parts have the same columns, and there is one at least.
        """
        table = _as_stored(columns, kind=self._kind)
        if self._writer is None:
            self._writer = _open_writer(self._file, table.schema)
        self._waiting.append(table)
        self._text_bytes += _text_bytes(table)
        if self._text_bytes >= _GROUP_BYTES or sum(map(len, self._waiting)) >= GROUP_ROWS:
            self._write_full_groups(self._writer)
        return len(table)

    def finish(self) -> None:
        """Write what waits for a full row group, and the note."""
        if self._writer is None:
            raise ValueError("a stage table has one part at least")
        self._write_group(self._writer, pa.concat_tables(self._waiting))
        note = {**stamp(self._kind), **self.note}
        content = json.dumps(note, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()
        checksum = checksum_of(content, self._writer.schema, self._groups)
        self._writer.add_key_value_metadata({NOTE: content, CHECKSUM: checksum})
        self._writer.close()

    def abandon(self) -> None:
        """Leave the file as it is; Arrow would write its end when the writer is deleted, and complain if it cannot."""
        if self._writer is not None and self._writer.is_open:
            with suppress(OSError, pa.ArrowException):
                self._writer.close()

    def _write_full_groups(self, writer: pq.ParquetWriter) -> None:
        table = pa.concat_tables(self._waiting)
        while rows := _rows_of_group(table):
            self._write_group(writer, table[:rows])
            # Parts whose rows were all written are given back.
            table = table[rows:]
        self._waiting, self._text_bytes = [table], _text_bytes(table)

    def _write_group(self, writer: pq.ParquetWriter, rows: pa.Table) -> None:
        if len(rows):
            # Of one chunk, for pages end where chunks do.
            writer.write_table(rows.combine_chunks(), row_group_size=len(rows))
            self._groups.append(len(rows))
            # What writing took would otherwise stay with the process, in pieces that seldom fit the next row group.
            release_memory()


@contextmanager
def table_writer(path: Path, *, kind: str) -> Iterator[TableWriter]:
    """Write one stage table part by part and atomically: an error in the block leaves the file as it was.

    Kinds are "alignments", "capture", "confusions", "normalized", "scores", "segments" and "timings".
    """
    with replacing(path) as temporary, temporary.open("wb") as file:
        writer = TableWriter(file, kind)
        try:
            yield writer
            writer.finish()
        finally:
            writer.abandon()


def write_parquet(path: Path, columns: Mapping[str, pa.Array], *, kind: str, note: Mapping[str, Any]) -> None:
    """Write one stage table, with `kind` and a note as `table_writer` does."""
    write_parquet_parts(path, [columns], kind=kind, note=note)


def write_parquet_parts(
    path: Path, parts: Iterable[Mapping[str, pa.Array]], *, kind: str, note: Mapping[str, Any]
) -> None:
    """Write one stage table part by part in memory; there is at least one part, which may be empty."""
    with table_writer(path, kind=kind) as writer:
        writer.note = note
        for part in parts:
            writer.write(part)


def _as_stored(columns: Mapping[str, pa.Array], *, kind: str) -> pa.Table:
    """Columns as a stage table has them."""
    table = pa.table(dict(columns))
    if kind not in _WITHOUT_NULLS:
        return table
    return table.cast(pa.schema([field.with_nullable(_may_lack(field)) for field in table.schema]))


def _open_writer(file: BinaryIO, schema: pa.Schema) -> pq.ParquetWriter:
    encodings = _encodings(schema)
    repeating = [name for name in schema.names if _name_of(name) not in _DISTINCT | encodings.keys()]
    # Without a schema of Arrow's own, which would hide a note that is added at the end from its readers, and without
    # the least and greatest value of each column, which nothing asks for.
    return pq.ParquetWriter(
        file,
        schema,
        compression="zstd",
        use_dictionary=repeating or False,
        column_encoding=encodings,
        store_schema=False,
        write_page_checksum=True,
        write_statistics=False,
        write_batch_size=_BATCH,
    )


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
