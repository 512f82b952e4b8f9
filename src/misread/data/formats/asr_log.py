"""Logs of a speech recognizer: a JSON array, JSON Lines, or columns separated by semicolons."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, ClassVar, Final

from misread.data.formats.tables import Rows, require_distinct_columns
from misread.errors import InputFileError
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text, split_lines

REFERENCE: Final = "reference_text"
"""Column of references, as Text Similarity Metrics (trnorm) names it."""

HYPOTHESIS: Final = "asr_output"
"""Column of what was recognized."""


class Entries(Rows):
    """Rows of a JSON array, numbered from 1."""

    unit: ClassVar[str] = "entry"


def read_log_rows(path: Path, *, encoding: str = UTF_8) -> Rows:
    """Read a log; its first character says which form it has.

    Raises InputFileError if it is missing, empty or a line or entry is broken; names file and line or entry.
    """
    text = read_text(path, encoding=encoding)
    first = text.lstrip()[:1]
    if not first:
        raise InputFileError(f"{path} is empty, expected a log.")
    if first == "[":
        entries = decode_json(text, path)
        return _columns(Entries, path, list(enumerate(entries, start=1)))
    if first == "{":
        lines = [(number, line) for number, line in enumerate(split_lines(text), start=1) if line.strip()]
        return _columns(Rows, path, [(number, decode_json(line, path, line=number)) for number, line in lines])
    return _separated(path, text)


def _columns(kind: type[Rows], path: Path, values: list[tuple[int, Any]]) -> Rows:
    for number, value in values:
        if not isinstance(value, dict):
            raise InputFileError(
                f"{path}, {kind.unit} {number}: expected a JSON object with {REFERENCE} and {HYPOTHESIS}, got "
                f"{type(value).__name__}."
            )
    if not values:
        raise InputFileError(f"{path} has no entry.")
    names = dict.fromkeys(key for _, value in values for key in value)
    columns = {name: [value.get(name) for _, value in values] for name in names}
    return kind(str(path), columns, [number for number, _ in values])


def _separated(path: Path, text: str) -> Rows:
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=";", strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    header: list[str] = []
    start = 1
    try:
        for cells in reader:
            if not header:
                header = cells
                if len(header) < 2:
                    raise InputFileError(
                        f"{path}, line 1: expected a JSON array, JSON Lines, or a header with columns separated by "
                        f"';', such as {REFERENCE};{HYPOTHESIS}."
                    )
                require_distinct_columns(header, f"{path}, line 1")
            elif cells:
                if len(cells) != len(header):
                    raise InputFileError(
                        f"{path}, line {start}: {len(cells)} fields, the header has {len(header)}; put a text with ';' "
                        "in quotes."
                    )
                rows.append(cells)
                lines.append(start)
            start = reader.line_num + 1
    except csv.Error as error:
        raise InputFileError(f"{path}, line {start}: {error}.") from None
    if not rows:
        raise InputFileError(f"{path} has a header and no row.")
    return Rows(
        str(path),
        {name: [cells[at] for cells in rows] for at, name in enumerate(header)},
        lines,
        ambiguous="a log with ';'",
    )
