"""Repeated runs of a system in data as they lie: several columns or files, or a table with a row per run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple, TypeVar

from misread.data.formats.tables import Rows
from misread.data.segment_table import SegmentTable

AnyRows = TypeVar("AnyRows", bound=Rows)


class RunColumns(NamedTuple):
    """Columns of a table that has one row per segment and run."""

    run: str  # which run a row is of
    request: str = ""  # id of the request that the row answers; no two rows may share one


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
        notes_on_hypotheses={system: tuple(of) for system, of in notes.items() if of},
    )


def spread_runs(
    rows: AnyRows, columns: RunColumns, *, segment_id: Sequence[str], same: Sequence[str], texts: Sequence[str]
) -> tuple[AnyRows, dict[str, dict[str, str]]]:
    """Bring rows of segments in runs to one row per segment, with a column of texts for each run.

    Comes back with the columns of each of `texts` by run; runs are in the order of their numbers, else that of the
    table. Values of the columns `same` belong to the segment. Refused are a segment that lacks a run or has one twice,
    runs that differ in what belongs to the segment, and two rows that answer one request.
    """
    if not segment_id:
        raise rows.wrong_value(
            f"{rows.source}: rows of several runs need segment ids (--id): without them nothing says which rows belong "
            "together."
        )
    ids, runs = rows.labels(segment_id), rows.labels([columns.run])
    places: dict[str, dict[str, int]] = {}
    for row, (segment, run) in enumerate(zip(ids, runs, strict=True)):
        before = places.setdefault(segment, {}).setdefault(run, row)
        if before != row:
            raise rows.wrong_value(
                f"{rows.place(row)}: segment {segment!r} has run {run!r} twice, the first time on {rows.unit} "
                f"{rows.lines[before]}; each run reads a segment once."
            )
    names = _in_order(runs)
    for segment, found in places.items():
        if len(found) < len(names):
            raise rows.wrong_value(
                f"{rows.place(min(found.values()))}: segment {segment!r} has runs {', '.join(_in_order([*found]))} "
                f"instead of {', '.join(names)}: every run has to have every segment. Read what is missing again; an "
                "output that failed is a row without a text."
            )
    _require_same(rows, places, same)
    if columns.request:
        _require_own_requests(rows, columns.request)
    kept = rows.take([min(found.values()) for found in places.values()])
    spread = {text: {run: f"{text}, run {run}" for run in names} for text in texts}
    values = {
        spread[text][run]: [rows.texts(text)[found[run]] for found in places.values()]
        for text in texts
        for run in names
    }
    return replace(kept, columns={**kept.columns, **values}), spread


def _in_order(runs: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(runs))
    return sorted(names, key=int) if all(name.isdecimal() for name in names) else names


def _require_same(rows: Rows, places: Mapping[str, Mapping[str, int]], same: Sequence[str]) -> None:
    for segment, found in places.items():
        first = min(found.values())
        for column in same:
            values = rows.columns[column]
            for run, row in found.items():
                if values[row] != values[first]:
                    raise rows.wrong_value(
                        f"{rows.cell(row, column)} of segment {segment!r} in run {run!r} is not that of {rows.unit} "
                        f"{rows.lines[first]}: runs of one segment share everything but what was read."
                    )


def _require_own_requests(rows: Rows, column: str) -> None:
    seen: dict[str, int] = {}
    for row, request in enumerate(rows.labels([column])):
        before = seen.setdefault(request, row)
        if before != row:
            raise rows.wrong_value(
                f"{rows.cell(row, column)}: request {request!r} was answered on {rows.unit} {rows.lines[before]} "
                "already: one answer, repeated by a cache, is not another run. Ask again without the cache."
            )
