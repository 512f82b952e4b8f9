"""Tables and figure of rates and ranks under every regime, and under several normalizers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations
from operator import attrgetter
from pathlib import Path

from misread.features.regimes.ablation import AblationResult
from misread.features.regimes.schema import RegimeScore, RegimesResult, SystemScore, describe_changes, title_of
from misread.provenance.signature import Signature
from misread.tables import Cell, Column, Records, ReportSettings, Table, in_files
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
_OF_A_SCORE = ("regime", "version", "rate", "average", "unit")


def lay_out_regimes(result: RegimesResult, settings: ReportSettings) -> Table:
    """One row per regime, rate and average, one column per system, with ranks; at least one regime must be applied.

    Notes name what depends on the regime, and regimes that could not be applied.
    """
    systems = list(result.scores[0].systems)

    def system_column(system: str) -> Column:
        title = f"{settings.name(system)}{settings.rates.sign}"
        return Column(title, lambda score: score.systems[system], lambda rated: _show(rated, settings), detail="rank")

    return Table(
        stem=file_stem(result.dataset, "regimes"),
        caption=f"Rates on {settings.name(result.dataset)} under each regime; in brackets the rank of each system.",
        columns=[
            Column("regime", lambda score: score.regime, kind="name"),
            Column("rate", lambda score: metric_title(score.rate), kind="text"),
            Column("average", lambda score: score.average, kind="text"),
            *map(system_column, systems),
        ],
        rows=result.scores,
        notes=[
            *(describe_changes(result, settings.name) or [_SAME]),
            *_notes(result),
        ],
        signature=_signature(result.scores),
        long=Records(
            [(score, system, score.systems[system]) for score in result.scores for system in systems],
            [
                in_files("dataset", result.dataset),
                in_files(_OF_A_SCORE, lambda row: attrgetter(*_OF_A_SCORE)(row[0])),
                in_files(("system", "value"), lambda row: (row[1], row[2].rate)),
                in_files(("low", "high"), lambda row: interval_ends(row[2].interval)),
                in_files(("rank", "segments", "excluded"), lambda row: (row[2].rank, row[0].segments, row[0].excluded)),
                in_files("rate_signature", lambda row: str(row[0].signature)),
            ],
        ),
    )


_SAME = "The winner and the verdict on every pair are the same under every regime."


def _show(rated: SystemScore, settings: ReportSettings) -> Cell:
    shown = "" if rated.rate is None else settings.rates.rate(rated.rate)
    return Cell(shown, "" if rated.rank is None else f"({rated.rank})", is_leading=rated.rank == 1)


def _notes(result: RegimesResult) -> list[str]:
    excluded: dict[str, int] = {}
    for score in result.scores:
        if score.excluded:
            excluded.setdefault(score.regime, score.excluded)
    notes = [f"{regime} leaves out {number:,} segments." for regime, number in excluded.items()]
    return notes + [f"Not applied: {regime} ({reason.rstrip('.')})." for regime, reason in result.not_applied.items()]


def _signature(scores: Sequence[RegimeScore]) -> str:
    facts = scores[0].signature.facts
    labels = dict.fromkeys(f"{score.regime}.{score.version}" for score in scores)
    shared = {name: facts[name] for name in _SHARED if name in facts}
    return str(Signature("regimes", {"regime": "+".join(labels), **shared}))


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
        for index, system in enumerate(systems):
            ranks = [score.systems[system].rank for score in scores]
            x = [math.nan if rank is None else rank for rank in ranks]
            marks += axes.plot(x, list(rows), **mark_of(index), markersize=4, linewidth=1)
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
    rated = {
        ablation.system: {name: rate[metric].micro for name, rate in ablation.rates.items()} for ablation in systems
    }
    rated = {system: rates for system, rates in rated.items() if rates}
    normalizers = list(next(iter(rated.values())))
    rates = settings.rates

    def difference(rate_by_normalizer: Mapping[str, float | None], index: int) -> float | None:
        before, rate = (rate_by_normalizer[normalizers[position]] for position in (index - 1, index))
        return None if rate is None or before is None else rate - before

    def normalizer_columns(index: int, normalizer: str) -> Iterator[Column]:
        yield Column(f"{normalizer}{rates.sign}", lambda row: row[1][normalizer], rates.rate, kind="decimal")
        if index:
            yield Column("Δ", lambda row: difference(row[1], index), rates.difference)

    signature = next(ablation for ablation in systems if ablation.rates).rates[normalizers[0]][metric].signature
    return Table(
        stem=file_stem(dataset, metric, "normalizers"),
        caption=f"{metric_title(metric)} on {settings.name(dataset)} under each normalizer; Δ to the one before it.",
        columns=[
            Column("system", lambda row: settings.name(row[0]), kind="name"),
            *chain.from_iterable(normalizer_columns(index, name) for index, name in enumerate(normalizers)),
        ],
        rows=list(rated.items()),
        notes=[_order(rated, normalizers, settings), "Without intervals and tests: see the table of the metric."],
        signature=str(signature.replace(norm="+".join(normalizers))),
        long=Records(
            [(system, name, rate) for system, by_normalizer in rated.items() for name, rate in by_normalizer.items()],
            [
                in_files(("dataset", "metric"), (dataset, metric)),
                in_files(("system", "normalizer", "rate"), lambda row: row),
            ],
        ),
    )


def _order(rated: dict[str, dict[str, float | None]], normalizers: Sequence[str], settings: ReportSettings) -> str:
    """Name the pairs of systems whose order depends on the normalizer."""
    turned = []
    for first, second in combinations(rated, 2):
        ahead = {
            rate < other_rate
            for rate, other_rate in ((rated[first][name], rated[second][name]) for name in normalizers)
            if rate is not None and other_rate is not None and rate != other_rate
        }
        if len(ahead) == 2:
            turned.append(f"{settings.name(first)} and {settings.name(second)}")
    if not turned:
        return "The order of the systems is the same under every normalizer."
    return f"The ranking depends on the normalizer: {'; '.join(turned)}."
