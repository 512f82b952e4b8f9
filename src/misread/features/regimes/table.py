"""Table of rates and ranks under every regime."""

from __future__ import annotations

from collections.abc import Sequence

from misread.features.regimes.changes import describe_changes
from misread.features.regimes.schema import RegimeScore, RegimesResult
from misread.provenance.signature import Signature
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tables.numbers import interval_ends
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
