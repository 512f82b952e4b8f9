"""Confusions of several runs, or of parts of a corpus, put together; on disk where there are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from misread.compiled.budget import ALIGNING, loaded_above
from misread.files.part_files import drawers, writing_drawers
from misread.metrics.text.confusion_counts import DELETED, INSERTED
from misread.records import Confusions, ConfusionTable
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column, to_flags, to_numpy, to_scalar
from misread.types import IntArray

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.alignment.kernels.types import Words
    from misread.scoring.confusion_kernels import Side

MOST_IN_MEMORY: Final = 400_000
"""Confusions of a kind that are gathered before equal ones are put together, or go to disk."""

_DRAWERS: Final = 256
"""Parts of each file, by references, of which one is in memory at a time, or several that have little together."""

# Confusions with which drawers that are emptied together are enough.
_TOGETHER: Final = 1 << 16
# Confusions that occur so often, or less, go back to disk until all are counted: nearly all of a large corpus.
_SELDOM: Final = 8
# Confusions that are given at a time, at least, of those that were on disk.
_AT_A_TIME: Final = 1 << 14

# To put a confusion in order without machine code.
_ROW_SECONDS: Final = 3e-5

_TOTALS: Final = ("errors", "length")


class ConfusionSums:
    """Sums of tables of confusions, which are added one by one.

    A kind of which there are too many is kept in files of the folder; what is in memory then are those that occur
    often, and one drawer. Their order at the end is that of `count_confusions`, and where counts are equal that of the
    code points of reference and hypothesis, insertions and deletions last.
    """

    def __init__(self, folder: Path) -> None:
        self._first: ConfusionTable | None = None
        self._folder = folder
        self._cells: dict[str, _Cells] = {}
        self._facts: dict[str, dict[str, str | int]] = {}
        self._units: dict[str, Counter[str]] = {}

    def add(self, table: ConfusionTable, cells: Mapping[str, pa.Table]) -> None:
        """Take the confusions of a part of the segments, and a table of all else, as `order_confusions` gives them."""
        self._first = self._first or table
        self._facts = add_facts(self._facts, table.facts)
        for kind, units in table.reference_units.items():
            self._units.setdefault(kind, Counter()).update(units)
        for kind, of_kind in cells.items():
            if kind not in self._cells:
                self._cells[kind] = _Cells(self._folder / kind)
            self._cells[kind].add(of_kind)

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


def sum_confusions(tables: Sequence[ConfusionTable]) -> ConfusionTable:
    """Confusions of all tables, of which there is one at least."""
    whole, ordered = order_confusions(tables)
    confusions = {}
    for kind, in_order in ordered.items():
        cells = _by_count(in_order)
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
    cells = {kind: _add_equal([_as_arrow(table.confusions[kind]) for table in tables]).in_order() for kind in kinds}
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


class _Cells:
    """Confusions of one kind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: list[pa.Table] = []
        # Where the references of one drawer end and those of the next begin, once there are files.
        self._bounds: Words | None = None
        self._files: list[Path] = []
        self._sizes = np.zeros(_DRAWERS, np.int64)  # of the drawers of all files

    def add(self, cells: pa.Table) -> None:
        self._waiting.append(cells)
        if sum(map(len, self._waiting)) <= MOST_IN_MEMORY:
            return
        if self._bounds is None:
            sums = _add_equal(self._waiting)
            keys = sums.keys[sums.rows]
            self._waiting = [sums.in_order()]
            if len(keys) <= MOST_IN_MEMORY // 2:
                return
            # Drawers of about equal size.
            self._bounds = keys[np.arange(1, _DRAWERS) * len(keys) // _DRAWERS]
        self._put_away(self._bounds)

    def ordered(self) -> Iterator[pa.Table]:
        """All of them, in order, some at a time; at least one table."""
        if self._bounds is None:
            yield _add_equal(self._waiting).by_count()
            return
        import pyarrow as pa

        if self._waiting:
            self._put_away(self._bounds)
        often, seldom = [], {times: self._folder / f"times-{times}" for times in range(_SELDOM, 0, -1)}
        with ExitStack() as opened:
            parts = [opened.enter_context(drawers(path)) for path in self._files]
            schema = parts[0].schema
            put = {times: opened.enter_context(writing_drawers(path, schema)) for times, path in seldom.items()}
            for bundle in self._bundles():
                sums = _add_equal([pa.table(part.get_batch(drawer)) for part in parts for drawer in bundle])
                counts = np.minimum(sums.counts, _SELDOM + 1)
                order = np.argsort(counts, kind="stable")
                ends = np.cumsum(np.bincount(counts, minlength=_SELDOM + 1)).tolist()
                often.append(sums.take(order[ends[_SELDOM] :]))
                by_count = sums.take(order[: ends[_SELDOM]])
                for times, put_away in put.items():
                    put_away(by_count[ends[times - 1] : ends[times]])
        yield _by_count(pa.concat_tables(often))
        # The references of a drawer come before those of the next, and so do those that occur as often.
        for path in seldom.values():
            yield from _some_at_a_time(path)

    def _bundles(self) -> Iterator[range]:
        """Drawers one after the other, those together that have few confusions."""
        begin, size = 0, 0
        for drawer in range(_DRAWERS):
            size += int(self._sizes[drawer])
            if size >= _TOGETHER or drawer == _DRAWERS - 1:
                yield range(begin, drawer + 1)
                begin, size = drawer + 1, 0

    def _put_away(self, bounds: Words) -> None:
        """Write a file of what waits; equal ones are put together when all of a drawer are there."""
        import pyarrow as pa

        self._folder.mkdir(exist_ok=True)
        ends = []
        for cells in self._waiting:
            inner = np.searchsorted(_side(cells["reference"], INSERTED).keys, bounds, side="right")
            ends.append([0, *inner.tolist(), len(cells)])
            self._sizes += np.diff(ends[-1])
        path = self._folder / str(len(self._files))
        with writing_drawers(path, self._waiting[0].schema) as put:
            for drawer in range(_DRAWERS):
                slices = (cells[of[drawer] : of[drawer + 1]] for cells, of in zip(self._waiting, ends, strict=True))
                put(pa.concat_tables(slices))
        self._files.append(path)
        self._waiting = []


def _some_at_a_time(path: Path) -> Iterator[pa.Table]:
    """What lies in the drawers of a file, in their order."""
    import pyarrow as pa

    with drawers(path) as of:
        waiting, last = [], of.num_record_batches - 1
        for drawer in range(last + 1):
            waiting.append(pa.table(of.get_batch(drawer)))
            if drawer == last or sum(map(len, waiting)) >= _AT_A_TIME:
                yield pa.concat_tables(waiting)
                waiting = []


def _as_arrow(confusions: Confusions) -> pa.Table:
    import pyarrow as pa

    kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
    columns = (confusions.references, confusions.hypotheses, confusions.counts)
    return pa.table(
        {name: to_column(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)}
    )


class _Sums(NamedTuple):
    """Equal confusions put together: the first row of each, in the order of their texts, and its count."""

    cells: pa.Table
    rows: IntArray
    counts: IntArray
    keys: Words  # of the references of all cells

    def take(self, places: IntArray | slice) -> pa.Table:
        """Some of them."""
        chosen = self.cells.select(["reference", "hypothesis"]).take(to_arrow(self.rows[places]))
        return chosen.append_column("count", to_arrow(self.counts[places])).combine_chunks()

    def in_order(self) -> pa.Table:
        """All in the order of their texts."""
        return self.take(slice(None))

    def by_count(self) -> pa.Table:
        """Most frequent first; those of equal count in the order of their texts."""
        return self.take(_most_frequent_first(self.counts))


def _add_equal(tables: Sequence[pa.Table]) -> _Sums:
    import pyarrow as pa

    from misread.scoring.confusion_kernels import add_equal_rows, sort_equal_keys

    cells = pa.concat_tables(tables).combine_chunks()
    rows, sums = np.empty(len(cells), np.int64), np.empty(len(cells), np.int64)
    with loaded_above(ALIGNING, _ROW_SECONDS * len(cells)):
        references, hypotheses = _side(cells["reference"], INSERTED), _side(cells["hypothesis"], DELETED)
        # Tables that are in order already are merged, in a third of the time.
        order = np.argsort(references.keys, kind="stable")
        sort_equal_keys(references, hypotheses, order, np.empty_like(order))
        found = add_equal_rows(references, hypotheses, order, to_numpy(cells["count"]), rows, sums)
    return _Sums(cells, rows[:found], sums[:found], references.keys)


def _side(texts: pa.ChunkedArray, mark: str) -> Side:
    import pyarrow.compute as pc

    from misread.scoring.confusion_kernels import Side, fill_keys

    data, bounds = ArrowTexts.of(texts).encoded()
    keys = np.empty(len(texts), np.uint64)
    fill_keys(data, bounds, to_flags(pc.equal(texts, to_scalar(mark))), keys)
    return Side(data, bounds, keys)


def _by_count(cells: pa.Table) -> pa.Table:
    return cells.take(to_arrow(_most_frequent_first(to_numpy(cells["count"]))))


def _most_frequent_first(counts: IntArray) -> IntArray:
    """Rows by their counts; those of equal count stay as they were."""
    order: IntArray = np.argsort(-counts, kind="stable")
    return order
