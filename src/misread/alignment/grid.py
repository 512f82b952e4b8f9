"""Several hypotheses under one reference on one grid of columns."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from misread.alignment.api import split_units
from misread.alignment.encode.inputs import check_text
from misread.alignment.encode.texts import Unit
from misread.alignment.operations import find_operations
from misread.alignment.policies import AlignmentPolicy
from misread.errors import InputTypeError

NO_OPERATION: Final = " "
"""Letter of a cell in which a system has nothing, because another system inserted something there."""


class GridRow(NamedTuple):
    """One hypothesis: in every column its unit, "" where it has none, and the letter of the operation."""

    units: tuple[str, ...]
    letters: str

    @property
    def text_units(self) -> tuple[str, ...]:
        """The hypothesis itself: units from left to right without the gaps."""
        return tuple(unit for unit in self.units if unit)


class GridColumn(NamedTuple):
    """One column: the unit of the reference, None where it has none, and unit and letter of each system."""

    reference: str | None
    cells: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ColumnGrid:
    """A reference and what several systems made of it, all in the same columns.

    A column belongs to one unit of the reference, or is a slot for insertions before the next unit. A slot is as wide
    as the longest insertion there, and equal units that two systems inserted share a column if they can.
    """

    reference: tuple[str | None, ...]  # unit in every column; None in slots for insertions
    rows: Mapping[str, GridRow | None]  # None for a system without a hypothesis, which is not the same as an empty one

    def __len__(self) -> int:
        return len(self.reference)

    @property
    def columns(self) -> Iterator[GridColumn]:
        """Columns from left to right, with the systems that have a hypothesis."""
        rows = {system: row for system, row in self.rows.items() if row is not None}
        for column, unit in enumerate(self.reference):
            yield GridColumn(unit, {name: (row.units[column], row.letters[column]) for name, row in rows.items()})


def column_grid(
    reference: str, hypotheses: Mapping[str, str | None], *, unit: Unit = "char", alignment: AlignmentPolicy = "unit"
) -> ColumnGrid:
    """Put every hypothesis under the reference, each aligned as `align` does, on one grid of columns.

    Parameters
    ----------
    reference : str
        What should have been read.
    hypotheses : mapping of system to str or None
        What each system read; None where there is no output.
    unit : {"char", "grapheme", "word"}
        What a column holds, see `misread.error_counts`.
    alignment : {"unit", "sclite", "transpositions"}
        Costs of the alignment, see `misread.error_counts`. A transposition marks both of its columns.

    Raises
    ------
    InputTypeError
        If a text is not a string; names the system.
    InputTextError
        If a text holds a lone surrogate.
    UnknownNameError
        If there is no such unit or alignment; names those there are.

    Examples
    --------
    >>> grid = column_grid("suœurs", {"a": "soeurs", "b": "sœurs", "c": None})
    >>> grid.reference
    ('s', 'u', 'œ', 'u', 'r', 's')
    >>> grid.rows["a"].letters, grid.rows["b"].letters, grid.rows["c"]
    ('CSSCCC', 'CDCCCC', None)
    >>> [column.cells["a"] for column in column_grid("ac", {"a": "abc"}).columns]
    [('a', 'C'), ('b', 'I'), ('c', 'C')]
    """
    check_text("reference", reference)
    if not isinstance(hypotheses, Mapping):
        raise InputTypeError(f"hypotheses is of type {type(hypotheses).__name__}, expected texts by system.")
    known = {
        system: check_text(f"the hypothesis of {system!r}", text)
        for system, text in hypotheses.items()
        if text is not None
    }
    operations = find_operations([reference] * len(known), list(known.values()), unit=unit, alignment=alignment)
    letters = dict(zip(known, operations.letters(), strict=True))
    return arrange_columns(reference, hypotheses, {system: letters.get(system) for system in hypotheses}, unit=unit)


def arrange_columns(
    reference: str, hypotheses: Mapping[str, str | None], letters: Mapping[str, str | None], *, unit: Unit = "char"
) -> ColumnGrid:
    """Put hypotheses whose operations are known, as letters, under the reference, on one grid of columns."""
    units = split_units(reference, unit)
    steps = {
        system: None if system_letters is None else _steps(system_letters, split_units(hypotheses[system] or "", unit))
        for system, system_letters in letters.items()
    }
    places = sorted(
        {position for system_steps in steps.values() if system_steps for position in system_steps.insertions}
    )
    slots = {
        position: _share_columns(
            [system_steps.insertions.get(position, []) if system_steps else [] for system_steps in steps.values()]
        )
        for position in places
    }
    return ColumnGrid(
        tuple(_reference_cells(units, slots)),
        {
            system: None if system_steps is None else _row(system_steps, slots, number)
            for number, (system, system_steps) in enumerate(steps.items())
        },
    )


_RUNS: Final = re.compile("I+|D+|T+|[^IDT]+")


class _Steps(NamedTuple):
    """An alignment by units of the reference: text and letter of each unit's cell, and the insertions before it."""

    units: Sequence[str]
    letters: str
    insertions: dict[int, list[str]]


def _steps(letters: str, units: Sequence[str]) -> _Steps:
    if not {"D", "I", "T"} & set(letters):
        return _Steps(units, letters, {})
    cells: list[str] = []
    kinds: list[str] = []
    insertions: dict[int, list[str]] = {}
    start = 0
    for match in _RUNS.finditer(letters):
        run = match.group()
        if run[0] == "D":
            cells += [""] * len(run)
            kinds.append(run)
            continue
        # Two units that changed places are one operation.
        end = start + len(run) * (1 + (run[0] == "T"))
        if run[0] == "I":
            insertions[len(cells)] = [*units[start:end]]
        else:
            cells += units[start:end]
            kinds.append(run * 2 if run[0] == "T" else run)
        start = end
    return _Steps(cells, "".join(kinds), insertions)


# In a slot, for every system: its unit in each column, "" where it has none.
_Slot = list[list[str]]


def _share_columns(runs: Sequence[Sequence[str]]) -> _Slot:
    """Put insertions at one position into as few columns as the longest needs, equal units below each other."""
    longest = max(runs, key=len, default=())
    return [_spread(run, longest) for run in runs]


def _spread(run: Sequence[str], longest: Sequence[str]) -> list[str]:
    """Place a run in the columns of a longer one, in order, so that as many units as possible meet their equal.

    Unit i is in column i + shift, with shifts that never fall; of equally good places the leftmost. One pass over
    the units with all shifts at once, so that long hallucinations cost little.
    """
    shifts = len(longest) - len(run) + 1
    if not run or shifts == 1:
        return [*run, *[""] * (shifts - 1)]
    columns = np.array(longest, dtype=object)
    # Most meetings of the units so far with the last of them at each shift.
    meetings = np.zeros(shifts, np.int64)
    # Whether the unit before is best placed at this very shift, and not at one further left.
    is_new = np.ones((len(run), shifts), np.bool_)
    for index, unit in enumerate(run):
        best = np.maximum.accumulate(meetings)
        is_new[index, 1:] = best[1:] > best[:-1]
        meetings = best + (columns[index : index + shifts] == unit)
    cells = [""] * len(longest)
    shift = int(meetings.argmax())
    for index in range(len(run) - 1, -1, -1):
        cells[index + shift] = run[index]
        shift = int(np.flatnonzero(is_new[index, : shift + 1])[-1])
    return cells


def _reference_cells(units: Sequence[str], slots: Mapping[int, _Slot]) -> Iterator[str | None]:
    start = 0
    for position, slot in slots.items():
        yield from units[start:position]
        yield from [None] * len(slot[0])
        start = position
    yield from units[start:]


def _row(steps: _Steps, slots: Mapping[int, _Slot], number: int) -> GridRow:
    units: list[str] = []
    letters: list[str] = []
    start = 0
    for position, slot in slots.items():
        units += [*steps.units[start:position], *slot[number]]
        letters.append(steps.letters[start:position])
        letters += ["I" if unit else NO_OPERATION for unit in slot[number]]
        start = position
    return GridRow((*units, *steps.units[start:]), "".join([*letters, steps.letters[start:]]))
