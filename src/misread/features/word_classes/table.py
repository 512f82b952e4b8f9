"""Tables of errors by class of word: how often it occurs in training data, or which entity it is part of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

import numpy as np

from misread.errors import ConfigurationError
from misread.features.word_classes.metric import EntityErrorRate, FrequencyErrorRate, labels_of
from misread.metrics import Metric
from misread.metrics.base import ScoredText
from misread.stats import ratio_interval
from misread.tables import Cell, Column, Table
from misread.tables.number_text import interval_ends
from misread.tables.view import View, ViewInput
from misread.text.display import file_stem
from misread.text.words import split_words
from misread.types import IntArray

_BORDERS: Final = (0, 1, 10, 100, 1000, 10_000)
_WITHOUT_END: Final = 1 << 62
_CONFIDENCE = 0.95


def count_by_frequency(texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
    """Counts of every segment, as those of `ClassErrorRate`, by bands of occurrences: never, 1-9, 10-99 and so on."""
    named = next((each for each in metrics if isinstance(each, FrequencyErrorRate)), None)
    if named is None:
        raise ConfigurationError("the view bands takes its word counts from rare_word_error_rate; name it as a metric.")
    found = {}
    for first, end in pairwise((*_BORDERS, _WITHOUT_END)):
        band = replace(named, at_least=first, below=end)
        name = f"{first:,} and more" if end == _WITHOUT_END else "never" if end == 1 else f"{first:,} to {end - 1:,}"
        found[name] = band.count(texts)
    return found


def count_by_entity(texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
    """Counts of every segment, as those of `ClassErrorRate`, by label of entities, in their order."""
    named = next((each for each in metrics if isinstance(each, EntityErrorRate)), EntityErrorRate("the view entities"))
    sizes = np.array([len(split_words(text)) for text in texts.references])
    labels = sorted({*chain.from_iterable(labels_of(sizes, texts, named.id))})
    return {label: replace(named, label=label).count(texts) for label in labels}


def lay_out_bands(source: ViewInput) -> Table | None:
    """Errors of words by how often they occur in training data."""
    title = f"Errors of words on {source.settings.name(source.dataset)} by how often they occur in training data."
    return _lay_out(source, "bands", "occurrences", title, count_by_frequency)


def lay_out_entities(source: ViewInput) -> Table | None:
    """Errors of words by the label of the entities that they are part of; a word may have several."""
    title = f"Errors of words on {source.settings.name(source.dataset)} by the entities that they are part of."
    return _lay_out(source, "entities", "entity", title, count_by_entity)


def _lay_out(
    source: ViewInput,
    view: str,
    column: str,
    caption: str,
    count: Callable[[ScoredText, Sequence[Metric]], Mapping[str, IntArray]],
) -> Table | None:
    dataset, settings, rates = source.dataset, source.settings, source.settings.rates
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    for system, scored in source.scored.items():
        for name, counts in count(scored.normalized, scored.metrics).items():
            _, words, _, substitutions, deletions, insertions = counts.sum(axis=0).tolist()
            if not (words or insertions):
                continue
            wrong = counts[:, 3] + counts[:, 4]
            rate = (substitutions + deletions) / words if words else None
            interval = ratio_interval(wrong, counts[:, 1], scored.clusters, _CONFIDENCE, highest=1.0) if words else None
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


BANDS: Final = View(lay_out_bands)
ENTITIES: Final = View(lay_out_entities)
