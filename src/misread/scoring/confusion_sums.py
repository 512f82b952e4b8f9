"""Confusions of several runs, or of parts of a corpus, put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from misread.metrics.text.confusion_counts import DELETED, INSERTED
from misread.records import Confusions, ConfusionTable
from misread.text.arrow import ArrowTexts

if TYPE_CHECKING:
    import pyarrow as pa

# Confusions that are gathered before equal ones are put together.
_GATHERED: Final = 1_000_000
_TOTALS: Final = ("errors", "length")


class ConfusionSums:
    """Sums of tables of confusions that are added one by one; equal ones are put together now and then."""

    def __init__(self) -> None:
        self._first: ConfusionTable | None = None
        self._cells: dict[str, list[pa.Table]] = {}
        self._most: dict[str, int] = {}
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
            gathered = self._cells.setdefault(kind, [])
            gathered.append(_as_arrow(confusions))
            if sum(map(len, gathered)) > self._most.setdefault(kind, _GATHERED):
                gathered[:] = [_add_equal(gathered)]
                self._most[kind] = max(_GATHERED, 2 * len(gathered[0]))

    def total(self) -> ConfusionTable:
        """Everything that was added, most frequent first; equal counts as `count_confusions` orders them."""
        if self._first is None:
            raise ValueError("no table of confusions was added.")
        return replace(
            self._first,
            confusions={kind: _in_order(_add_equal(cells)) for kind, cells in self._cells.items()},
            facts=self._facts,
            reference_units={kind: dict(sorted(units.items())) for kind, units in self._units.items()},
        )


def sum_confusions(tables: Iterable[ConfusionTable]) -> ConfusionTable:
    """Confusions of all tables, of which there is one at least."""
    sums = ConfusionSums()
    for table in tables:
        sums.add(table)
    return sums.total()


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
    return pa.table({name: pa.array(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)})


def _add_equal(cells: Sequence[pa.Table]) -> pa.Table:
    import pyarrow as pa

    sums = pa.concat_tables(cells).group_by(["reference", "hypothesis"]).aggregate([("count", "sum")])
    return sums.rename_columns({"count_sum": "count"})


def _in_order(cells: pa.Table) -> Confusions:
    import pyarrow as pa
    import pyarrow.compute as pc

    keys = {
        "count": pc.negate(cells["count"]),
        "is_insertion": pc.equal(cells["reference"], INSERTED),
        "reference": cells["reference"],
        "is_deletion": pc.equal(cells["hypothesis"], DELETED),
        "hypothesis": cells["hypothesis"],
    }
    ordered = cells.take(pc.sort_indices(pa.table(keys), [(name, "ascending") for name in keys]))
    return Confusions(
        ArrowTexts.of(ordered["reference"]), ArrowTexts.of(ordered["hypothesis"]), ordered["count"].to_pylist()
    )
