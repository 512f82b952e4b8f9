"""Designs of comparisons: numbers of clusters and runs that show a difference."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import scipy

from misread.errors import ConfigurationError
from misread.io.json_files import LARGEST
from misread.stats.design.power import MOST_UNITS, POWER, detectable_by_error, first_enough, is_detected


@dataclass(frozen=True, kw_only=True)
class Variances:
    """Variances of a difference of two systems: between clusters, between runs, and residual."""

    clusters: float
    runs: float
    residual: float
    evenness: float = 1.0  # degrees of freedom that clusters leave, over those of as many of one size

    def __post_init__(self) -> None:
        for name in ("clusters", "runs", "residual"):
            value = getattr(self, name)
            if not 0 <= value <= LARGEST**2:
                raise ConfigurationError(
                    f"the variance of {name} is {value}, expected 0 or more, up to {LARGEST**2:g}."
                )
        if self.clusters + self.runs + self.residual == 0:
            raise ConfigurationError("nothing varies: any design would show any difference.")
        if not 0 < self.evenness <= 1:
            raise ConfigurationError(f"the evenness is {self.evenness}, expected a share above 0 and up to 1.")

    def error(self, clusters: int, runs: int) -> float:
        """Standard error of the difference of two systems that each read the clusters in this number of runs."""
        by_cluster, by_run = self._parts(clusters, runs)
        return math.sqrt(by_cluster + by_run)

    def freedom(self, clusters: int, runs: int) -> float:
        """Degrees of freedom of that error, by Satterthwaite (1946)."""
        by_cluster, by_run = self._parts(clusters, runs)
        freedom = max(1.0, self.evenness * (clusters - 1))
        if by_run == 0:
            return freedom
        return (by_cluster + by_run) ** 2 / (by_cluster**2 / freedom + by_run**2 / (2 * (runs - 1)))

    def freedom_of_test(self, clusters: int, runs: int) -> float:
        """As `freedom`, for the test that decides; without an effect of runs this is randomisation, of any sizes."""
        return clusters - 1 if self.runs == 0 else self.freedom(clusters, runs)

    def _parts(self, clusters: int, runs: int) -> tuple[float, float]:
        return (self.clusters + self.residual / runs) / clusters, self.runs / runs


@dataclass(frozen=True, kw_only=True)
class Design:
    """Numbers of clusters and runs for each of two systems, with what they show."""

    clusters: int
    runs: int
    detectable: float  # smallest true difference found with the requested power
    width: float  # of the interval of the difference, with a confidence of 1 - alpha


def plan_designs(
    variances: Variances,
    difference: float,
    *,
    runs: Sequence[int],
    alpha: float,
    power: float = POWER,
) -> list[Design]:
    """For each number of runs, the fewest clusters that find a true difference with the given probability.

    Numbers of runs for which no number of clusters would do are left out, as is a single run if runs share an effect,
    which it cannot separate from the difference.

    Miller (2024), Adding error bars to evals, section 3.2 (resampling answers); Cochran (1977), Sampling Techniques,
    section 10.6 (optimum numbers of units and subunits).
    """
    if not 0 < abs(difference) <= LARGEST:
        raise ConfigurationError(f"the difference is {difference}, expected a number other than 0, up to {LARGEST:g}.")

    def is_enough(clusters: int, number: int) -> bool:
        error, freedom = variances.error(clusters, number), variances.freedom_of_test(clusters, number)
        return is_detected(difference, error, freedom, alpha=alpha, power=power)

    return _fewest(variances, is_enough, runs=runs, alpha=alpha, power=power)


def plan_widths(
    variances: Variances,
    width: float,
    *,
    runs: Sequence[int],
    alpha: float,
    power: float = POWER,
) -> list[Design]:
    """For each number of runs, the fewest clusters whose interval of the difference is so narrow, as `plan_designs`."""
    if not 0 < width <= LARGEST:
        raise ConfigurationError(f"the wanted width is {width}, expected a number above 0, up to {LARGEST:g}.")

    def is_enough(clusters: int, number: int) -> bool:
        return _width(variances, clusters, number, alpha) <= width

    return _fewest(variances, is_enough, runs=runs, alpha=alpha, power=power)


def _fewest(
    variances: Variances,
    is_enough: Callable[[int, int], bool],
    *,
    runs: Sequence[int],
    alpha: float,
    power: float,
) -> list[Design]:
    """For each number of runs, the design with the fewest clusters that are enough."""
    if not 0 < alpha < power < 1:
        raise ConfigurationError(f"alpha is {alpha} and power {power}, expected 0 < alpha < power < 1.")
    designs = []
    for number in runs:
        if number < 1:
            raise ConfigurationError(f"the number of runs is {number}, expected 1 or more.")
        if variances.runs > 0 and number < 2:
            continue
        clusters = first_enough(lambda units, number=number: is_enough(units, number))  # type: ignore[misc]
        if clusters is not None and clusters <= MOST_UNITS:
            error, freedom = variances.error(clusters, number), variances.freedom_of_test(clusters, number)
            designs.append(
                Design(
                    clusters=clusters,
                    runs=number,
                    detectable=detectable_by_error(error, freedom, alpha=alpha, power=power),
                    width=_width(variances, clusters, number, alpha),
                )
            )
    return designs


def _width(variances: Variances, clusters: int, runs: int, alpha: float) -> float:
    """Width of the interval by Student's t."""
    quantile = -float(scipy.special.stdtrit(variances.freedom(clusters, runs), alpha / 2))
    return 2 * quantile * variances.error(clusters, runs)
