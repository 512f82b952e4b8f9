"""Tables of errors by class of word: how often it occurs in training data, or which entity it is part of."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import ClassVar, Final, NamedTuple

import numpy as np

from misread.errors import ConfigurationError
from misread.features.word_classes.items import KeyTermMatch, KeyTermMetric, count_by_term
from misread.features.word_classes.metric import EntityErrorRate, FrequencyErrorRate, labels_of
from misread.metrics import Metric
from misread.metrics.base import ScoredText
from misread.stats import ConfidenceInterval, ratio_interval
from misread.tables import Column, ReportSettings, SystemView, ViewInput, in_files
from misread.tables.view import ABOUT_INTERVALS, CONFIDENCE, column_with_interval
from misread.tally import ScoredSystem
from misread.text.words import split_words
from misread.types import IntArray

_WITHOUT_END: Final = 1 << 62


class ClassRow(NamedTuple):
    """Errors of the words of one class by one system."""

    name: str
    words: int
    substitutions: int
    deletions: int
    insertions: int
    interval: ConfidenceInterval | None  # of the share of words that are wrong; None where there is no word

    @property
    def rate(self) -> float | None:
        """Share of its words that are wrong."""
        return (self.substitutions + self.deletions) / self.words if self.words else None


@dataclass(frozen=True)
class WordClasses(SystemView):
    """Errors of words by their class, with its name in a column."""

    column: ClassVar[str]

    @abstractmethod
    def count_classes(self, texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
        """Counts of every segment, as those of `ClassErrorRate`, by class."""

    def count(self, system: ScoredSystem) -> Sequence[ClassRow]:
        """Classes that occur."""
        counts_by_class = self.count_classes(system.normalized, system.metrics)
        rows = [_sum_class(name, counts, system.clusters) for name, counts in counts_by_class.items()]
        return [row for row in rows if row.words or row.insertions]

    def columns(self, settings: ReportSettings) -> Sequence[Column]:
        """Words, substitutions and deletions, the share that is wrong, and insertions."""
        return [
            Column(self.column, lambda row: row.name, kind="name", name=self.column),
            Column("words", lambda row: row.words, name="words"),
            Column("S/D", lambda row: (row.substitutions, row.deletions), name=("substitutions", "deletions")),
            in_files("insertions", lambda row: row.insertions),
            column_with_interval("wrong", lambda row: row.rate, settings.rates),
            Column("inserted", lambda row: row.insertions),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:  # noqa: ARG002 - all data sets have the same
        """Definition of wrong words, and source of intervals."""
        return [
            "Wrong: substitutions and deletions over words of the reference; inserted words count by their own class.",
            ABOUT_INTERVALS,
        ]


def _sum_class(name: str, counts: IntArray, clusters: Sequence[str] | None) -> ClassRow:
    _, words, _, substitutions, deletions, insertions = counts.sum(axis=0).tolist()
    wrong = counts[:, 3] + counts[:, 4]
    interval = ratio_interval(wrong, counts[:, 1], clusters, CONFIDENCE, highest=1.0) if words else None
    return ClassRow(name, words, substitutions, deletions, insertions, interval)


@dataclass(frozen=True)
class Bands(WordClasses):
    """Errors of words by how often they occur in training data.

    Parameters
    ----------
    edges : sequence of int
        The fewest occurrences of a word in each band but the first, ascending; by default bands are never, 1 to 9, 10
        to 99, and so on.
    """

    edges: Sequence[int] = (1, 10, 100, 1000, 10_000)

    column = "occurrences"

    def __post_init__(self) -> None:
        if not self.edges or list(self.edges) != sorted({*self.edges}) or self.edges[0] < 1:
            raise ConfigurationError(f"bands.edges is {list(self.edges)}, expected ascending numbers from 1 on.")

    def caption(self, dataset: str) -> str:
        """What words are sorted by."""
        return f"Errors of words on {dataset} by how often they occur in training data."

    def count_classes(self, texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
        """Counts of every segment by bands of occurrences: never, 1-9, 10-99 and so on."""
        metric = next((metric for metric in metrics if isinstance(metric, FrequencyErrorRate)), None)
        if metric is None:
            raise ConfigurationError(
                "the view bands takes its word counts from rare_word_error_rate; name it as a metric."
            )
        return {
            _name_band(first, end): replace(metric, at_least=first, below=end).count(texts)
            for first, end in pairwise((0, *self.edges, _WITHOUT_END))
        }


def _name_band(first: int, end: int) -> str:
    return f"{first:,} and more" if end == _WITHOUT_END else "never" if end == 1 else f"{first:,} to {end - 1:,}"


@dataclass(frozen=True)
class Entities(WordClasses):
    """Errors of words by the label of the entities that they are part of; a word may have several."""

    column = "entity"

    def caption(self, dataset: str) -> str:
        """What words are sorted by."""
        return f"Errors of words on {dataset} by the entities that they are part of."

    def count_classes(self, texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
        """Counts of every segment by label of entities, in their order."""
        metric = next(
            (metric for metric in metrics if isinstance(metric, EntityErrorRate)),
            EntityErrorRate(f"the view {self.id}"),
        )
        sizes = np.array([len(split_words(text)) for text in texts.references])
        labels = sorted({*chain.from_iterable(labels_of(sizes, texts, metric.id))})
        return {label: replace(metric, label=label).count(texts) for label in labels}


class TermRow(NamedTuple):
    """Occurrences of one term by one system."""

    name: str
    read: int
    missed: int
    made_up: int


@dataclass(frozen=True)
class KeyTerms(SystemView):
    """Terms of a list that were read, missed and made up, those with the most errors first."""

    def caption(self, dataset: str) -> str:
        """What is counted."""
        return f"Key terms on {dataset}: read where the references have them, missed, and made up."

    def count(self, system: ScoredSystem) -> Sequence[TermRow]:
        """Terms that a text has."""
        metric = next((metric for metric in system.metrics if isinstance(metric, KeyTermMetric)), None)
        if metric is None:
            raise ConfigurationError(
                f"the view {self.id} takes its terms from key_term_f1(terms=FILE); name it as a metric."
            )
        terms, alignment = metric.term_list, metric.alignment if isinstance(metric, KeyTermMatch) else "unit"
        counts = count_by_term(system.normalized, terms, alignment)
        rows = [TermRow(name, *row) for name, row in zip(terms.names, counts.tolist(), strict=True) if any(row)]
        return sorted(rows, key=lambda row: -(row.missed + row.made_up))

    def columns(self, settings: ReportSettings) -> Sequence[Column]:  # noqa: ARG002 - there are no rates
        """The term and its occurrences."""
        return [
            Column("term", lambda row: row.name, kind="name", name="term"),
            Column("read", lambda row: row.read, name="read"),
            Column("missed", lambda row: row.missed, name="missed"),
            Column("made up", lambda row: row.made_up, name="made_up"),
        ]
