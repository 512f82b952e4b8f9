"""Protocol of metrics: additive counts per segment, and a rate of any sum of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from operator import ne
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from misread.alignment import AlignedAlternatives, AlternativesIn, PairedTexts
from misread.types import BoolArray, FloatArray, IntArray

TextForm = Literal["raw", "normalized", "normalized_lines"]


class Direction(Enum):
    """Which way a score gets better."""

    LOWER_IS_BETTER = "lower"
    HIGHER_IS_BETTER = "higher"


@dataclass(frozen=True, slots=True)
class WrittenAlternatives:
    """Texts in the notation of `misread.text.alternatives`, which sides have it, and how they align by unit costs."""

    references: Sequence[str]
    hypotheses: Sequence[str]
    sides: AlternativesIn
    with_unit_costs: AlignedAlternatives


@dataclass(frozen=True)
class ScoredText:
    """References and hypotheses ready to be counted: every segment has both.

    A missing hypothesis was dealt with before (see `misread.scoring.missing`).

    Attributes
    ----------
    references, hypotheses : sequence of str
        Texts of every segment; where they may read in several ways, the readings that fit best by words.
    alike : ScoredText, optional
        Another form of the same segments, many of which are the same text: these are not counted again.
    written : WrittenAlternatives, optional
        Both sides as they were given, where they may read in several ways; a metric that chooses for itself aligns
        those.
    """

    references: Sequence[str]
    hypotheses: Sequence[str]
    alike: ScoredText | None = None
    written: WrittenAlternatives | None = None
    _counted: dict[object, NDArray[Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, count: Callable[..., NDArray[Any]], *arguments: Hashable) -> NDArray[Any]:
        """What `count(texts, *arguments)` gives, one row per segment, however many metrics ask for it.

        The counts of a segment must depend on its own texts alone.
        """
        key = (count, *arguments)
        if key not in self._counted:
            self._counted[key] = self._count(count, arguments)
        return self._counted[key]

    def _count(self, count: Callable[..., NDArray[Any]], arguments: tuple[Hashable, ...]) -> NDArray[Any]:
        if self.alike is None:
            return count(self._texts, *arguments)
        counts = self.alike.once(count, *arguments)
        rows, texts = self._differing
        if len(rows):
            counts = counts.copy()
            counts[rows] = count(texts, *arguments)
        return counts

    @cached_property
    def _texts(self) -> PairedTexts:
        return PairedTexts(self.references, self.hypotheses)

    @cached_property
    def _differing(self) -> tuple[IntArray, PairedTexts]:
        """Rows whose texts are not those of `alike`, and these texts."""
        differs = np.zeros(len(self.references), np.bool_)
        if self.alike is not None:
            sides = (self.references, self.alike.references), (self.hypotheses, self.alike.hypotheses)
            for texts, others in sides:
                # Most often nothing differs, which one comparison of all shows.
                if texts != others:
                    differs |= np.fromiter(map(ne, texts, others), np.bool_, len(texts))
        rows = np.flatnonzero(differs)
        return rows, self.take(rows)

    def take(self, rows: IntArray) -> PairedTexts:
        """Texts of these rows."""
        numbers = rows.tolist()
        return PairedTexts([self.references[row] for row in numbers], [self.hypotheses[row] for row in numbers])


@runtime_checkable
class Metric(Protocol):
    """What a score is made of: integer counts per segment, and how sums of them become a number.

    Counts add over segments, clusters and partitions; rates do not.
    """

    @property
    def id(self) -> str:
        """Name in configurations, files and tables."""

    @property
    def text(self) -> TextForm:
        """Which form of the text it counts on: raw, normalized as a whole, or line by line."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its counts, in the order of their last axis."""

    @property
    def direction(self) -> Direction:
        """Which way it gets better."""

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns)."""

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., columns) -> (...); NaN where it is undefined."""

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether each segment is without fault, shape (segments, columns) -> (segments,)."""

    def signature(self, normalizer: str) -> str:
        """One line that says how its numbers came about."""


@runtime_checkable
class ChoosesReadings(Protocol):
    """A metric that may align texts with alternatives itself, by its own rule; others count the readings by words."""

    @property
    def chooses_readings(self) -> bool:
        """Whether it does."""


@runtime_checkable
class AligningMetric(Protocol):
    """A metric whose errors have places: tests that cut segments between them need to know where they are."""

    def operations(self, pairs: ScoredText) -> list[str]:
        """Alignment of every segment, one letter per operation, whose errors are those that it counts."""


@runtime_checkable
class ChecksReferences(Protocol):
    """A metric that asks more of a reference than to be text, such as to be JSON.

    Segments with a problem have counts of 0 only, so that they add nothing; other metrics count them all the same.
    """

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        """What is wrong with references, by their position."""


def positions_in_rate(metric: Metric) -> list[int]:
    """Places of the columns that the rate of a metric looks at: the others need not be resampled.

    Parameters
    ----------
    metric : Metric
        One that looks at some of its columns only may name them as `rate_columns`.

    Returns
    -------
    list of int
        All places, for a metric that names none.

    Examples
    --------
    >>> from misread.metrics import METRICS
    >>> positions_in_rate(METRICS["cer"]), len(positions_in_rate(METRICS["wip"]))
    ([0, 1], 6)
    """
    names: tuple[str, ...] = getattr(metric, "rate_columns", metric.columns)
    return [metric.columns.index(name) for name in names]


def is_share(metric: Metric) -> bool:
    """Whether scores of a metric are shares, which people read in per cent.

    Parameters
    ----------
    metric : Metric
        One of other numbers, such as costs, says so by `is_share = False`.

    Returns
    -------
    bool

    Examples
    --------
    >>> from misread.metrics import METRICS
    >>> is_share(METRICS["cer"]), is_share(METRICS["token_cost"])
    (True, False)
    """
    return bool(getattr(metric, "is_share", True))


def score_range(metric: Metric) -> tuple[float, float]:
    """Between which values scores of a metric lie.

    Parameters
    ----------
    metric : Metric
        One whose scores are shares that can exceed 1, such as a rate with insertions, says so by `highest = math.inf`.

    Returns
    -------
    (float, float)
        From 0 to 1 for other shares, without an upper bound for what is not a share.

    Examples
    --------
    >>> from misread.metrics import METRICS
    >>> score_range(METRICS["cer"]), score_range(METRICS["exact_line_f1"]), score_range(METRICS["token_cost"])
    ((0.0, inf), (0.0, 1.0), (0.0, inf))
    """
    return 0.0, getattr(metric, "highest", 1.0 if is_share(metric) else math.inf)


def divide(numerator: IntArray, denominator: IntArray, *, undefined: float) -> FloatArray:
    """Divide counts elementwise, with `undefined` where the denominator is zero."""
    result = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), undefined, dtype=np.float64)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)
