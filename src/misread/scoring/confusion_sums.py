"""Confusions of several runs, or of parts of a corpus, put together; by workers where there are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from misread.execution.executor import MapTasks, plain_results
from misread.files.part_files import take_part
from misread.records import Confusions, ConfusionTable
from misread.scoring.confusion_runs import OrderedCells, merge_run, plan_runs, take_runs
from misread.scoring.equal_confusions import add_equal, by_count
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column

if TYPE_CHECKING:
    import pyarrow as pa

MOST_IN_MEMORY: Final = 400_000
"""Confusions of a kind, in all parts, above which tasks put equal ones together, a run of references each."""

_TOTALS: Final = ("errors", "length")


class ConfusionSums:
    """Sums of tables of confusions, which are added one by one.

    Of a kind of which there are too many, those that occur often are in memory, and a run of the others. Their order at
    the end is that of `count_confusions`, and where counts are equal that of the code points of reference and
    hypothesis, insertions and deletions last.
    """

    def __init__(self, folder: Path) -> None:
        self._first: ConfusionTable | None = None
        self._folder = folder
        self._files: dict[str, list[OrderedCells]] = {}
        self._facts: dict[str, dict[str, str | int]] = {}
        self._units: dict[str, Counter[str]] = {}

    def add(self, table: ConfusionTable, files: Mapping[str, OrderedCells]) -> None:
        """Take confusions of a part of the segments, whose files are removed at the end, and a table of all else."""
        self._first = self._first or table
        self._facts = add_facts(self._facts, table.facts)
        for kind, units in table.reference_units.items():
            self._units.setdefault(kind, Counter()).update(units)
        for kind, of_kind in files.items():
            self._files.setdefault(kind, []).append(of_kind)

    def facts(self) -> ConfusionTable:
        """Everything but the confusions themselves."""
        if self._first is None:
            raise ValueError("no table of confusions was added.")
        units = {kind: dict(sorted(of.items())) for kind, of in self._units.items()}
        return replace(self._first, confusions={}, facts=self._facts, reference_units=units)

    def confusions(self, map_tasks: MapTasks = plain_results) -> Iterator[tuple[str, pa.Table]]:
        """Kinds with their confusions, some at a time, most frequent first; at least one table of each kind."""
        for kind, files in self._files.items():
            for table in self._ordered(kind, files, map_tasks):
                yield kind, table

    def _ordered(self, kind: str, files: Sequence[OrderedCells], map_tasks: MapTasks) -> Iterator[pa.Table]:
        import pyarrow as pa

        if sum(of.rows for of in files) <= MOST_IN_MEMORY:
            yield add_equal([pa.table(take_part(of.path)) for of in files]).by_count()
            return
        runs = [*map_tasks(merge_run, plan_runs(files, self._folder, kind))]
        for of in files:
            of.path.unlink()
        yield from take_runs(runs)


def sum_confusions(tables: Sequence[ConfusionTable]) -> ConfusionTable:
    """Confusions of all tables, of which there is one at least."""
    whole, ordered = order_confusions(tables)
    confusions = {}
    for kind, in_order in ordered.items():
        cells = by_count(in_order)
        references, hypotheses = ArrowTexts.of(cells["reference"]), ArrowTexts.of(cells["hypothesis"])
        confusions[kind] = Confusions(references, hypotheses, cells["count"].to_pylist())
    return replace(whole, confusions=confusions)


def order_confusions(tables: Sequence[ConfusionTable]) -> tuple[ConfusionTable, dict[str, pa.Table]]:
    """Sum of tables, of which there is one at least, and its confusions by kind, in the order of their texts."""
    facts: dict[str, dict[str, str | int]] = {}
    units = {kind: Counter[str]() for table in tables for kind in table.reference_units}
    for table in tables:
        facts = add_facts(facts, table.facts)
        for kind, of_kind in table.reference_units.items():
            units[kind].update(of_kind)
    kinds = dict.fromkeys(kind for table in tables for kind in table.confusions)
    cells = {kind: add_equal([_as_arrow(table.confusions[kind]) for table in tables]).in_order() for kind in kinds}
    ordered_units = {kind: dict(sorted(of.items())) for kind, of in units.items()}
    return replace(tables[0], confusions={}, facts=facts, reference_units=ordered_units), cells


def add_facts(
    sums: Mapping[str, Mapping[str, str | int]], facts: Mapping[str, Mapping[str, str | int]]
) -> dict[str, dict[str, str | int]]:
    """Facts of `SegmentAlignments`, with errors and lengths added to those of others, of which there may be none."""
    return {
        kind: {**of, **{name: int(sums.get(kind, {}).get(name, 0)) + int(of[name]) for name in _TOTALS}}
        for kind, of in facts.items()
    }


def _as_arrow(confusions: Confusions) -> pa.Table:
    import pyarrow as pa

    kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
    columns = (confusions.references, confusions.hypotheses, confusions.counts)
    return pa.table(
        {name: to_column(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)}
    )
