"""Tables of errors by class of word: how often it occurs in training data, or which entity it is part of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from misread.stats import ratio_interval
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tables.numbers import interval_ends
from misread.tally import ScoredSystem
from misread.text.display import file_stem
from misread.types import IntArray

_CONFIDENCE = 0.95


def lay_out_bands(dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings) -> Table | None:
    """Errors of words by how often they occur in training data."""
    title = f"Errors of words on {settings.name(dataset)} by how often they occur in training data."
    return _lay_out(dataset, "bands", "occurrences", title, lambda of: of.by_frequency, scored, settings)


def lay_out_entities(dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings) -> Table | None:
    """Errors of words by the label of the entities that they are part of; a word may have several."""
    title = f"Errors of words on {settings.name(dataset)} by the entities that they are part of."
    return _lay_out(dataset, "entities", "entity", title, lambda of: of.by_entity, scored, settings)


def _lay_out(
    dataset: str,
    view: str,
    column: str,
    caption: str,
    count: Callable[[ScoredSystem], Mapping[str, IntArray]],
    scored: Mapping[str, ScoredSystem],
    settings: ReportSettings,
) -> Table | None:
    rates = settings.rates
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    for system, of in scored.items():
        for name, counts in count(of).items():
            _, words, _, substitutions, deletions, insertions = counts.sum(axis=0).tolist()
            if not (words or insertions):
                continue
            wrong = counts[:, 3] + counts[:, 4]
            rate = (substitutions + deletions) / words if words else None
            interval = ratio_interval(wrong, counts[:, 1], of.clusters, _CONFIDENCE, highest=1.0) if words else None
            shown = Cell("" if rate is None else rates.rate(rate), rates.interval_of(rate, interval))
            kinds = f"{substitutions:,}/{deletions:,}"
            rows.append(
                [
                    Cell(settings.name(system)),
                    Cell(name),
                    Cell(f"{words:,}"),
                    Cell(kinds),
                    shown,
                    Cell(f"{insertions:,}"),
                ]
            )
            ends = interval_ends(interval)
            records.append((dataset, system, name, words, substitutions, deletions, insertions, rate, *ends))
    if not rows:
        return None
    return Table(
        stem=file_stem(dataset, view),
        caption=caption,
        columns=[
            Column("system", kind="name"),
            Column(column, kind="name"),
            Column("words"),
            Column("S/D"),
            Column(f"wrong{rates.sign}", f"[{100 * _CONFIDENCE:g} %]"),
            Column("inserted"),
        ],
        rows=rows,
        notes=[
            "Wrong: substitutions and deletions over words of the reference; inserted words count by their own class.",
            "Intervals: Student's t with the jackknife error over clusters, over segments where there are none.",
        ],
        record_names=(
            *("dataset", "system", column, "words", "substitutions", "deletions", "insertions", "wrong", "low", "high"),
        ),
        records=records,
    )
