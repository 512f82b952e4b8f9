"""Confusions of the parts of a corpus, put together; by workers where there are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pyarrow as pa

from misread.execution.executor import MapTasks, plain_results
from misread.records import ConfusionTable
from misread.storage.confusion_runs import OrderedCells, merge_run, plan_runs, write_runs
from misread.storage.part_files import take_part
from misread.tally.confusion_sums import add_equal, add_facts

MOST_IN_MEMORY: Final = 400_000
"""Confusions of a kind, in all parts, above which tasks put equal ones together, a run of references each."""


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

    def confusions(self, map_tasks: MapTasks = plain_results) -> Iterator[tuple[str, pa.Table | Path]]:
        """Kinds with their confusions, most frequent first: some at a time, or in files of parts of their table.

        There is at least one table of each kind.
        """
        rows = 0
        for kind, files in self._files.items():
            if sum(of.rows for of in files) <= MOST_IN_MEMORY:
                cells = _take_equal(files)
                rows += len(cells)
                yield kind, cells
                continue
            runs = [*map_tasks(merge_run, plan_runs(files, self._folder, kind))]
            for of in files:
                of.path.unlink()
            for part in write_runs(runs, self._folder, kind, before=rows, map_tasks=map_tasks):
                yield kind, part
            rows += sum(sum(run.sizes) for run in runs)


def _take_equal(files: Sequence[OrderedCells]) -> pa.Table:
    """Confusions of all files by their counts; the files are removed."""
    return add_equal([pa.table(take_part(of.path)) for of in files]).by_count()
