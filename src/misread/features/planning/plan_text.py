"""A plan of a comparison as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from misread.stats.results import in_points
from misread.tables import Cell, Column, Table

if TYPE_CHECKING:
    from misread.stats import Design, Variances


def lay_out_plan(
    variances: Variances,
    designs: Sequence[Design],
    best: Design,
    difference: float,
    *,
    unit: str,
    alpha: float,
    power: float,
    notes: Sequence[str],
) -> Table:
    """One row per number of runs; the cheapest design is bold and named."""
    rows = [
        [
            Cell(f"{design.runs:,}", is_bold=design is best),
            Cell(f"{design.clusters:,}", is_bold=design is best),
            Cell(f"{design.price:,.2f}", is_bold=design is best),
            Cell(in_points(design.detectable).removesuffix(" points"), is_bold=design is best),
        ]
        for design in designs
    ]
    deviations = (math.sqrt(of) for of in (variances.clusters, variances.runs, variances.residual))
    shown = [in_points(deviation) for deviation in deviations]
    runs = "1 run" if best.runs == 1 else f"{best.runs:,} runs"
    return Table(
        caption=f"Designs that show a difference of {in_points(abs(difference))} with a probability of {power:.0%}.",
        columns=[
            Column("runs", keep=5),
            Column(f"{unit}s", keep=5),
            Column("price", keep=4),
            Column("shows points", kind="decimal"),
        ],
        rows=rows,
        notes=[
            f"Cheapest: {best.clusters:,} {unit}s in {runs} of each system, at {best.price:,.2f}.",
            f"Standard deviations of the difference: {shown[0]} between {unit}s, {shown[1]} between runs, {shown[2]} "
            f"of one {unit} in one run. Two-sided test at {alpha:g}.",
            *notes,
        ],
    )
