"""Row groups of several Parquet files in one file, as they were encoded.

What Arrow writes into one file is the same as what this joins: bytes of pages do not depend on where they stand, and
the facts at the end of a file say where each of its columns begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO, Final

from misread.storage.parquet_seal import MAGIC
from misread.storage.thrift_compact import Kind, Struct, Value, decode_struct, encode_struct

_END: Final = 4 + len(MAGIC)  # bytes behind the facts: their number, and the magic ones

# Numbers of fields in parquet.thrift of Apache Parquet. Of a file:
_SCHEMA, _ROWS, _GROUPS, _NAMED = 2, 3, 4, 5
# Of a row group, whose place is that of its first column:
_COLUMNS, _GROUP_PLACE, _ORDINAL = 1, 5, 7
# Of a column, and of what is said of its pages. Nobody asks for indices and Bloom filters, which would have places too.
_COLUMN_PLACE, _PAGES, _PLACES_OF_PAGES = 2, 3, (9, 10, 11)
_KEY, _FACT = 1, 2


class JoinedParquet:
    """Writes one Parquet file of the row groups of others, which have the same columns."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._size = file.write(MAGIC)
        self._facts: Struct = {}
        self._rows = 0
        self._groups: list[bytes] = []

    @property
    def is_empty(self) -> bool:
        """Whether no file has been appended yet, so that the columns are unknown."""
        return not self._facts

    def append(self, encoded: memoryview) -> int:
        """Take the row groups of a file, of which there may be none, and give the number of their rows.

        Raises ValueError if it has other columns than those before it.
        """
        length = int.from_bytes(encoded[-_END : -len(MAGIC)], "little")
        pages, facts = encoded[len(MAGIC) : -_END - length], decode_struct(bytes(encoded[-_END - length : -_END]))
        self._facts = self._facts or facts
        if facts[_SCHEMA] != self._facts[_SCHEMA]:
            raise ValueError("a part has other columns than those before it.")
        for group in facts[_GROUPS].content[1]:
            self._groups.append(encode_struct(_moved(group, self._size - len(MAGIC), len(self._groups))))
        self._size += self._file.write(pages)
        rows: int = facts[_ROWS].content
        self._rows += rows
        return rows

    def end(self, facts: Mapping[bytes, bytes]) -> bytes:
        """What is to be written at the end of the file, which says more of the whole."""
        named = [{_KEY: Value(Kind.BINARY, key), _FACT: Value(Kind.BINARY, fact)} for key, fact in facts.items()]
        of_all = {
            _ROWS: Value(Kind.I64, self._rows),
            _GROUPS: Value(Kind.LIST, (Kind.STRUCT, self._groups)),
            _NAMED: Value(Kind.LIST, (Kind.STRUCT, named)),
        }
        encoded = encode_struct(dict(sorted((self._facts | of_all).items())))
        return encoded + len(encoded).to_bytes(4, "little") + MAGIC


def _moved(group: Struct, distance: int, ordinal: int) -> Struct:
    """A row group further back in a file."""
    columns = [_moved_column(column, distance) for column in group[_COLUMNS].content[1]]
    moved = {**group, _COLUMNS: Value(Kind.LIST, (Kind.STRUCT, columns))}
    _move(moved, _GROUP_PLACE, distance)
    if _ORDINAL in moved:
        moved[_ORDINAL] = Value(Kind.I16, ordinal)
    return moved


def _moved_column(column: Struct, distance: int) -> Struct:
    pages = {**column[_PAGES].content}
    for number in _PLACES_OF_PAGES:
        _move(pages, number, distance)
    moved = {**column, _PAGES: Value(Kind.STRUCT, pages)}
    _move(moved, _COLUMN_PLACE, distance)
    return moved


def _move(struct: Struct, number: int, distance: int) -> None:
    # A place that is 0 is none.
    if number in struct and struct[number].content:
        struct[number] = Value(Kind.I64, struct[number].content + distance)
