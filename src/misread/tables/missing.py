"""Columns of the outputs that systems lack."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from misread.tables.table import Cell, Column, in_files
from misread.tally.missing_texts import MissingOutputs

Kind = Literal["missing", "failed"]

ABOUT_FAILED: Final = "failed: a capture tried to read them and could not; missing: no output was recorded."
"""Stands below a table with outputs that failed."""


def missing_columns(rows: Sequence[Any], outputs: Callable[[Any], MissingOutputs | None]) -> list[Column]:
    """Columns of missing and of failed outputs, for people and files; one that is 0 in all rows is left out.

    `outputs` finds the numbers of a row. The small part has those of the runs, where a system has several.
    """
    lacking = [numbers for numbers in map(outputs, rows) if numbers]
    kinds: list[Kind] = ["missing", "failed"]
    has_runs = any(len(numbers.missing) > 1 for numbers in lacking)
    return [
        column
        for kind in kinds
        if any(_total(numbers, kind) for numbers in lacking)
        for column in (_column(kind, outputs, has_runs=has_runs), *_file_columns(kind, outputs, has_runs=has_runs))
    ]


def _column(kind: Kind, outputs: Callable[[Any], MissingOutputs | None], *, has_runs: bool) -> Column:
    def show(row: Any) -> Cell:
        numbers = outputs(row)
        total = _total(numbers, kind)
        by_run = f"({_by_run(numbers, kind)})" if total and has_runs else ""
        return Cell(f"{total:,}", by_run, value=total)

    return Column(kind, show=show, detail="(by run)" if has_runs else "", keep=4, key=kind)


def _file_columns(kind: Kind, outputs: Callable[[Any], MissingOutputs | None], *, has_runs: bool) -> list[Column]:
    columns = [in_files(kind, lambda row: _total(outputs(row), kind))]
    if has_runs:
        columns.append(in_files(f"{kind}_by_run", lambda row: _by_run(outputs(row), kind)))
    return columns


def _total(outputs: MissingOutputs | None, kind: Kind) -> int:
    return sum(_numbers(outputs, kind).values())


def _by_run(outputs: MissingOutputs | None, kind: Kind) -> str:
    """Numbers in the order of the runs: "1/0/3"."""
    return "/".join(map(str, _numbers(outputs, kind).values()))


def _numbers(outputs: MissingOutputs | None, kind: Kind) -> Mapping[str, int]:
    return {} if outputs is None else outputs.missing if kind == "missing" else outputs.failed
