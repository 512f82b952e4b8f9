"""Annotations of segments, from JSON Lines: confidences, lists of words, n-best lists."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from misread.data.segment_table import Annotations, SegmentTable
from misread.errors import InputFileError, UnknownNameError
from misread.io.json_files import decode_lines
from misread.io.text import UTF_8, read_text
from misread.text.display import show_label

OF_REFERENCES: Final = "references"
"""Stands for no system: annotations of the references."""


def annotate(table: SegmentTable, files: Mapping[str, Path], *, encoding: str = UTF_8) -> SegmentTable:
    """Add the annotations of these files, by system or `OF_REFERENCES`, to those that a table has.

    A line is an object with `id`, the id of a segment, and annotations by name. Segments without a line have none.
    """
    for system, path in files.items():
        columns = read_annotations(path, table.segment_id, encoding=encoding)
        if system == OF_REFERENCES:
            table = replace(table, annotations={**table.annotations, **columns})
        elif system not in table.hypotheses:
            raise UnknownNameError("system", system, table.hypotheses, where="annotations")
        else:
            annotations = {**table.annotations_of.get(system, {}), **columns}
            table = replace(table, annotations_of={**table.annotations_of, system: annotations})
    return table


def annotate_hypotheses(columns: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, Annotations]:
    """Annotations of the hypotheses of every system that has some, by name."""
    known = {
        system: {name: column for name, column in by_name.items() if any(value is not None for value in column)}
        for system, by_name in columns.items()
    }
    return {system: by_name for system, by_name in known.items() if by_name}


def read_annotations(path: Path, segment_ids: Sequence[str], *, encoding: str = UTF_8) -> dict[str, list[Any]]:
    """Read annotations by name, one entry per segment, None where there is none; errors name file and line."""
    row_of = {segment_id: row for row, segment_id in enumerate(segment_ids)}
    columns: dict[str, list[Any]] = {}
    line_of: dict[str, int] = {}
    for number, entry in decode_lines(read_text(path, encoding=encoding), path):
        location = f"{path}, line {number}"
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            raise InputFileError(
                f'{location}: expected an object such as {{"id": "segment", "confidence": [0.9, 0.5]}}.'
            )
        segment_id = entry.pop("id")
        if segment_id not in row_of:
            raise InputFileError(f"{location}: the data has no segment {show_label(segment_id)!r}.")
        if segment_id in line_of:
            raise InputFileError(
                f"{location}: segment {show_label(segment_id)!r} is on line {line_of[segment_id]}, too."
            )
        line_of[segment_id] = number
        for name, value in entry.items():
            columns.setdefault(name, [None] * len(segment_ids))[row_of[segment_id]] = value
    if not columns:
        raise InputFileError(f"{path} has no annotation, expected objects with an id and something else.")
    return columns
