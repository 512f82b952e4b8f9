"""Tables as rows of text with the line they came from: CSV, TSV, JSON Lines, Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from misread.errors import InputFileError, UnknownNameError
from misread.files.json_files import decode_json
from misread.files.text import read_text, split_lines


@dataclass(frozen=True)
class Rows:
    """A table read whole.

    Attributes
    ----------
    path : Path
        Its file.
    columns : tuple of str
        Names, in the order of the file.
    values : list of dict
        One a row; values as they stand in the file (text in CSV and TSV).
    lines : list of int
        Line (Parquet: row, from 1) of each row.
    """

    path: Path
    columns: tuple[str, ...]
    values: list[dict[str, Any]]
    lines: list[int]

    def place(self, row: int) -> str:
        """File and line of a row, for messages."""
        return f"{self.path}, line {self.lines[row]}"

    def places(self) -> list[str]:
        """File and line of every row."""
        return [self.place(row) for row in range(len(self.values))]

    def texts(self, column: str) -> list[str | None]:
        """Column of text; None where the file has no value.

        Raises
        ------
        UnknownNameError
            If there is no such column; lists those there are.
        InputFileError
            If a value is not text; names the line.
        """
        values = self._column(column)
        for row, value in enumerate(values):
            if value is not None and not isinstance(value, str):
                raise InputFileError(
                    f"{self.place(row)}: column {column!r} holds {value!r} ({type(value).__name__}), expected text."
                )
        return values

    def present_texts(self, column: str) -> list[str]:
        """As `texts`, where every row must have a value."""
        texts = self.texts(column)
        present = [text for text in texts if text is not None]
        if len(present) < len(texts):
            raise InputFileError(f"{self.place(texts.index(None))}: column {column!r} has no value, expected text.")
        return present

    def labels(self, columns: Sequence[str]) -> list[str]:
        """Values of one or several columns as one label a row, joined by "-"; numbers are written out.

        Raises
        ------
        UnknownNameError
            If there is no such column.
        InputFileError
            If a row has no value, or one that is neither text nor whole number, or if different values make one label;
            names the line.
        """
        labels: list[str] = []
        made_of: dict[str, tuple[int, tuple[str, ...]]] = {}
        for row, parts in enumerate(zip(*(self._labels(column) for column in columns), strict=True)):
            label = "-".join(parts)
            before, others = made_of.setdefault(label, (row, parts))
            if others != parts:
                values, earlier = (" and ".join(map(repr, each)) for each in (parts, others))
                raise InputFileError(
                    f"{self.place(row)}: {values} of columns {', '.join(columns)} make the label {label!r}, as "
                    f"{earlier} do on line {self.lines[before]}: they are joined by '-'. Name one column that tells "
                    "the rows apart."
                )
            labels.append(label)
        return labels

    def _labels(self, column: str) -> list[str]:
        values = self._column(column)
        for row, value in enumerate(values):
            if value is None or (isinstance(value, str) and not value.strip()):
                raise InputFileError(f"{self.place(row)}: column {column!r} has no value.")
            if isinstance(value, bool) or not isinstance(value, str | int):
                raise InputFileError(
                    f"{self.place(row)}: column {column!r} holds {value!r}, expected text or a whole number."
                )
        return [str(value) for value in values]

    def _column(self, column: str) -> list[Any]:
        if column not in self.columns:
            raise UnknownNameError("column", column, self.columns, where=str(self.path))
        return [values.get(column) for values in self.values]


def read_rows(path: Path, *, encoding: str = "utf-8") -> Rows:
    """Read a table; the ending of its name tells the format.

    Parameters
    ----------
    path : Path
        A .csv, .tsv, .jsonl or .parquet file; text formats have a header or keys.
    encoding : str
        Of a text format.

    Returns
    -------
    Rows

    Raises
    ------
    UnknownNameError
        If the format is not among these.
    InputFileError
        If the file is missing, empty, in another encoding, or a row is broken; names file and line.
    """
    readers: dict[str, Callable[[Path, str], Rows]] = {
        ".csv": lambda file, text: _separated(file, text, ","),
        ".tsv": lambda file, text: _separated(file, text, "\t"),
        ".jsonl": _json_lines,
    }
    if path.suffix == ".parquet":
        rows = _parquet(path)
    elif path.suffix in readers:
        text = read_text(path, encoding=encoding)
        if not text.strip():
            raise InputFileError(f"{path} is empty, expected a table.")
        rows = readers[path.suffix](path, text)
    else:
        raise UnknownNameError("table format", path.suffix or path.name, [*readers, ".parquet"], where=str(path))
    if not rows.values:
        raise InputFileError(f"{path} has a header and no row.")
    return rows


def _separated(path: Path, text: str, delimiter: str) -> Rows:
    # A quote is an ordinary character in TSV, where tab and newline cannot occur inside a value.
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if delimiter == "," else csv.QUOTE_NONE
    # A text of a whole book is longer than the module allows by itself.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    # Only a line feed ends a line, but where there is none at all: then it is a carriage return, as on old systems.
    file = io.StringIO(text, newline="\n" if "\n" in text else "\r")
    reader = csv.reader(file, delimiter=delimiter, quoting=quoting, strict=True)
    values: list[dict[str, Any]] = []
    lines: list[int] = []
    start = 1
    header: list[str] = []
    try:
        for cells in reader:
            if not header:
                header = cells
                require_distinct_columns(header, f"{path}, line 1")
            elif cells:
                if len(cells) != len(header):
                    raise InputFileError(f"{path}, line {start}: {len(cells)} fields, the header has {len(header)}.")
                values.append(dict(zip(header, cells, strict=True)))
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        if str(error).startswith("new-line character"):
            raise InputFileError(
                f"{path}, line {start}: a carriage return inside of a row; put its cell in quotes (CSV) or replace it."
            ) from None
        raise InputFileError(f"{path}, line {start}: {error}.") from None
    return Rows(path, tuple(header), values, lines)


def require_distinct_columns(header: Sequence[str], place: str) -> None:
    """Refuse a name that two columns have; names the place of the header."""
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise InputFileError(f"{place}: column {twice[0]!r} occurs twice in the header.")


def _json_lines(path: Path, text: str) -> Rows:
    values: list[dict[str, Any]] = []
    lines: list[int] = []
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip():
            continue
        value = decode_json(line, path, line=number)
        if not isinstance(value, dict):
            raise InputFileError(f"{path}, line {number}: expected a JSON object, got {type(value).__name__}.")
        values.append(value)
        lines.append(number)
    return Rows(path, tuple(dict.fromkeys(key for value in values for key in value)), values, lines)


def _parquet(path: Path) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if path.is_dir() and not any(path.rglob("*.parquet")):
        raise InputFileError(f"{path} is a folder without a Parquet file in it.")
    try:
        if path.is_file():
            require_distinct_columns(pq.read_schema(path).names, str(path))
        table = pq.read_table(path)
        values = table.to_pylist()
    except FileNotFoundError:
        raise InputFileError(f"there is no file {path}.") from None
    except (pa.ArrowInvalid, OSError, UnicodeDecodeError) as error:
        raise InputFileError(f"{path} is not a readable Parquet file ({error}).") from None
    return Rows(path, tuple(table.column_names), values, list(range(1, table.num_rows + 1)))
