"""Repeated runs of a system in data as they lie: several columns or files, or a table with a row per run."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from misread.data.formats.tables import Rows
from misread.data.segment_table import Annotations, SegmentTable
from misread.data.table_columns import TableColumns
from misread.errors import InputFileError, setting
from misread.text.display import shorten_label

AnyRows = TypeVar("AnyRows", bound=Rows)


class LongRows(NamedTuple):
    """Rows of segments and systems, brought to one row per segment."""

    rows: Rows
    texts: dict[str, dict[str, str]]  # column by system and run
    annotations: dict[str, dict[str, Annotations]]  # by system and run


class Reading(NamedTuple):
    """One of the rows of a segment; its text is what messages call it."""

    system: str = ""
    run: str = ""

    def __str__(self) -> str:
        return ", ".join(f"{kind} {name!r}" for kind, name in self._asdict().items() if name)


def gather_runs(table: SegmentTable, runs: Mapping[str, Mapping[str, str]]) -> SegmentTable:
    """Take several systems of a table for the runs of one; `runs` has their names by system and run, in order."""
    system_of = {name: system for system, names in runs.items() for name in names.values()}
    systems = dict.fromkeys(system_of.get(name, name) for name in table.hypotheses)
    names_of = {system: list(runs[system].values()) if system in runs else [system] for system in systems}
    notes = {
        system: dict.fromkeys(chain.from_iterable(table.notes_on_hypotheses.get(name, ()) for name in names))
        for system, names in names_of.items()
    }
    return replace(
        table,
        hypotheses={system: table.hypotheses[names[0]] for system, names in names_of.items()},
        runs={
            **table.runs,
            **{
                system: {run: table.hypotheses[name] for run, name in names.items()}
                for system, names in runs.items()
                if len(names) > 1
            },
        },
        notes_on_hypotheses={system: tuple(sentences) for system, sentences in notes.items() if sentences},
    )


def spread_runs(
    rows: AnyRows, columns: TableColumns, *, same: Sequence[str], texts: Sequence[str]
) -> tuple[AnyRows, dict[str, dict[str, str]]]:
    """Bring rows of segments in runs to one row per segment, with a column of texts for each run.

    Comes back with the columns of each of `texts` by run; runs are in the order of their numbers, else that of the
    table. Values of the columns `same` belong to the segment. Refused are a segment that lacks a run or has one twice,
    runs that differ in what belongs to the segment, and two rows that answer one request.
    """
    runs = rows.labels([columns.run])
    positions = _find_readings(rows, columns.segment_id, [Reading(run=run) for run in runs], same)
    names = _in_order(runs)
    for segment, row_by_reading in positions.items():
        if len(row_by_reading) < len(names):
            present = _in_order([reading.run for reading in row_by_reading])
            raise rows.wrong_value(
                f"{rows.location(min(row_by_reading.values()))}: segment {segment!r} has runs {', '.join(present)} "
                f"instead of {', '.join(names)}: every run needs every segment. Read the missing ones again; a "
                "reading that failed is a row without a text."
            )
    if columns.request:
        _require_own_requests(rows, columns.request)
    spread = {text: {run: f"{text}, run {run}" for run in names} for text in texts}
    values = {
        spread[text][run]: [rows.texts(text)[row_by_reading[Reading(run=run)]] for row_by_reading in positions.values()]
        for text in texts
        for run in names
    }
    return _first_rows(rows, positions, values), spread


def spread_systems(rows: Rows, columns: TableColumns, *, same: Sequence[str], measured: Mapping[str, str]) -> LongRows:
    """Bring rows of segments and systems to one row per segment, with a column of texts for each system and run.

    `measured` maps annotations of a text to columns. Systems are in the order of the table; one without
    a row for a segment has no text there. Refused is what `spread_runs` refuses, but for a run that is not there.
    """
    systems = rows.labels([columns.system])
    runs = rows.labels([columns.run]) if columns.run else [""] * len(rows)
    readings = list(map(Reading, systems, runs))
    positions = _find_readings(rows, columns.segment_id, readings, same)
    if columns.request:
        _require_own_requests(rows, columns.request)
    runs_of: dict[str, list[str]] = {}
    for name, run in dict.fromkeys(readings):
        runs_of.setdefault(name, []).append(run)
    names = {name: {run: str(Reading(name, run)) for run in _in_order(listed)} for name, listed in runs_of.items()}

    def spread(column: Sequence[Any], reading: Reading) -> list[Any]:
        return [
            column[row_by_reading[reading]] if reading in row_by_reading else None
            for row_by_reading in positions.values()
        ]

    texts = rows.texts(columns.hypothesis)
    return LongRows(
        _first_rows(rows, positions, {str(reading): spread(texts, reading) for reading in dict.fromkeys(readings)}),
        names,
        {
            name: {
                run: {what: spread(rows.columns[column], Reading(name, run)) for what, column in measured.items()}
                for run in runs
            }
            for name, runs in names.items()
            if measured
        },
    )


def name_run(name: str, run: str) -> str:
    """Name of the outputs of one run in a study."""
    return f"{name}.{run}"


def record_runs(table: SegmentTable, source: str) -> SegmentTable:
    """Record the outputs of every run by themselves; runs have to be numbered from 1, as those of a capture are."""
    by_run = {name: table.runs.get(name, {"1": texts}) for name, texts in table.hypotheses.items()}
    for runs in by_run.values():
        if list(runs) != [str(number) for number in range(1, len(runs) + 1)]:
            raise InputFileError(f"{source} has the runs {', '.join(runs)}, expected numbers from 1 without a gap.")
    recorded = {name_run(name, run): texts for name, runs in by_run.items() for run, texts in runs.items()}
    annotations = {
        name_run(name, run): known
        for name, runs in by_run.items()
        for run in runs
        if (known := table.annotations_of_runs.get(name, {}).get(run) or table.annotations_of.get(name))
    }
    return replace(table, hypotheses=recorded, runs={}, annotations_of=annotations, annotations_of_runs={})


def _in_order(runs: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(runs))
    return sorted(names, key=int) if all(name.isdecimal() for name in names) else names


def _find_readings(
    rows: Rows, segment_id: Sequence[str], readings: Sequence[Reading], same: Sequence[str]
) -> dict[str, dict[Reading, int]]:
    """Row of each reading by segment, where every reading has a segment once and rows agree in the columns `same`."""
    if not segment_id:
        raise rows.wrong_value(
            f"{rows.source}: several rows of a segment need segment ids ({setting('segment_id')}): without them "
            "nothing says which rows belong together."
        )
    positions: dict[str, dict[Reading, int]] = {}
    for row, (segment, reading) in enumerate(zip(rows.labels(segment_id), readings, strict=True)):
        before = positions.setdefault(segment, {}).setdefault(reading, row)
        if before != row:
            raise rows.wrong_value(
                f"{rows.location(row)}: segment {segment!r} has {reading} twice, the first time on "
                f"{rows.line(before)}; each run reads a segment once."
            )
    for segment, row_by_reading in positions.items():
        first = min(row_by_reading.values())
        for column in same:
            values = rows.columns[column]
            for reading, row in row_by_reading.items():
                if values[row] != values[first] and not (values[row] != values[row] and values[first] != values[first]):
                    shown, shown_first = _tell_apart(values[row], values[first])
                    raise rows.wrong_value(
                        f"{rows.cell(row, column)} of segment {segment!r} in {reading} is not that of "
                        f"{rows.line(first)}: {shown} here, {shown_first} there; rows of one segment share everything "
                        "but what was read."
                    )
    return positions


def _first_rows(
    rows: AnyRows, positions: Mapping[str, Mapping[Reading, int]], values: Mapping[str, Sequence[str | None]]
) -> AnyRows:
    """The first row of each segment, with further columns."""
    first = rows.take([min(row_by_reading.values()) for row_by_reading in positions.values()])
    return replace(first, columns={**first.columns, **values})


def _require_own_requests(rows: Rows, column: str) -> None:
    seen: dict[str, int] = {}
    for row, request in enumerate(rows.labels([column])):
        before = seen.setdefault(request, row)
        if before != row:
            raise rows.wrong_value(
                f"{rows.cell(row, column)}: request {request!r} was answered on {rows.line(before)} "
                "already: a cache repeated one answer, which is no further run. Ask again without the cache."
            )


def _tell_apart(*values: Any) -> list[str]:
    """Two different values as they are shown; with types and code points if they look alike."""
    if len({unicodedata.normalize("NFC", str(value)) for value in values}) > 1:
        return [repr(shorten_label(str(value))) for value in values]
    return [f"{ascii(value)[:60]} ({type(value).__name__})" for value in values]
