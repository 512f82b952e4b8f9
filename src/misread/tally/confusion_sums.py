"""Confusions put together: equal ones, and those of several runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from misread.compiled.budget import ALIGNING, loaded_above
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.metrics.confusions import DELETED, INSERTED
from misread.tally.adding import add
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column, to_flags, to_numpy, to_scalar
from misread.types import IntArray

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.tally.kernels import Side

MOST_SINGLE: Final = 100_000
"""Most confusions of a kind that occur once; the first ones in the order of their texts are kept."""

_MOST_AT_ONCE: Final = 500_000
_SHARE_BITS: Final = 6
SHARES: Final = 1 << _SHARE_BITS
_MULTIPLIER: Final = np.uint64(0x9E3779B97F4A7C15)

# To put a confusion in order without machine code.
_ROW_SECONDS: Final = 3e-5


class Sums(NamedTuple):
    """Equal confusions added up: the first row of each, in the order of their texts, and the sum of their counts."""

    cells: pa.Table
    rows: IntArray
    counts: IntArray

    def take(self, places: IntArray | slice) -> pa.Table:
        """Return some of the rows."""
        chosen = self.cells.select(["reference", "hypothesis"]).take(to_arrow(self.rows[places]))
        return chosen.append_column("count", to_arrow(self.counts[places])).combine_chunks()

    def in_order(self) -> pa.Table:
        """All in the order of their texts."""
        return self.take(slice(None))

    def by_count(self) -> pa.Table:
        """Most frequent first; those of equal count in the order of their texts."""
        return self.take(np.argsort(-self.counts, kind="stable"))


def add_equal(tables: Sequence[pa.Table]) -> Sums:
    """Add up equal confusions of at least one table."""
    import pyarrow as pa

    from misread.tally.kernels import add_equal_rows, sort_equal_keys

    cells = pa.concat_tables(tables).combine_chunks()
    rows, sums = np.empty(len(cells), np.int64), np.empty(len(cells), np.int64)
    with loaded_above(ALIGNING, _ROW_SECONDS * len(cells)):
        references, hypotheses = _side(cells["reference"], INSERTED), _side(cells["hypothesis"], DELETED)
        # Tables that are in order already are merged, in a third of the time.
        order = np.argsort(references.keys, kind="stable")
        sort_equal_keys(references, hypotheses, order, np.empty_like(order))
        groups = add_equal_rows(references, hypotheses, order, to_numpy(cells["count"]), rows, sums)
    return Sums(cells, rows[:groups], sums[:groups])


def share_out(cells: pa.Table) -> list[pa.Table]:
    """Confusions in `SHARES` tables; equal ones, of other parts too, are in tables of the same number."""
    with loaded_above(ALIGNING, _ROW_SECONDS * len(cells)), np.errstate(over="ignore"):
        references, hypotheses = _side(cells["reference"], INSERTED).keys, _side(cells["hypothesis"], DELETED).keys
    # Fibonacci hashing: the highest bits of a product depend on all bits of the keys.
    shares = ((references * _MULTIPLIER ^ hypotheses) * _MULTIPLIER >> np.uint64(64 - _SHARE_BITS)).astype(np.int64)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(shares, minlength=SHARES))])
    in_shares = cells.take(to_arrow(np.argsort(shares, kind="stable")))
    return [in_shares[start:end] for start, end in pairwise(bounds)]


class MostFrequent(NamedTuple):
    """Confusions, most frequent first, and how many that occur once are left out."""

    cells: pa.Table
    left_out: int


def most_frequent(rows: int, read_shares: Callable[[Sequence[int]], Sequence[pa.Table]]) -> MostFrequent:
    """Sum confusions of parts, of very many rows a share at a time.

    Of those that occur once, the first `MOST_SINGLE` are left.
    """
    if rows <= _MOST_AT_ONCE:
        return _leave_out(add_equal(read_shares(range(SHARES))).by_count(), 0)
    frequent = MostFrequent(read_shares([0])[0][:0], 0)
    for number in range(SHARES):
        summed = _leave_out(add_equal(read_shares([number])).by_count(), frequent.left_out)
        frequent = _leave_out(add_equal([frequent.cells, summed.cells]).by_count(), summed.left_out)
    return frequent


def _leave_out(cells: pa.Table, before: int) -> MostFrequent:
    repeated = int(np.count_nonzero(to_numpy(cells["count"]) > 1))
    left = min(len(cells), repeated + MOST_SINGLE)
    # A copy, so that memory of the others is given back.
    return MostFrequent(cells[:left].take(to_arrow(np.arange(left))), before + len(cells) - left)


def _side(texts: pa.ChunkedArray, mark: str) -> Side:
    import pyarrow.compute as pc

    from misread.tally.kernels import Side, fill_keys

    data, bounds = ArrowTexts.of(texts).encoded()
    keys = np.empty(len(texts), np.uint64)
    fill_keys(data, bounds, to_flags(pc.equal(texts, to_scalar(mark))), keys)
    return Side(data, bounds, keys)


def sum_confusions(tables: Sequence[ConfusionTable]) -> ConfusionTable:
    """Add up the confusions of all runs of a system, at least one."""
    confusions = {}
    for kind in tables[0].confusions:
        cells = add_equal([_as_arrow(table.confusions[kind]) for table in tables]).by_count()
        references, hypotheses = ArrowTexts.of(cells["reference"]), ArrowTexts.of(cells["hypothesis"])
        confusions[kind] = Confusions(references, hypotheses, cells["count"].to_pylist())
    units = reduce(add, (table.reference_units for table in tables))
    return replace(
        tables[0],
        confusions=confusions,
        facts=reduce(add, (table.facts for table in tables)),
        reference_units={kind: dict(sorted(occurrences.items())) for kind, occurrences in units.items()},
    )


def order_confusions(tables: Sequence[ConfusionTable]) -> dict[str, pa.Table]:
    """Confusions of all runs by kind, in the order of their texts; equal ones are added up."""
    return {
        kind: add_equal([_as_arrow(table.confusions[kind]) for table in tables]).in_order()
        for kind in tables[0].confusions
    }


def _as_arrow(confusions: Confusions) -> pa.Table:
    import pyarrow as pa

    kinds = {"reference": pa.large_string(), "hypothesis": pa.large_string(), "count": pa.int64()}
    columns = (confusions.references, confusions.hypotheses, confusions.counts)
    return pa.table(
        {name: to_column(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)}
    )
