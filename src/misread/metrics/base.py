"""The idea everything rests on: a metric is additive counts per segment, and a rate of any sum of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, Protocol, TypeVar, cast, runtime_checkable

import numpy as np

from misread.arrays import BoolArray, FloatArray, IntArray

Counted = TypeVar("Counted")
TextForm = Literal["raw", "normalized", "normalized_lines"]


class Direction(Enum):
    """Which way a score gets better."""

    LOWER_IS_BETTER = "lower"
    HIGHER_IS_BETTER = "higher"


@dataclass(frozen=True, slots=True)
class ScoredText:
    """References and hypotheses ready to be counted: every segment has both.

    A missing hypothesis was dealt with before (see `misread.metrics.missing`).
    """

    references: Sequence[str]
    hypotheses: Sequence[str]
    _counted: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, count: Callable[..., Counted], *arguments: Hashable) -> Counted:
        """What `count(references, hypotheses, *arguments)` gives, counted once however many metrics are made of it."""
        key = (count, *arguments)
        if key not in self._counted:
            self._counted[key] = count(self.references, self.hypotheses, *arguments)
        return cast(Counted, self._counted[key])


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
class AligningMetric(Protocol):
    """A metric whose errors have places: tests that cut segments between them need to know where they are."""

    def operations(self, pairs: ScoredText) -> list[str]:
        """Alignment of every segment, one letter an operation, whose errors are those that it counts."""


@runtime_checkable
class ChecksReferences(Protocol):
    """A metric that asks more of a reference than to be text, such as to be JSON.

    Segments with a problem have counts of 0 only, so that they add nothing; other metrics count them all the same.
    """

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        """What is wrong with references, by their position."""


def divide(numerator: IntArray, denominator: IntArray, *, undefined: float) -> FloatArray:
    """Divide counts elementwise.

    Parameters
    ----------
    numerator, denominator : int64 array, shape (...)
        Counts.
    undefined : float
        Result where the denominator is zero.

    Returns
    -------
    float64 array, shape (...)

    Examples
    --------
    >>> divide(np.array([1, 2]), np.array([4, 0]), undefined=0.0)
    array([0.25, 0.  ])
    """
    result = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), undefined, dtype=np.float64)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)
