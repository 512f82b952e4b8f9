"""Results of statistical methods: frozen, checked once, ready for JSON."""

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from misread.errors import UndefinedResultError
from misread.text.nouns import count_of


@dataclass(frozen=True, kw_only=True)
class ConfidenceInterval:
    """An interval that covers the true value in a stated share of repeated samples.

    Parameters
    ----------
    low, high : float
        Ends of the interval, in the unit of the value it belongs to (rates are fractions).
    confidence : float
        Nominal coverage, between 0 and 1.
    method : str
        Method that gave the ends, such as "percentile".

    Raises
    ------
    UndefinedResultError
        If an end is not finite, the ends are in the wrong order, or the confidence is not inside (0, 1).

    Examples
    --------
    >>> ConfidenceInterval(low=0.02, high=0.05, confidence=0.95, method="percentile").is_degenerate
    False
    """

    low: float
    high: float
    confidence: float
    method: str

    def __post_init__(self) -> None:
        _check_finite(f"{self.method} interval", {"low": self.low, "high": self.high})
        if self.low > self.high:
            raise UndefinedResultError(f"{self.method} interval: low {self.low} lies above high {self.high}.")
        if not 0 < self.confidence < 1:
            raise UndefinedResultError(f"{self.method} interval: confidence {self.confidence} is not inside (0, 1).")

    @property
    def is_degenerate(self) -> bool:
        """Whether the interval has no width because the sample shows no variation, which is not certainty."""
        return self.low == self.high

    def negated(self) -> Self:
        """Interval of the negative value."""
        return replace(self, low=-self.high, high=-self.low)


@dataclass(frozen=True, kw_only=True)
class TestResult:
    """Result of one statistical test for one pair of systems.

    Parameters
    ----------
    name : str
        Name of the test, such as "wilcoxon_signed_rank".
    statistic : float
        Test statistic of the sample.
    pvalue : float
        Two-sided p-value in (0, 1]; never 0.
    effect_size : float
        Size of the difference, as opposed to its significance.
    effect_size_name : str
        Name of the effect size.
    n : int
        Observations that entered the statistic.
    dropped : int
        Observations that did not enter; n + dropped is the number that the caller passed.
    method : str
        Variant that was used, such as "exact" or "asymptotic".
    unit : str
        Kind of one observation, such as "segment" or "page".
    notes : tuple of str, optional
        Sentences that help a reader to trust or doubt the number.
    interval : ConfidenceInterval, optional
        Interval of the statistic, if the test has one.
    extra : mapping of str to float, optional
        Further numbers by name.
    pvalue_adjusted : float, optional
        The p-value adjusted over the family of comparisons that the test belongs to.

    Raises
    ------
    UndefinedResultError
        If a number is not finite or the p-value is not in (0, 1].

    Examples
    --------
    >>> from misread.stats import sign_test
    >>> result = sign_test([0.1, 0.2, 0.1])
    >>> result.pvalue, result.n, result.method
    (0.25, 3, 'exact')
    """

    name: str
    statistic: float
    pvalue: float
    effect_size: float
    effect_size_name: str
    n: int
    dropped: int
    method: str
    unit: str
    notes: tuple[str, ...] = ()
    interval: ConfidenceInterval | None = None
    extra: Mapping[str, int | float] = field(default_factory=dict, hash=False)
    pvalue_adjusted: float | None = None

    def __post_init__(self) -> None:
        numbers = {"statistic": self.statistic, "pvalue": self.pvalue, "effect size": self.effect_size}
        _check_finite(self.name, numbers | dict(self.extra))
        if not 0 < self.pvalue <= 1:
            raise UndefinedResultError(f"{self.name}: pvalue {self.pvalue} is not in (0, 1].")


def _check_finite(name: str, numbers: Mapping[str, float]) -> None:
    for what, value in numbers.items():
        if not math.isfinite(value):
            raise UndefinedResultError(f"{name}: {what} is {value}, and a result holds finite numbers only.")


SMALLEST_PVALUE = sys.float_info.min
"""Lower limit of reported p-values, which are never 0."""


def positive_pvalue(pvalue: float) -> float:
    """The p-value, or the smallest normal float if the arithmetic underflowed; at most 1.

    No finite sample makes a difference impossible, so a p-value of 0 is always a rounding error.
    """
    return min(1.0, max(float(pvalue), SMALLEST_PVALUE))


TOLERANCE: Final = 1e-12
"""Two ways of computing the same rate, or difference of rates, agree far below this."""

DECIMALS: Final = 9
"""Decimals to which rates of segments are rounded before ranking: 2/10 - 1/10 and 1/10 - 0 would not tie otherwise."""


def count_clusters(number: int, name: str) -> str:
    """Number of clusters and what they are, "12 clusters (page)"; no word that says nothing, as in "(cluster)"."""
    counted = count_of(number, "cluster")
    return counted if name == "cluster" else f"{counted} ({name})"


def in_points(fraction: float) -> str:
    """Percentage points to three digits, such as "0.21 points"."""
    points = 100 * fraction
    decimals = 2 if points == 0 else max(2, 2 - math.floor(math.log10(abs(points))))
    return f"{points:.{min(decimals, 9)}f} points"
