"""Confusions of several runs, or of parts of a corpus, put together; on disk where there are many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from misread.metrics.text.confusion_counts import DELETED, INSERTED
from misread.records import Confusions, ConfusionTable
from misread.text.arrow import ArrowTexts

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.types import IntArray

MOST_IN_MEMORY: Final = 400_000
"""Confusions of a kind that are gathered before equal ones are put together, or go to disk."""

_DRAWERS: Final = 64
"""Files that confusions are sorted into by their references, of which one is in memory at a time."""

_BYTES: Final = 7
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
        # Where the references of one file end and those of the next begin, once there are files.
        self._bounds: IntArray | None = None
        self._files = 0

    def add(self, cells: pa.Table) -> None:
        self._waiting.append(cells)
        if self._folder is None or sum(map(len, self._waiting)) <= MOST_IN_MEMORY:
            return
        gathered = _add_equal(self._waiting)
        self._waiting = [gathered]
        if self._bounds is not None or len(gathered) > MOST_IN_MEMORY // 2:
            self._put_away(gathered, self._folder)

    def ordered(self) -> Iterator[pa.Table]:
        """All of them, in order, some at a time; at least one table."""
        if self._bounds is None or self._folder is None:
            yield _in_order(_add_equal(self._waiting))
            return
        import pyarrow as pa
        import pyarrow.compute as pc

        if self._waiting:
            self._put_away(_add_equal(self._waiting), self._folder)
        repeated, singles = [], []
        for drawer in range(_DRAWERS + 1):
            files = sorted(self._folder.glob(f"{drawer}.*"))
            if not files:
                continue
            cells = _add_equal([_read(path) for path in files])
            is_single = pc.equal(cells["count"], 1)
            repeated.append(cells.filter(pc.invert(is_single)))
            singles.append(files[0])
            for path in files:
                path.unlink()
            _write(files[0], _in_order(cells.filter(is_single)))
        yield _in_order(pa.concat_tables(repeated))
        # The references of a file come before those of the next, and so do those that occur once.
        for path in singles:
            yield _read(path)

    def _put_away(self, cells: pa.Table, folder: Path) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        folder.mkdir(exist_ok=True)
        keys = _first_bytes(ArrowTexts.of(cells["reference"]))
        is_insertion = pc.equal(cells["reference"], INSERTED).to_numpy(zero_copy_only=False)
        if self._bounds is None:
            # Files of about equal size.
            self._bounds = np.sort(keys)[np.arange(1, _DRAWERS) * len(keys) // _DRAWERS]
        drawers = np.where(is_insertion, _DRAWERS, np.searchsorted(self._bounds, keys, side="right"))
        for drawer in np.unique(drawers).tolist():
            chosen = cells.filter(pa.array(drawers == drawer))
            _write(folder / f"{drawer}.{self._files}", chosen)
        self._files += 1
        self._waiting = []


def _as_arrow(confusions: Confusions) -> pa.Table:
    import pyarrow as pa

    kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
    columns = (confusions.references, confusions.hypotheses, confusions.counts)
    return pa.table({name: pa.array(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)})


def _read(path: Path) -> pa.Table:
    import pyarrow as pa

    from misread.files.part_files import read_part

    return pa.table(read_part(path))


def _write(path: Path, cells: pa.Table) -> None:
    from misread.files.part_files import write_part

    write_part(path, {name: cells[name] for name in cells.column_names})


def _add_equal(cells: Sequence[pa.Table]) -> pa.Table:
    import pyarrow as pa

    # Threads take twice the time in all.
    grouped = pa.concat_tables(cells).group_by(["reference", "hypothesis"], use_threads=False)
    return grouped.aggregate([("count", "sum")]).rename_columns({"count_sum": "count"}).combine_chunks()


def _in_order(cells: pa.Table) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = {
        "count": pc.negate(cells["count"]),
        "is_insertion": pc.equal(cells["reference"], INSERTED),
        "reference": cells["reference"],
        "is_deletion": pc.equal(cells["hypothesis"], DELETED),
        "hypothesis": cells["hypothesis"],
    }
    return cells.take(pc.sort_indices(pa.table(keys), [(name, "ascending") for name in keys]))


def _first_bytes(texts: ArrowTexts) -> IntArray:
    """The first seven bytes of each text as a number, so that numbers ascend as texts do."""
    data, bounds = texts.encoded()
    starts, lengths = bounds[:-1], np.diff(bounds)
    numbers = np.zeros(len(texts), np.int64)
    padded = np.append(data, np.uint8(0))
    for place in range(_BYTES):
        here = padded[np.minimum(starts + place, len(data))]
        numbers = numbers << 8 | np.where(place < lengths, here, 0)
    return numbers
