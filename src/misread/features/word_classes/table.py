"""Tables of errors by class of word: how often it occurs in training data, or which entity it is part of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final, NamedTuple

import numpy as np

from misread.errors import ConfigurationError
from misread.features.word_classes.metric import EntityErrorRate, FrequencyErrorRate, labels_of
from misread.metrics import Metric
from misread.metrics.base import ScoredText
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Column, Table, in_files, rate_column
from misread.tables.number_text import confidence_title
from misread.tables.view import View, ViewInput
from misread.tally import ScoredSystem
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
    settings, rates = source.settings, source.settings.rates
    rows = [
        _ClassRow(system, name, *_sum(counts), _interval(counts, scored))
        for system, scored in source.scored.items()
        for name, counts in count(scored.normalized, scored.metrics).items()
    ]
    rows = [row for row in rows if row.words or row.insertions]
    if not rows:
        return None
    return Table(
        stem=file_stem(source.dataset, view),
        caption=caption,
        columns=[
            in_files("dataset", source.dataset),
            Column("system", lambda row: row.system, settings.name, kind="name", name="system"),
            Column(column, lambda row: row.name, kind="name", name=column),
            Column("words", lambda row: row.words, name="words"),
            Column("S/D", lambda row: (row.substitutions, row.deletions), name=("substitutions", "deletions")),
            in_files("insertions", lambda row: row.insertions),
            rate_column(
                "wrong", lambda row: row.rate, lambda row: row.interval, rates, level=confidence_title(_CONFIDENCE)
            ),
            Column("inserted", lambda row: row.insertions),
        ],
        rows=rows,
        notes=[
            "Wrong: substitutions and deletions over words of the reference; inserted words count by their own class.",
            "Intervals: Student's t with the jackknife error over clusters, over segments where there are none.",
        ],
    )


class _ClassRow(NamedTuple):
    """Errors of the words of one class by one system."""

    system: str
    name: str
    words: int
    substitutions: int
    deletions: int
    insertions: int
    interval: ConfidenceInterval | None

    @property
    def rate(self) -> float | None:
        """Share of its words that are wrong."""
        return (self.substitutions + self.deletions) / self.words if self.words else None


def _sum(counts: IntArray) -> tuple[int, int, int, int]:
    _, words, _, substitutions, deletions, insertions = counts.sum(axis=0).tolist()
    return words, substitutions, deletions, insertions


def _interval(counts: IntArray, scored: ScoredSystem) -> ConfidenceInterval | None:
    """Interval of the share of words that are wrong; None where there is no word."""
    if not counts[:, 1].any():
        return None
    return ratio_interval(counts[:, 3] + counts[:, 4], counts[:, 1], scored.clusters, _CONFIDENCE, highest=1.0)


BANDS: Final = View(lay_out_bands)
ENTITIES: Final = View(lay_out_entities)
