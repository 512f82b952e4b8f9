"""Error rates of some of the words: rare ones, those of a list, those of entities."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, Literal

import numpy as np

from misread.alignment import AlignmentPolicy, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION, SUBSTITUTION
from misread.checks.numbers import check_whole
from misread.errors import ConfigurationError, InputValueError
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.text.word_counts import WordCounts, read_word_counts
from misread.text.words import split_words
from misread.types import BoolArray, IntArray

BIASING: Final = "biasing"
ENTITIES: Final = "entities"

Words = Sequence[Sequence[str]]


@dataclass(frozen=True)
class ClassErrorRate(Metric):
    """Errors of the words of one class over the words of that class in the reference.

    A substitution or deletion belongs to the class of the word of the reference, an insertion to that of the inserted
    word.
    """

    alignment: AlignmentPolicy = "unit"

    columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions")
    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")

    @abstractmethod
    def belong(self, words: Words, pairs: ScoredText, *, in_reference: bool) -> BoolArray:
        """Whether each word of all segments, one after the other, belongs to the class."""

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        references, hypotheses = ([split_words(text) for text in side] for side in (pairs.references, pairs.hypotheses))
        if self.alignment == "transpositions":
            raise ConfigurationError(f"{self.id}: alignment 'transpositions' has errors of two words; choose another.")
        found = paired_operations(pairs.paired, unit="word", alignment=self.alignment)
        kinds = found.codes
        rows = np.repeat(np.arange(len(found)), np.diff(found.offsets))
        is_insertion = kinds == INSERTION
        # Of each operation, the word of the reference or the one that was inserted.
        belongs = np.empty(len(kinds), np.bool_)
        belongs[~is_insertion] = self.belong(references, pairs, in_reference=True)
        if is_insertion.any():
            belongs[is_insertion] = self.belong(hypotheses, pairs, in_reference=False)[is_insertion[kinds != DELETION]]
        cells = rows[belongs] * 4 + kinds[belongs]
        by_kind = np.bincount(cells, minlength=4 * len(found)).reshape(len(found), 4)
        hits, substitutions, deletions, insertions = (
            by_kind[:, kind] for kind in (HIT, SUBSTITUTION, DELETION, INSERTION)
        )
        errors, length = substitutions + deletions + insertions, hits + substitutions + deletions
        return np.stack([errors, length, hits, substitutions, deletions, insertions], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, which words."""
        return {"unit": "word", "norm": norm, "align": self.alignment, "words": self._words, "empty": "null"}

    @property
    @abstractmethod
    def _words(self) -> str:
        """The class in one word of a signature."""


@dataclass(frozen=True)
class BiasingErrorRate(ClassErrorRate):
    """Error rate of the words inside or outside of the biasing list of their segment: B-WER and U-WER.

    The annotation "biasing" of the references has a list of words for each segment.

    Parameters
    ----------
    part : {"inside", "outside"}
        Which words.
    alignment : {"unit", "sclite"}
        By which costs words are aligned; published figures have those of sclite.

    References
    ----------
    Le et al. (2021), Contextualized streaming end-to-end speech recognition with trie-based deep biasing and shallow
    fusion, Interspeech.
    """

    part: Literal["inside", "outside"] = "inside"

    def belong(self, words: Words, pairs: ScoredText, *, in_reference: bool) -> BoolArray:  # noqa: ARG002
        listed = pairs.annotation(BIASING, self.id)
        inside = [
            word in biasing
            for row, (of, value) in enumerate(zip(words, listed, strict=True))
            for biasing in [_read_words(value, pairs.name(row))]
            for word in of
        ]
        found = np.array(inside, np.bool_)
        return found if self.part == "inside" else ~found

    @property
    def _words(self) -> str:
        return f"{self.part}-biasing"


@dataclass(frozen=True)
class FrequencyErrorRate(ClassErrorRate):
    """Error rate of the words that occur so often in training data; those that a file of counts lacks never do.

    Parameters
    ----------
    counts : str
        File with lines of a word, a tab and its occurrences.
    at_least, below : int
        Occurrences from and up to which words belong to the class.
    """

    counts: str | os.PathLike[str] | None = None
    at_least: int = 0
    below: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= check_whole("at_least", self.at_least) < check_whole("below", self.below):
            raise ConfigurationError(
                f"{self.id}: at_least is {self.at_least} and below {self.below}; no count lies between."
            )

    def belong(self, words: Words, pairs: ScoredText, *, in_reference: bool) -> BoolArray:  # noqa: ARG002
        counts = self.word_counts.counts
        found = np.array([counts.get(word, 0) for word in chain.from_iterable(words)], np.int64)
        belongs: BoolArray = (found >= self.at_least) & (found < self.below)
        return belongs

    @property
    def word_counts(self) -> WordCounts:
        """The counts; raises ConfigurationError where no file is named."""
        if self.counts is None:
            raise ConfigurationError(
                f"{self.id} needs a file of word counts; give it with --word-counts FILE, or as setting counts."
            )
        return read_word_counts(self.counts)

    @property
    def _words(self) -> str:
        digest = f"@{self.word_counts.digest}" if self.counts is not None else ""
        return f"seen-{self.at_least}-to-{self.below - 1}{digest}"


@dataclass(frozen=True)
class EntityErrorRate(ClassErrorRate):
    """Error rate of the words of the reference that are part of an entity; inserted words are part of none.

    The annotation "entities" of the references has a list of labels for each word; files of tokens (.nlp) bring it
    along.

    Parameters
    ----------
    label : str, optional
        Label of the entities, such as "PERSON"; all by default.
    """

    label: str = ""

    def belong(self, words: Words, pairs: ScoredText, *, in_reference: bool) -> BoolArray:
        if not in_reference:
            return np.zeros(sum(map(len, words)), np.bool_)
        labels = labels_of(words, pairs, self.id)
        return np.array([bool(of) and (not self.label or self.label in of) for of in labels], np.bool_)

    @property
    def _words(self) -> str:
        return f"entities-{self.label}" if self.label else "entities"


def labels_of(words: Words, pairs: ScoredText, metric: str) -> list[Sequence[str]]:
    """Labels of all words of the references, one after the other; raises InputValueError where they do not fit."""
    found: list[Sequence[str]] = []
    for row, (of, value) in enumerate(zip(words, pairs.annotation(ENTITIES, metric), strict=True)):
        if not of:
            continue
        if not isinstance(value, list) or len(value) != len(of) or not all(map(_are_labels, value)):
            number = f"{len(value):,} lists of labels" if isinstance(value, list) else "no lists of labels"
            raise InputValueError(
                f"{pairs.name(row)} has {number} for the {len(of):,} words of its normalized reference; give one for "
                "each word, and use a normalizer that neither joins nor drops words."
            )
        found += value
    return found


def with_word_counts(metrics: Sequence[Metric], path: str | os.PathLike[str] | None) -> list[Metric]:
    """Give metrics of frequencies the counts of a file; ConfigurationError where none of them asks for some."""
    if path is None:
        return list(metrics)
    if not any(isinstance(metric, FrequencyErrorRate) for metric in metrics):
        raise ConfigurationError("none of the chosen metrics uses word counts; rare_word_error_rate does.")
    return [replace(metric, counts=path) if isinstance(metric, FrequencyErrorRate) else metric for metric in metrics]


def _read_words(value: Any, name: str) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        shown = "no biasing list" if value is None else f"{value!r} as its biasing list"
        raise InputValueError(f"{name} has {shown}, expected a list of words, which may be empty.")
    return frozenset(value)


def _are_labels(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(label, str) for label in value)
