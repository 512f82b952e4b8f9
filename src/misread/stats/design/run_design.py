"""Designs of comparisons: numbers of clusters and runs that show a difference, and the cheapest of them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from misread.errors import ConfigurationError
from misread.io.checks.numbers import LARGEST
from misread.stats.design.power import MOST_UNITS, POWER, detectable_by_error, first_enough, is_detected


@dataclass(frozen=True, kw_only=True)
class Variances:
    """Variances of a difference of two systems: between clusters, between runs, and residual."""

    clusters: float
    runs: float
    residual: float

    def __post_init__(self) -> None:
        for name in ("clusters", "runs", "residual"):
            value = getattr(self, name)
            if not 0 <= value <= LARGEST**2:
                raise ConfigurationError(
                    f"the variance of {name} is {value}, expected 0 or more, up to {LARGEST**2:g}."
                )
        if self.clusters + self.runs + self.residual == 0:
            raise ConfigurationError("nothing varies: any design would show any difference.")

    def error(self, clusters: int, runs: int) -> float:
        """Standard error of the difference of two systems that each read the clusters in this number of runs."""
        by_cluster, by_run = self._parts(clusters, runs)
        return math.sqrt(by_cluster + by_run)

    def freedom(self, clusters: int, runs: int) -> float:
        """Degrees of freedom of that error, by Satterthwaite (1946)."""
        by_cluster, by_run = self._parts(clusters, runs)
        if by_run == 0:
            return clusters - 1
        return (by_cluster + by_run) ** 2 / (by_cluster**2 / (clusters - 1) + by_run**2 / (2 * (runs - 1)))

    def _parts(self, clusters: int, runs: int) -> tuple[float, float]:
        return (self.clusters + self.residual / runs) / clusters, self.runs / runs


@dataclass(frozen=True, kw_only=True)
class Prices:
    """Prices of preparing (transcribing) one cluster, and of having both systems read it once."""

    cluster: float = 1.0
    reading: float = 0.0

    def __post_init__(self) -> None:
        for name in ("cluster", "reading"):
            if not 0 <= getattr(self, name) <= LARGEST:
                raise ConfigurationError(
                    f"the price of a {name} is {getattr(self, name)}, expected 0 or more, up to {LARGEST:g}."
                )

    def total(self, clusters: int, runs: int) -> float:
        """Price of a design with these numbers of clusters and runs."""
        return clusters * (self.cluster + runs * self.reading)


@dataclass(frozen=True, kw_only=True)
class Design:
    """Numbers of clusters and runs for each of two systems, with price and detectable difference."""

    clusters: int
    runs: int
    price: float
    detectable: float  # smallest true difference found with the requested power


def plan_designs(
    variances: Variances,
    difference: float,
    *,
    prices: Prices,
    runs: Sequence[int],
    alpha: float,
    power: float = POWER,
) -> list[Design]:
    """For each number of runs, the fewest clusters that find a true difference with the given probability.

    Numbers of runs for which no number of clusters would do are left out, as is a single run if runs share an effect,
    which it cannot separate from the difference. `min` by price gives the cheapest.

    Miller (2024), Adding error bars to evals, section 3.2 (resampling answers); Cochran (1977), Sampling Techniques,
    section 10.6 (optimum numbers of units and subunits).
    """
    if not 0 < abs(difference) <= LARGEST:
        raise ConfigurationError(f"the difference is {difference}, expected a number other than 0, up to {LARGEST:g}.")
    if not 0 < alpha < power < 1:
        raise ConfigurationError(f"alpha is {alpha} and power {power}, expected 0 < alpha < power < 1.")
    designs = []
    for number in runs:
        if number < 1:
            raise ConfigurationError(f"the number of runs is {number}, expected 1 or more.")
        if variances.runs > 0 and number < 2:
            continue
        clusters = first_enough(
            lambda units, number=number: is_detected(  # type: ignore[misc]
                difference, variances.error(units, number), variances.freedom(units, number), alpha=alpha, power=power
            )
        )
        if clusters is not None and clusters <= MOST_UNITS:
            designs.append(describe_design(variances, clusters, number, prices=prices, alpha=alpha, power=power))
    return designs


def describe_design(
    variances: Variances, clusters: int, runs: int, *, prices: Prices, alpha: float, power: float = POWER
) -> Design:
    """The design with its price and the smallest difference that it shows."""
    error, freedom = variances.error(clusters, runs), variances.freedom(clusters, runs)
    return Design(
        clusters=clusters,
        runs=runs,
        price=prices.total(clusters, runs),
        detectable=detectable_by_error(error, freedom, alpha=alpha, power=power),
    )
