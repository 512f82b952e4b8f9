"""The bootstrap of the settings: by segment or cluster, of two kinds, within strata, or by Poisson weights."""

import math

import numpy as np

from misread.checks.choices import check_choice
from misread.stats.bootstrap.resampling import (
    FEWEST_POISSON_UNITS,
    bootstrap_sums,
    poisson_bootstrap_sums,
    two_way_bootstrap_sums,
)
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.types import IntArray

MOST_SINGLE_UNITS = 20_000
"""With more units, random groups of them are drawn instead: nothing finer is needed then."""

GROUPS = 10_000
"""Number of groups: their variance has a relative error of 1.4 %, like that of 10,000 bootstrap samples."""


def draw_sums(counts: IntArray, shared: SharedSegments, settings: StatisticsSettings) -> IntArray:
    """Summed counts of bootstrap samples, (units, columns) -> (resamples, columns).

    Counts are those of units where single ones are drawn, else of segments.

    Raises UnknownNameError if the data set has no group column of the name in the settings. Random groups: Wolter
    (2007), Introduction to Variance Estimation, chapter 2.
    """
    resamples, seed = settings.resamples, settings.seed
    if settings.second_cluster is not None:
        second = _codes(shared, settings.second_cluster, "second_cluster")
        return two_way_bootstrap_sums(counts, shared.unit_codes, second, resamples=resamples, seed=seed)
    if settings.strata is not None:
        strata = _codes(shared, settings.strata, "strata")
        return bootstrap_sums(counts, clusters=shared.cluster_codes, strata=strata, resamples=resamples, seed=seed)
    if settings.bootstrap == "poisson":
        return poisson_bootstrap_sums(counts, shared.unit_names, resamples=resamples, seed=seed)
    groups = _group_at_random(shared, seed) if random_groups(shared, settings) else None
    return bootstrap_sums(counts, clusters=groups, resamples=resamples, seed=seed)


def random_groups(shared: SharedSegments, settings: StatisticsSettings) -> int | None:
    """Number of random groups of units that are drawn; None where units themselves are."""
    alone = settings.bootstrap == "multinomial" and not (settings.second_cluster or settings.strata)
    return GROUPS if alone and shared.units > MOST_SINGLE_UNITS else None


def reason_not_to_draw(shared: SharedSegments, settings: StatisticsSettings) -> str:
    """A sentence that says why there are too few units for a bootstrap; empty where there are enough."""
    units = [(shared.resampling_unit, shared.units)]
    if settings.second_cluster is not None:
        units.append(
            (settings.second_cluster, len(np.unique(_codes(shared, settings.second_cluster, "second_cluster"))))
        )
    for unit, number in units:
        if number < 2:
            return f"There is only 1 {unit}: the variation between {unit}s cannot be estimated."
    if settings.bootstrap == "poisson" and shared.units < FEWEST_POISSON_UNITS:
        there = f"{shared.units} ({shared.resampling_unit})"
        return f"The Poisson bootstrap needs {FEWEST_POISSON_UNITS} units; there are {there}."
    return ""


def freedom_left(shared: SharedSegments, settings: StatisticsSettings) -> float:
    """Most degrees of freedom of an error where no single units are drawn; infinite where they are.

    With strata the units less the strata, with clusters of a second kind the number of these less 1.
    """
    if settings.strata is not None:
        return float(shared.units - len(np.unique(_codes(shared, settings.strata, "strata"))))
    if settings.second_cluster is not None:
        return float(len(np.unique(_codes(shared, settings.second_cluster, "second_cluster"))) - 1)
    return math.inf


def _codes(shared: SharedSegments, column: str, setting: str) -> IntArray:
    check_choice("group column", column, shared.keys.groups, where=f"statistics.{setting}")
    return shared.codes(column)


def _group_at_random(shared: SharedSegments, seed: int) -> IntArray:
    """Code of the group of each unit: units in random order, dealt out evenly."""
    return np.random.default_rng(seed).permutation(shared.units) % GROUPS
