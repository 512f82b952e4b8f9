"""Tables and figure of rates and ranks under every regime, and under several normalizers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from misread.features.regimes.ablation import AblationResult
from misread.features.regimes.schema import RegimeScore, RegimesResult, describe_changes, title_of
from misread.provenance.signature import Signature
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tables.figures.canvas import (
    COLUMN_WIDTH,
    LINE_HEIGHT,
    add_legend,
    drawing,
    fold,
    height_with_legend,
    mark_of,
)
from misread.tables.number_text import interval_ends
from misread.tables.rates_layout import metric_title
from misread.text.display import file_stem

# Of one score, what all share; the rest is in the signature of each rate.
_SHARED = ("data", "n", "test", "B", "draws", "ci", "adj", "seed", "v")
_RECORD_NAMES = (
    *("dataset", "regime", "version", "rate", "average", "unit", "system", "value", "low", "high", "rank"),
    *("segments", "excluded", "rate_signature"),
)


def lay_out_regimes(result: RegimesResult, settings: ReportSettings) -> Table:
    """One row per regime, rate and average, one column per system, with ranks; at least one regime must be applied.

    Notes name what depends on the regime, and regimes that could not be applied.
    """
    systems = list(result.scores[0].systems)
    columns = [Column("regime", kind="name"), Column("rate", kind="text"), Column("average", kind="text")]
    columns += [Column(f"{settings.name(system)}{settings.rates.sign}", "rank") for system in systems]
    return Table(
        stem=file_stem(result.dataset, "regimes"),
        caption=f"Rates on {settings.name(result.dataset)} under each regime; in brackets the rank of each system.",
        columns=columns,
        rows=[_row(score, systems, settings) for score in result.scores],
        notes=[
            *(describe_changes(result, settings.name) or [_SAME]),
            *_notes(result),
        ],
        signature=_signature(result.scores),
        record_names=_RECORD_NAMES,
        records=[_record(result.dataset, score, system) for score in result.scores for system in systems],
    )


_SAME = "The winner and the verdict on every pair are the same under every regime."


def _row(score: RegimeScore, systems: Sequence[str], settings: ReportSettings) -> list[Cell]:
    cells = [Cell(score.regime), Cell(metric_title(score.rate)), Cell(score.average)]
    for system in systems:
        of = score.systems[system]
        shown = "" if of.rate is None else settings.rates.rate(of.rate)
        cells.append(Cell(shown, "" if of.rank is None else f"({of.rank})", is_leading=of.rank == 1))
    return cells


def _notes(result: RegimesResult) -> list[str]:
    excluded: dict[str, int] = {}
    for score in result.scores:
        if score.excluded:
            excluded.setdefault(score.regime, score.excluded)
    notes = [f"{regime} leaves out {number:,} segments." for regime, number in excluded.items()]
    return notes + [f"Not applied: {regime} ({reason.rstrip('.')})." for regime, reason in result.not_applied.items()]


def _signature(scores: Sequence[RegimeScore]) -> str:
    facts = Signature.parse(scores[0].signature).facts
    labels = dict.fromkeys(f"{score.regime}.{score.version}" for score in scores)
    shared = {name: facts[name] for name in _SHARED if name in facts}
    return str(Signature("regimes", {"regime": "+".join(labels), **shared}))


def _record(dataset: str, score: RegimeScore, system: str) -> tuple[str | float | None, ...]:
    of = score.systems[system]
    return (
        *(dataset, score.regime, score.version, score.rate, score.average, score.unit, system),
        *(of.rate, *interval_ends(of.interval), of.rank, score.segments, score.excluded, score.signature),
    )


_ROW_HEIGHT = 1.5
"""Lines."""
_AXIS_HEIGHT = 3.5
"""Lines of the axis below the rows, with its title."""
_LETTERS = 24


def draw_regimes(result: RegimesResult, settings: ReportSettings, folder: Path) -> list[Path]:
    """Draw a row per regime and a line per system, a figure for each unit; none for one regime or system."""
    paths = []
    for unit in dict.fromkeys(score.unit for score in result.scores):
        scores = [score for score in result.scores if score.unit == unit]
        if len(scores) > 1 and len(scores[0].systems) > 1:
            paths += _draw(scores, settings, folder / file_stem(result.dataset, "regimes", unit))
    return paths


def _draw(scores: Sequence[RegimeScore], settings: ReportSettings, stem: Path) -> list[Path]:
    systems = list(scores[0].systems)
    names = [settings.name(system) for system in systems]
    rows = range(len(scores))
    height = LINE_HEIGHT * (_AXIS_HEIGHT + _ROW_HEIGHT * len(scores))
    with drawing(stem, settings.figure_formats, height_with_legend(names, height), COLUMN_WIDTH) as (figure, paths):
        axes = figure.add_subplot()
        marks = []
        for place, system in enumerate(systems):
            ranks = [score.systems[system].rank for score in scores]
            x = [math.nan if rank is None else rank for rank in ranks]
            marks += axes.plot(x, list(rows), **mark_of(place), markersize=4, linewidth=1)
        axes.set_yticks(list(rows), [fold(title_of(score, scores), _LETTERS) for score in scores])
        axes.set_ylim(len(scores) - 0.5, -0.5)
        axes.set_xticks(range(1, len(systems) + 1))
        axes.set_xlim(0.7, len(systems) + 0.3)
        axes.grid(axis="y", visible=False)
        axes.grid(axis="x", visible=True)
        axes.set_xlabel(f"rank by errors of {scores[0].unit}")
        add_legend(figure, marks, names)
    return paths


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
