"""Confusions of several runs put together, and facts of parts of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from misread.records import Confusions, ConfusionTable
from misread.tally.equal_confusions import add_equal, by_count
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_column

if TYPE_CHECKING:
    import pyarrow as pa

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
