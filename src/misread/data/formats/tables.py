"""Tables (CSV, TSV, JSON Lines, Parquet) as columns, with the lines that their rows came from."""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, cast

from misread.data.base import require_distinct
from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content, read_value
from misread.data.formats.timed_text import SEGMENT_COLUMNS, TimedText, read_name, require_times
from misread.data.segment_table import take
from misread.errors import InputFileError, MisreadError, UnknownNameError, setting
from misread.io.checks.choices import check_choice, require_utf8
from misread.io.json_files import LARGEST, decode_json, decode_lines
from misread.io.pointers import absence, pointer_at
from misread.io.text import UTF_8, as_unicode, read_text, split_lines
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column
from misread.text.lazy_texts import DeferredTexts

if TYPE_CHECKING:
    import pyarrow as pa

# Rows of a table that are Python strings at a time.
_AT_A_TIME: Final = 1 << 16
_QUOTED_CELL: Final = re.compile(r'"[^"]*+(?:""[^"]*+)*+"')
_CELL: Final = rf'(?:{_QUOTED_CELL.pattern}|[^"\t\n]*+)'
_QUOTED_TABLE: Final = re.compile(rf"(?:{_CELL}(?:\t|\r?\n))*+{_CELL}\r?")
# What all programs quote a cell for, and what some do.
_NEEDS_QUOTES: Final = re.compile(r'[\t\n]|""')
_MAY_HAVE_QUOTES: Final = re.compile(r'[\t\n\r,;"]|^$|^ | $')
_FEWEST_ROWS: Final = 2  # in quotes, which are therefore characters of texts
# Excel's own line above the header.
_SEPARATOR_LINE: Final = re.compile(r"\"?sep=([,;\t])\"?\r?\n", re.IGNORECASE)
_COLUMN: Final = re.compile(r"[^\W\d](?:[\w .-]*\w)?")
# The header of a table of texts has at least one of these words in its names.
_COLUMN_WORDS: Final = frozenset(
    {"file", "filename", "gt", "hyp", "hypothesis", "id", "image", "line", "ocr", "page", "path", "prediction", "ref"}
    | {"reference", "segment", "sentence", "speaker", "text", "transcript", "transcription", "truth", "utterance"}
)


@dataclass(frozen=True)
class Rows:
    """Columns of a table with the place of every row; messages name column and place."""

    source: str
    columns: Mapping[str, Sequence[Any]]  # None where there is no value
    lines: Sequence[int]  # of each row; in Parquet its number from 1

    unit: ClassVar[str] = "line"  # what `lines` numbers
    wrong_type: ClassVar[type[MisreadError]] = InputFileError  # raised for a value of the wrong type
    wrong_value: ClassVar[type[MisreadError]] = InputFileError
    advice_on_ids: ClassVar[str] = (
        f"; where rows of a segment are of several systems or runs, {setting('system', 'COLUMN')} or "
        f"{setting('run', 'COLUMN')} tells them apart"
    )
    # Name of a format that writes an empty text and a missing one alike.
    ambiguous: str = ""
    # Of the rows in the table, from 1, where some are left out.
    numbers: Sequence[int] = ()

    def __len__(self) -> int:
        return len(self.lines)

    def location(self, row: int) -> str:
        """File and line of a row, for messages."""
        return f"{self.source}, {self.unit} {self.lines[row]}"

    def line(self, row: int) -> str:
        """Place of a row in the file that a message names already."""
        return f"{self.unit} {self.lines[row]}"

    def cell(self, row: int, column: str) -> str:
        """Place of a value, for messages."""
        return f"{self.location(row)}: column {column!r}"

    def texts(self, column: str) -> Sequence[str | None]:
        """Column of texts; None where the table has no value."""
        values = self._column(column)
        if not isinstance(values, ArrowTexts) and not set(map(type, values)) <= {str, type(None)}:
            for row, value in enumerate(values):
                if value is not None and not isinstance(value, str):
                    raise self.wrong_type(
                        f"{self.cell(row, column)} holds {value!r} ({type(value).__name__}), expected text."
                    )
        return values

    def words(self, column: str) -> list[str | None]:
        """Column of texts, numbers and truth values as text; None where the table has no value."""
        return [None if value is None else str(value) for value in self._column(column)]

    def present_texts(self, column: str, *, advice: str = "") -> Sequence[str]:
        """As `texts`, where every row must have a value; `advice` is what to do where one has none."""
        texts = self.texts(column)
        if None in texts:
            others = texts.count(None) - 1
            more = f"; nor has it on {others:,} more {self.unit}{'' if others == 1 else 's'}" if others else ""
            raise self.wrong_type(f"{self.cell(texts.index(None), column)} has no value, expected text{more}.{advice}")
        return cast("Sequence[str]", texts)

    def seconds(self, column: str) -> list[float | None]:
        """Column of times, 0 or more, as numbers or as texts of numbers; None where the table has no value."""
        return self._numbers(column, "seconds")

    def present_seconds(self, column: str) -> list[float]:
        """As `seconds`, where every row must have a value."""
        return [self._number(row, column, value, "seconds") for row, value in enumerate(self._column(column))]

    def with_amounts(self, columns: Iterable[str]) -> Self:
        """The same rows, with numbers of 0 or more in some columns, which may have them as texts."""
        amounts = {column: self._numbers(column, "a number") for column in columns}
        return replace(self, columns={**self.columns, **amounts}) if amounts else self

    def without_empty(self, columns: Iterable[str]) -> Self:
        """The same rows, in which empty cells of some columns are missing."""
        missing = {column: [value or None for value in self.texts(column)] for column in columns}
        return replace(self, columns={**self.columns, **missing})

    def take(self, rows: Sequence[int]) -> Self:
        """Keep these rows, in this order."""
        columns: dict[str, Sequence[Any]] = {
            name: DeferredTexts(len(rows), partial(take, values, rows))
            if isinstance(values, DeferredTexts)
            else take(values, rows)
            for name, values in self.columns.items()
        }
        lines, numbers = [self.lines[row] for row in rows], [row + 1 for row in rows]
        return replace(self, columns=columns, lines=lines, numbers=numbers)

    def labels(self, columns: Sequence[str]) -> Sequence[str]:
        """Values of one or several columns as one label per row, joined by "-"; whole numbers become text.

        A blank label is refused, and one that different values make.
        """
        if len(columns) == 1:
            return self._labels(columns[0])
        labels: list[str] = []
        made_of: dict[str, tuple[int, tuple[str, ...]]] = {}
        for row, parts in enumerate(zip(*(self._labels(column) for column in columns), strict=True)):
            label = "-".join(parts)
            before, others = made_of.setdefault(label, (row, parts))
            if others != parts:
                values, earlier = (" and ".join(map(repr, cells)) for cells in (parts, others))
                raise self.wrong_value(
                    f"{self.location(row)}: {values} of columns {', '.join(columns)} make the label {label!r}, as "
                    f"{earlier} do on {self.unit} {self.lines[before]}: they are joined by '-'. Name one column that "
                    "distinguishes the rows."
                )
            labels.append(label)
        return labels

    def ids(self, columns: Sequence[str], *, advice: str = "") -> Sequence[str]:
        """Labels that are distinct; numbers from 1 where no column is named. `advice` is on two that are equal."""
        if not columns:
            return [str(number) for number in self.numbers or range(1, len(self) + 1)]
        ids = self.labels(columns)
        require_distinct(ids, map(self.location, range(len(ids))), error=self.wrong_value, advice=advice)
        return ids

    def _numbers(self, column: str, expected: str) -> list[float | None]:
        values = self._column(column)
        return [
            None if value in (None, "") else self._number(row, column, value, expected)
            for row, value in enumerate(values)
        ]

    def _number(self, row: int, column: str, value: object, expected: str) -> float:
        try:
            number = math.nan if isinstance(value, bool) else float(cast("float | str", value))
        except (OverflowError, TypeError, ValueError):
            number = math.nan
        if not 0 <= number <= LARGEST:
            raise self.wrong_value(f"{self.cell(row, column)} holds {value!r}, expected {expected}, 0 or more.")
        return number

    def _labels(self, column: str) -> Sequence[str]:
        values = self._column(column)
        if isinstance(values, ArrowTexts) and all(map(str.strip, values)):
            return values
        for row, value in enumerate(values):
            if value is None or (isinstance(value, str) and not value.strip()):
                raise self.wrong_value(f"{self.cell(row, column)} has no value.")
            is_whole = isinstance(value, Integral) or (isinstance(value, float) and value.is_integer())
            if isinstance(value, bool) or not (isinstance(value, str) or is_whole):
                raise self.wrong_type(f"{self.cell(row, column)} holds {value!r}, expected text or a whole number.")
            if isinstance(value, str) and as_unicode(value) != value:
                raise self.wrong_value(
                    f"{self.cell(row, column)} holds {value!a}: half of a surrogate pair is no character."
                )
        # A column of numbers in which one lacks has whole numbers as 3.0.
        return [value if isinstance(value, str) else str(int(value)) for value in values]

    def _column(self, column: str) -> Sequence[Any]:
        check_choice("column", column, self.columns, where=self.source)
        values = self.columns[column]
        return values.values if isinstance(values, DeferredTexts) else values


class Entries(Rows):
    """Rows of a JSON array, numbered from 1."""

    unit: ClassVar[str] = "entry"


def read_rows(path: Path, *, encoding: str = UTF_8) -> Rows:
    """Read a .csv, .tsv, .jsonl or .parquet file, by its name; a file named differently is read by its content.

    `encoding` is that of a text format. Raises InputFileError if the file is missing, empty, in another encoding, or a
    row is broken; names file and line.
    """
    readers: dict[str, Callable[[Path, str], Rows]] = {
        ".csv": lambda file, text: _table(file, text, ","),
        ".tsv": lambda file, text: _table(file, text, "\t"),
        ".jsonl": gather_json,
        ".json": gather_json,
    }
    if path.suffix == ".parquet" or (path.suffix not in readers and is_parquet(Content.of_start(path))):
        rows = _parquet(path)
    elif path.is_dir():
        raise InputFileError(
            f"{path} is a folder, expected a table: {', '.join(readers)} or .parquet, as `to_parquet` of a data set of "
            "Hugging Face writes."
        )
    else:
        text = read_text(path, encoding=encoding)
        if not text or text.isspace():
            raise InputFileError(f"{path} is empty, expected a table.")
        ending = path.suffix if path.suffix in readers else _find_ending(Content(text))
        if not ending:
            raise UnknownNameError("table format", path.suffix or path.name, [*readers, ".parquet"], where=str(path))
        rows = readers[ending](path, text)
    if not rows.lines:
        raise InputFileError(f"{path} has a header and no row.")
    return rows


def _find_ending(content: Content) -> str:
    """Ending by which a table with this content would be read; empty if it is none."""
    recognisers = {".json": has_array, ".jsonl": has_objects, ".csv": has_rows, ".tsv": has_rows_of_tabs}
    return next((ending for ending, recognises in recognisers.items() if recognises(content)), "")


def _table(path: Path, text: str, delimiter: Literal[",", "\t"]) -> Rows:
    form = {",": "CSV", "\t": "TSV"}[delimiter]
    separator = _find_separator(text, delimiter)
    if told := _SEPARATOR_LINE.match(text):
        # The rows keep their numbers.
        text, separator = "\n" + text[told.end() :], told[1]
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if separator != "\t" or has_quoted_cells(text) else csv.QUOTE_NONE
    return read_separated(path, text, form, delimiter=separator, quoting=quoting)


def _find_separator(text: str, usual: str) -> str:
    """The separator of the header, the usual one if it has it; where it has several, the one that all rows fit."""
    header = text[: text.find("\n") + 1] or text
    choices = [separator for separator in dict.fromkeys(f"{usual},;|\t") if separator in header]
    if len(choices) > 1:
        fitting = (separator for separator in choices if _fits(text, separator))
        return next(fitting, choices[0])
    return (choices or [usual])[0]


def _fits(text: str, separator: str) -> bool:
    """Whether all rows have the same number of cells, more than one."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    try:
        widths = {len(cells) for cells in csv.reader(_lines_with_ends(text), delimiter=separator, strict=True) if cells}
    except csv.Error:
        return False
    return len(widths) == 1 and widths != {1}


def has_quoted_cells(text: str) -> bool:
    """Whether quotes enclose cells with tabs, as pandas and csv write them, and are no characters of the texts.

    So are all cells of the header, or lines without them do not have as many cells as the header, or all cells that
    have quotes begin and end with one, double those inside and need them, and none has whole rows in it.
    """
    if '"' not in text:
        return False
    lines = split_lines(text)
    header = next(line for line in lines if line).split("\t")
    if all(map(_QUOTED_CELL.fullmatch, header)) or len({line.count("\t") for line in lines if line}) > 1:
        return _fits(text, "\t")
    if not _QUOTED_TABLE.fullmatch(text):
        return False
    cells = [cell[1:-1] for cell in _QUOTED_CELL.findall(text)]
    rows = (line.split("\t") for cell in cells for line in cell.split("\n")[1:-1])
    whole = sum(len(row) == len(header) and all(map(str.strip, row)) for row in rows)
    are_quoted = any(map(_NEEDS_QUOTES.search, cells)) and all(map(_MAY_HAVE_QUOTES.search, cells))
    return are_quoted and whole < _FEWEST_ROWS and _fits(text, "\t")


def read_separated(path: Path, text: str, form: str, *, expected: str = "", advice: str = "", **dialect: Any) -> Rows:
    """Read columns as the csv module does, whose first row is the header.

    `form` does not tell an empty text from a missing one. `expected` is for a header of one column, where that is
    refused, and `advice` for a row that is not as long as the header.
    """
    # The text of a whole book is longer than the csv module's default limit.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(_lines_with_ends(text), strict=True, **dialect)
    columns: list[list[str]] = []
    packed: list[pa.Table] = []
    lines: list[int] = []
    start = 1
    header: list[str] = []
    try:
        for cells in reader:
            if not header:
                header = cells
                if expected and len(header) < 2:
                    raise InputFileError(f"{path}, line 1: expected {expected}.")
                require_distinct_columns(header, f"{path}, line 1")
                columns = [[] for _ in header]
            elif cells:
                if len(cells) != len(header):
                    raise InputFileError(
                        f"{path}, line {start}: {len(cells)} fields, the header has {len(header)}{advice}."
                    )
                for column, cell in zip(columns, cells, strict=True):
                    column.append(cell)
                lines.append(start)
                if len(lines) % _AT_A_TIME == 0:
                    packed.append(_pack(path, columns, header))
            start = reader.line_num + 1
    except csv.Error as error:
        if str(error).startswith("new-line character"):
            raise InputFileError(
                f"{path}, line {start}: a carriage return inside a row; put its cell in quotes (CSV) or replace it."
            ) from None
        raise InputFileError(f"{path}, line {start}: {error}.") from None
    if packed:
        packed.append(_pack(path, columns, header))
        return Rows(str(path), _unite(packed), lines, ambiguous=form)
    return Rows(str(path), dict(zip(header, columns, strict=True)), lines, ambiguous=form)


def _pack(path: Path, columns: Sequence[list[str]], header: Sequence[str]) -> pa.Table:
    """Cells of some rows in Arrow buffers, which take a third of the memory; the columns are empty afterwards."""
    import pyarrow as pa

    try:
        packed = [to_column(column, pa.large_string()) for column in columns]
    except UnicodeEncodeError as error:
        raise InputFileError(
            f"{path} holds U+{ord(error.object[error.start]):04X}, half of a surrogate pair and not a character; name "
            f"the encoding that it is in ({setting('encoding')})."
        ) from None
    for column in columns:
        column.clear()
    return pa.table(packed, names=header)


def _unite(parts: Sequence[pa.Table]) -> dict[str, DeferredTexts[str]]:
    """Columns of all parts, each joined on first access, when the text of the file has been freed."""
    import pyarrow as pa

    table = pa.concat_tables(parts)
    return {name: DeferredTexts(table.num_rows, partial(ArrowTexts.of, table[name])) for name in table.column_names}


def _lines_with_ends(text: str) -> Iterator[str]:
    """Lines that end in a line feed or, if a text has none, in a carriage return, as on old systems.

    `io.StringIO` would hold a copy of the text at four bytes per character.
    """
    newline = "\n" if "\n" in text else "\r"
    start = 0
    while start < len(text):
        end = text.find(newline, start) + 1 or len(text)
        yield text[start:end]
        start = end


def require_distinct_columns(header: Sequence[str], location: str) -> None:
    """Refuse a header in which two columns have the same name."""
    twice = sorted(name for name, number in Counter(header).items() if number > 1)
    if twice:
        raise InputFileError(f"{location}: column {twice[0]!r} occurs twice in the header.")


def gather_json(path: Path, text: str, expected: str = "a JSON object") -> Rows:
    """Rows of an array of objects, or of JSON Lines; a key that one lacks has no value there."""
    is_array = text.lstrip().startswith("[")
    kind = Entries if is_array else Rows
    entries = enumerate(decode_json(text, path), start=1) if is_array else decode_lines(text, path)
    present: dict[str, list[Any]] = {}
    # Of columns that some rows lack, where they have a value: names may be as many as values.
    rows_by_name: dict[str, list[int]] = {}
    lines: list[int] = []
    for number, row in entries:
        if not isinstance(row, dict):
            raise InputFileError(f"{path}, {kind.unit} {number}: expected {expected}, got {type(row).__name__}.")
        for name, value in row.items():
            values = present.setdefault(name, [])
            if len(values) < len(lines):
                if name not in rows_by_name:
                    rows_by_name[name] = list(range(len(values)))
                rows_by_name[name].append(len(lines))
            values.append(value)
        lines.append(number)
    columns = {
        name: values
        if len(values) == len(lines)
        else DeferredTexts(len(lines), partial(_spread, values, rows_by_name.get(name, range(len(values))), len(lines)))
        for name, values in present.items()
    }
    return kind(str(path), columns, lines)


def _spread(values: Sequence[Any], rows: Iterable[int], number: int) -> list[Any]:
    """A column of `number` rows with values in some of them, None elsewhere."""
    column: list[Any] = [None] * number
    for row, value in zip(rows, values, strict=True):
        column[row] = value
    return column


def _parquet(path: Path) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Arrow opens no others.
    require_utf8(path)
    if path.is_dir() and not any(path.rglob("*.parquet")):
        raise InputFileError(f"{path} is a folder without a Parquet file in it.")
    try:
        if path.is_file():
            require_distinct_columns(pq.read_schema(path).names, str(path))
        table = pq.read_table(path)
        columns = {name: _values(table[name]) for name in table.column_names}
    except FileNotFoundError:
        raise InputFileError(f"{absence(path)}.") from None
    except (pa.ArrowInvalid, OSError, UnicodeDecodeError) as error:
        for file in sorted(path.rglob("*.parquet")) if path.is_dir() else [path]:
            if pointer := pointer_at(file):
                raise InputFileError(f"{file} is {pointer}.") from None
        raise InputFileError(f"{path} is not a readable Parquet file ({' '.join(str(error).split())}).") from None
    return Rows(str(path), columns, range(1, table.num_rows + 1))


def _values(column: pa.ChunkedArray) -> Sequence[Any]:
    """Values of a column; texts stay Arrow's where none is missing, and are refused where they are not UTF-8."""
    import pyarrow as pa

    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    if not is_text or column.null_count:
        values: list[Any] = column.to_pylist()
        return values
    column.validate(full=True)
    return ArrowTexts.of(column)


def read_table_segments(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read the rows of a table with columns of `SEGMENT_COLUMNS`; only text is needed."""
    rows = read_rows(path, encoding=encoding)
    texts = rows.texts("text")
    account = Account("the table", path)
    # An end alone may be that of a begin with another name, and in another unit.
    names = {*SEGMENT_COLUMNS} & rows.columns.keys() - (set() if "begin" in rows.columns else {"end"})
    for name in rows.columns:
        if name not in names:
            account.leave_out("columns that are not read", name, 1)
    recordings, channels, speakers = (
        [read_name(value, name, rows.cell(row, name)) for row, value in enumerate(rows.columns[name])]
        if name in names
        else [""] * len(rows)
        for name in SEGMENT_COLUMNS[2:5]
    )
    ids = rows.ids(["id"]) if "id" in names else [""] * len(rows)
    starts, ends = (rows.seconds(name) if name in names else [None] * len(rows) for name in ("begin", "end"))
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if start is not None and end is not None:
            require_times(start, end, rows.location(row))
    labels = rows.columns.get("labels", [None] * len(rows))
    return [
        TimedText(
            texts[row],
            rows.location(row),
            ids[row],
            recordings[row],
            speakers[row],
            starts[row],
            ends[row],
            channels[row],
            tuple(labels[row].split(",") if isinstance(labels[row], str) else labels[row] or ()),
        )
        for row in range(len(rows))
    ]


def has_object_lines(content: Content) -> bool:
    """Whether every line is a JSON object that has something."""
    are_objects = content.begin.startswith("{") and content.lines
    return bool(are_objects) and all(isinstance(value, dict) and value for value in map(read_value, content.lines))


def has_objects(content: Content) -> bool:
    """Whether there is an object on each of several lines."""
    return has_object_lines(content) and len(content.lines) > 1


def has_array(content: Content) -> bool:
    """Whether there is an array of JSON objects, each with a text."""
    entries = content.value if isinstance(content.value, list) else []
    return bool(entries) and all(
        isinstance(entry, dict) and any(isinstance(value, str) for value in entry.values()) for entry in entries
    )


def has_rows(content: Content) -> bool:
    """Whether there is a header, and rows of as many cells, with one separator between."""
    return any(_has_rows(content, delimiter) for delimiter in ",;|")


def has_rows_of_tabs(content: Content) -> bool:
    """As `has_rows`, with tabs between."""
    return _has_rows(content, "\t")


def is_parquet(content: Content) -> bool:
    """Whether the file begins like a table."""
    return content.begin.startswith("PAR1")


def _has_rows(content: Content, delimiter: str) -> bool:
    header = [name.strip('"') for name in content.first.split(delimiter)]
    if len(header) < 2 or len({*header}) < len(header):
        return False
    words = {word for name in header for word in re.split(r"[\W_]+", name.lower())}
    if not (words & _COLUMN_WORDS and all(map(_COLUMN.fullmatch, header)) and len(content.entries) > 1):
        return False
    columns = content.first.count(delimiter) + 1
    try:
        rows = csv.reader((f"{line}\n" for line in content.entries), delimiter=delimiter, strict=True)
        return all(len(row) == columns for row in rows)
    except csv.Error:
        return False


def write_rows(segments: Sequence[TimedText], ids: Sequence[str]) -> str:
    """One object of JSON per segment, with the columns that any segment has."""
    rows = [
        (
            key,
            segment.text,
            segment.document or None,
            segment.channel or None,
            segment.speaker or None,
            segment.start,
            segment.end,
            list(segment.labels) or None,
        )
        for key, segment in zip(ids, segments, strict=True)
    ]
    columns = dict(zip(SEGMENT_COLUMNS, zip(*rows, strict=True), strict=True))
    used = [
        name for name, values in columns.items() if name in ("id", "text") or any(value is not None for value in values)
    ]
    records = (dict(zip(SEGMENT_COLUMNS, row, strict=True)) for row in rows)
    return "".join(f"{json.dumps({name: record[name] for name in used}, ensure_ascii=False)}\n" for record in records)


JSONL = Format(
    name="jsonl",
    label="JSON Lines",
    kind="table",
    paired_by="id",
    help="a table of one JSON object per line",
    endings=frozenset({".jsonl"}),
    holds=frozenset({"ids", "recordings", "channels", "speakers", "times", "labels"})
    | {"missing texts", "white space"},
    recognise=has_objects,
    read=read_table_segments,
    write=write_rows,
)

JSON = Format(
    name="json",
    label="JSON",
    kind="table",
    paired_by="id",
    help="a table as an array of JSON objects",
    recognise=has_array,
    read=read_table_segments,
)

CSV = Format(
    name="csv",
    label="CSV",
    kind="table",
    paired_by="id",
    help="a table separated by commas or semicolons",
    endings=frozenset({".csv"}),
    recognise=has_rows,
    read=read_table_segments,
)

TSV = Format(
    name="tsv",
    label="TSV",
    kind="table",
    paired_by="id",
    help="a table separated by tabs",
    endings=frozenset({".tsv"}),
    recognise=has_rows_of_tabs,
    read=read_table_segments,
)

PARQUET = Format(
    name="parquet",
    label="Parquet",
    kind="table",
    paired_by="id",
    help="a table of Arrow",
    endings=frozenset({".parquet"}),
    recognise=is_parquet,
    read=read_table_segments,
)
