"""Agreement of judges as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from misread.report.numbers import level_title
from misread.report.tables.table import Cell, Column, Table

if TYPE_CHECKING:
    from misread.stats import Agreement


def lay_out_agreement(found: Mapping[tuple[str, str], Agreement], *, unit: str) -> Table:
    """One row per pair of judges."""
    level = next(filter(None, (level_title(of.interval) for of in found.values())), "")
    rows = []
    for (first, second), of in found.items():
        ends = "" if of.interval is None else f"[{of.interval.low:.3f}, {of.interval.high:.3f}]"
        total = of.both + of.first_only + of.second_only + of.neither
        rows.append(
            [
                Cell(first),
                Cell(second),
                Cell(f"{of.kappa:.3f}", ends),
                Cell(f"{100 * of.agreement:.1f}"),
                Cell(f"{of.both:,}/{of.first_only:,}/{of.second_only:,}/{of.neither:,}"),
                Cell(f"{total:,}"),
            ]
        )
    return Table(
        caption="Agreement of judges on texts that differ from their references.",
        columns=[
            *(Column(name, kind="name") for name in ("first", "second")),
            Column("kappa", level, keep=6),
            Column("alike %", kind="decimal", keep=4),
            Column("both/first/second/neither", keep=1),
            Column("n", keep=3),
        ],
        rows=rows,
        notes=[
            f"Cohen's kappa, 1 for full agreement and 0 for that of chance; interval by Student's t over {unit}s. "
            "Counts: hypotheses that both accept, only the first, only the second, and neither."
        ],
    )
