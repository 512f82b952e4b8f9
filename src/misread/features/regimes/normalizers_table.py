"""Tables of rates under several normalizers, and of how these change the ranking."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from misread.features.regimes.ablation import AblationResult
from misread.provenance.signature import Signature
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tables.rates_layout import metric_title
from misread.text.display import file_stem


def lay_out_ablation(dataset: str, metric: str, systems: Sequence[AblationResult], settings: ReportSettings) -> Table:
    """One row per system, one column per normalizer, each but the first with its difference to the previous one.

    A system that cannot read the data set has no row; at least one must. A note names systems that change places.
    """
    rated = {of.system: {name: rate[metric].micro for name, rate in of.rates.items()} for of in systems}
    rated = {system: rates for system, rates in rated.items() if rates}
    normalizers = list(next(iter(rated.values())))
    columns = [Column("system", kind="name")]
    for place, normalizer in enumerate(normalizers):
        columns.append(Column(f"{normalizer}{settings.rates.sign}", kind="decimal"))
        if place:
            columns.append(Column("Δ"))
    rows = [[Cell(settings.name(system)), *_cells(list(rates.values()), settings)] for system, rates in rated.items()]
    signature = next(of for of in systems if of.rates).rates[normalizers[0]][metric].signature
    return Table(
        stem=file_stem(dataset, metric, "normalizers"),
        caption=f"{metric_title(metric)} on {settings.name(dataset)} under each normalizer; Δ to the one before it.",
        columns=columns,
        rows=rows,
        notes=[_order(rated, normalizers, settings), "Without intervals and tests: see the table of the metric."],
        signature=str(Signature.parse(signature).replace(norm="+".join(normalizers))),
        record_names=("dataset", "metric", "system", "normalizer", "rate"),
        records=[
            (dataset, metric, system, name, rate) for system, rates in rated.items() for name, rate in rates.items()
        ],
    )


def _cells(values: Sequence[float | None], settings: ReportSettings) -> list[Cell]:
    rates = settings.rates
    cells = []
    for place, rate in enumerate(values):
        cells.append(Cell("" if rate is None else rates.rate(rate)))
        if place:
            before = values[place - 1]
            cells.append(Cell("" if rate is None or before is None else rates.difference(rate - before)))
    return cells


def _order(rated: dict[str, dict[str, float | None]], normalizers: Sequence[str], settings: ReportSettings) -> str:
    """Name the pairs of systems whose order depends on the normalizer."""
    turned = []
    for first, second in combinations(rated, 2):
        ahead = {
            one < other
            for one, other in ((rated[first][name], rated[second][name]) for name in normalizers)
            if one is not None and other is not None and one != other
        }
        if len(ahead) == 2:
            turned.append(f"{settings.name(first)} and {settings.name(second)}")
    if not turned:
        return "The order of the systems is the same under every normalizer."
    return f"The ranking depends on the normalizer: {'; '.join(turned)}."
