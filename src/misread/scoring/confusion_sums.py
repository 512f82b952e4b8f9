"""Confusions of several runs, or of parts of a corpus, put together; on disk where there are many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from misread.compiled.budget import ALIGNING, loaded_above
from misread.files.part_files import drawers, writing_drawers
from misread.metrics.text.confusion_counts import DELETED, INSERTED
from misread.records import Confusions, ConfusionTable
from misread.text.arrow import ArrowTexts

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.alignment.kernels.types import Words
    from misread.scoring.confusion_kernels import Side

MOST_IN_MEMORY: Final = 400_000
"""Confusions of a kind that are gathered before equal ones are put together, or go to disk."""

_DRAWERS: Final = 64
"""Parts of each file, by references, of which one is in memory at a time."""

# To put a confusion in order without machine code.
_ROW_SECONDS: Final = 3e-5

_TOTALS: Final = ("errors", "length")


class ConfusionSums:
    """Sums of tables of confusions, which are added one by one.

    With a folder, a kind of which there are too many is kept there in files, in no order; what is in memory then are
    those that occur more than once, and one file. Their order at the end is that of `count_confusions`, and where
    counts are equal that of the code points of reference and hypothesis, insertions and deletions last.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._first: ConfusionTable | None = None
        self._folder = folder
        self._cells: dict[str, _Cells] = {}
        self._facts: dict[str, dict[str, str | int]] = {}
        self._units: dict[str, dict[str, int]] = {}

    def add(self, table: ConfusionTable) -> None:
        """Take the confusions of a run, or of a part of the segments."""
        self._first = self._first or table
        self._facts = add_facts(self._facts, table.facts)
        for kind, units in table.reference_units.items():
            totals = self._units.setdefault(kind, {})
            for unit, number in units.items():
                totals[unit] = totals.get(unit, 0) + number
        for kind, confusions in table.confusions.items():
            if kind not in self._cells:
                self._cells[kind] = _Cells(self._folder and self._folder / kind)
            self._cells[kind].add(_as_arrow(confusions))

    def facts(self) -> ConfusionTable:
        """Everything but the confusions themselves."""
        if self._first is None:
            raise ValueError("no table of confusions was added.")
        units = {kind: dict(sorted(of.items())) for kind, of in self._units.items()}
        return replace(self._first, confusions={}, facts=self._facts, reference_units=units)

    def confusions(self) -> Iterator[tuple[str, pa.Table]]:
        """Kinds with their confusions, some at a time, most frequent first."""
        for kind, cells in self._cells.items():
            for table in cells.ordered():
                yield kind, table


def sum_confusions(tables: Iterable[ConfusionTable]) -> ConfusionTable:
    """Confusions of all tables, of which there is one at least."""
    sums = ConfusionSums()
    for table in tables:
        sums.add(table)
    confusions = {
        kind: Confusions(
            ArrowTexts.of(of_kind["reference"]), ArrowTexts.of(of_kind["hypothesis"]), of_kind["count"].to_pylist()
        )
        for kind, of_kind in sums.confusions()
    }
    return replace(sums.facts(), confusions=confusions)


def add_facts(
    sums: Mapping[str, Mapping[str, str | int]], facts: Mapping[str, Mapping[str, str | int]]
) -> dict[str, dict[str, str | int]]:
    """Facts of `SegmentAlignments`, with errors and lengths added to those of others, of which there may be none."""
    return {
        kind: {**of, **{name: int(sums.get(kind, {}).get(name, 0)) + int(of[name]) for name in _TOTALS}}
        for kind, of in facts.items()
    }


class _Cells:
    """Confusions of one kind."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._waiting: list[pa.Table] = []
        # Where the references of one drawer end and those of the next begin, once there are files.
        self._bounds: Words | None = None
        self._files: list[Path] = []

    def add(self, cells: pa.Table) -> None:
        self._waiting.append(cells)
        if self._folder is None or sum(map(len, self._waiting)) <= MOST_IN_MEMORY:
            return
        gathered, keys = _add_equal(self._waiting)
        self._waiting = [gathered]
        if self._files or len(gathered) > MOST_IN_MEMORY // 2:
            self._put_away(gathered, keys, self._folder)

    def ordered(self) -> Iterator[pa.Table]:
        """All of them, in order, some at a time; at least one table."""
        if not self._files or self._folder is None:
            yield _by_count(_add_equal(self._waiting)[0])
            return
        import pyarrow as pa
        import pyarrow.compute as pc

        if self._waiting:
            self._put_away(*_add_equal(self._waiting), self._folder)
        repeated, singles = [], self._folder / "singles"
        with ExitStack() as opened:
            parts = [opened.enter_context(drawers(path)) for path in self._files]
            with writing_drawers(singles, parts[0].schema) as put:
                for drawer in range(_DRAWERS):
                    cells, _ = _add_equal([pa.table(part.get_batch(drawer)) for part in parts])
                    is_single = pc.equal(cells["count"], 1)
                    repeated.append(cells.filter(pc.invert(is_single)))
                    put(cells.filter(is_single))
        yield _by_count(pa.concat_tables(repeated))
        # The references of a drawer come before those of the next, and so do those that occur once.
        with drawers(singles) as of_singles:
            for drawer in range(_DRAWERS):
                yield pa.table(of_singles.get_batch(drawer))

    def _put_away(self, cells: pa.Table, keys: Words, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        if self._bounds is None:
            # Drawers of about equal size.
            self._bounds = keys[np.arange(1, _DRAWERS) * len(keys) // _DRAWERS]
        ends = [0, *np.searchsorted(keys, self._bounds, side="right").tolist(), len(keys)]
        path = folder / str(len(self._files))
        with writing_drawers(path, cells.schema) as put:
            for begin, end in pairwise(ends):
                put(cells[begin:end])
        self._files.append(path)
        self._waiting = []


def _as_arrow(confusions: Confusions) -> pa.Table:
    import pyarrow as pa

    kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
    columns = (confusions.references, confusions.hypotheses, confusions.counts)
    return pa.table({name: pa.array(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)})


def _add_equal(tables: Sequence[pa.Table]) -> tuple[pa.Table, Words]:
    """Equal confusions put together, in the order of their texts, and the keys of their references."""
    import pyarrow as pa

    from misread.scoring.confusion_kernels import add_equal_rows, sort_equal_keys

    cells = pa.concat_tables(tables).combine_chunks()
    rows, sums = np.empty(len(cells), np.int64), np.empty(len(cells), np.int64)
    with loaded_above(ALIGNING, _ROW_SECONDS * len(cells)):
        references, hypotheses = _side(cells["reference"], INSERTED), _side(cells["hypothesis"], DELETED)
        order = np.argsort(references.keys)
        sort_equal_keys(references, hypotheses, order, np.empty_like(order))
        found = add_equal_rows(references, hypotheses, order, cells["count"].to_numpy(), rows, sums)
    chosen = cells.select(["reference", "hypothesis"]).take(pa.array(rows[:found]))
    return chosen.append_column("count", pa.array(sums[:found])).combine_chunks(), references.keys[rows[:found]]


def _side(texts: pa.ChunkedArray, mark: str) -> Side:
    import pyarrow.compute as pc

    from misread.scoring.confusion_kernels import Side, fill_keys

    data, bounds = ArrowTexts.of(texts).encoded()
    keys = np.empty(len(texts), np.uint64)
    fill_keys(data, bounds, pc.equal(texts, mark).to_numpy(), keys)
    return Side(data, bounds, keys)


def _by_count(cells: pa.Table) -> pa.Table:
    """Most frequent first; those of equal count stay as they were."""
    import pyarrow as pa

    return cells.take(pa.array(np.argsort(-cells["count"].to_numpy(), kind="stable")))
