"""Confusions put together: equal ones, those of several runs, and facts of parts of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from misread.compiled.budget import ALIGNING, loaded_above
from misread.metrics.confusion_table import Confusions, ConfusionTable
from misread.metrics.confusions import DELETED, INSERTED
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column, to_flags, to_numpy, to_scalar
from misread.types import IntArray

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.tally.confusion_kernels import Side

PLACE: Final = np.dtype([("reference", np.uint64), ("hypothesis", np.uint64)])
"""A place among confusions, by their keys; in the order of references, then of hypotheses."""
Places: TypeAlias = npt.NDArray[np.void]

# To put a confusion in order without machine code.
_ROW_SECONDS: Final = 3e-5


class Sums(NamedTuple):
    """Equal confusions put together: the first row of each, in the order of their texts, and its count."""

    cells: pa.Table
    rows: IntArray
    counts: IntArray

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


def add_equal(tables: Sequence[pa.Table]) -> Sums:
    """Put equal confusions of tables together, of which there is one at least."""
    import pyarrow as pa

    from misread.tally.confusion_kernels import add_equal_rows, sort_equal_keys

    cells = pa.concat_tables(tables).combine_chunks()
    rows, sums = np.empty(len(cells), np.int64), np.empty(len(cells), np.int64)
    with loaded_above(ALIGNING, _ROW_SECONDS * len(cells)):
        references, hypotheses = _side(cells["reference"], INSERTED), _side(cells["hypothesis"], DELETED)
        # Tables that are in order already are merged, in a third of the time.
        order = np.argsort(references.keys, kind="stable")
        sort_equal_keys(references, hypotheses, order, np.empty_like(order))
        found = add_equal_rows(references, hypotheses, order, to_numpy(cells["count"]), rows, sums)
    return Sums(cells, rows[:found], sums[:found])


def places_of(references: pa.ChunkedArray, hypotheses: pa.ChunkedArray) -> Places:
    """Where confusions stand, in numbers that ascend where these are in order: equal ones are in one place.

    Those of one reference are in one place too, but for insertions, of which most words of a corpus may have one.
    """
    import pyarrow.compute as pc

    places = np.zeros(len(references), PLACE)
    inserted = np.flatnonzero(to_flags(pc.equal(references, to_scalar(INSERTED))))
    with loaded_above(ALIGNING, _ROW_SECONDS * len(references)):
        places["reference"] = _side(references, INSERTED).keys
        if inserted.size:
            places["hypothesis"][inserted] = _side(hypotheses.take(to_arrow(inserted)), DELETED).keys
    return places


def by_count(cells: pa.Table) -> pa.Table:
    """Confusions by their counts; those of equal count stay as they were."""
    return cells.take(to_arrow(_most_frequent_first(to_numpy(cells["count"]))))


def _side(texts: pa.ChunkedArray, mark: str) -> Side:
    import pyarrow.compute as pc

    from misread.tally.confusion_kernels import Side, fill_keys

    data, bounds = ArrowTexts.of(texts).encoded()
    keys = np.empty(len(texts), np.uint64)
    fill_keys(data, bounds, to_flags(pc.equal(texts, to_scalar(mark))), keys)
    return Side(data, bounds, keys)


def _most_frequent_first(counts: IntArray) -> IntArray:
    """Rows by their counts; those of equal count stay as they were."""
    order: IntArray = np.argsort(-counts, kind="stable")
    return order


_TOTALS: Final = ("errors", "length")


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
