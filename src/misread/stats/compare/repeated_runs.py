"""Repeated runs of one system: variation between runs and between clusters, and the gain from more of either."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from misread.errors import UndefinedResultError
from misread.metrics import Metric
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom
from misread.stats.bootstrap.resampling import cluster_rows, derived_seed
from misread.stats.compare.settings import RunsRule
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.run_components import (
    MeanSquares,
    mean_squares,
    values_of_runs,
)
from misread.stats.design.run_design import Variances
from misread.text.nouns import plural
from misread.types import FloatArray, IntArray

MOST_PERMUTATIONS = 1999
"""Enough for p down to 0.0005, which suffices to decide whether runs share an effect."""


def counts_by_unit(shared: SharedSegments, system: str, metric: Metric) -> IntArray:
    """Counts of every run by resampling unit, shape (runs, units, columns)."""
    if system not in shared.runs:
        return shared.unit_counts(system, metric.id)[np.newaxis] // shared.scale
    counts = shared.runs[system].counts[metric.id]
    return np.stack([cluster_rows(counts_of_run, shared.cluster_codes) for counts_of_run in counts])


def squares_of(shared: SharedSegments, system: str, metric: Metric) -> MeanSquares | None:
    """Mean squares of the runs of a system; None for one run, or if a score is undefined without some unit."""
    if system not in shared.runs or shared.units < 2:
        return None
    values = values_of_runs(counts_by_unit(shared, system, metric), metric.rate)
    return mean_squares(values) if np.isfinite(values).all() else None


def with_runs(estimate: Estimate, squares: Sequence[MeanSquares]) -> Estimate:
    """The estimate with the variance between runs of each system added to that between clusters.

    The residual, which both include, is counted once (two-way clustering). If the result would be smaller than the
    estimate from clusters alone, that one is kept. Cameron, Gelbach & Miller (2011), Robust inference with multiway
    clustering; Satterthwaite (1946) for the degrees of freedom.
    """
    parts = [(system_squares, system_squares.cluster_count * system_squares.run_count) for system_squares in squares]
    added = sum((system_squares.runs - system_squares.residual) / cells for system_squares, cells in parts)
    if added <= 0:
        return estimate
    cluster_variance = estimate.error**2
    total = cluster_variance + added
    uncertain = cluster_variance**2 / estimate.freedom + sum(
        (system_squares.runs / cells) ** 2 / system_squares.freedom_of_runs
        + (system_squares.residual / cells) ** 2 / system_squares.freedom_of_residual
        for system_squares, cells in parts
    )
    return Estimate(
        estimate.value,
        math.sqrt(total),
        max(1.0, total**2 / uncertain),
        estimate.skewness * (cluster_variance / total) ** 1.5,
        "two-way",
    )


def difference_variances(
    shared: SharedSegments, metric: Metric, baseline: str, system: str, *, rule: RunsRule
) -> Variances:
    """Variances of the difference of two systems, for planning: between clusters, between runs, and residual.

    For a system that was read once, variation between runs cannot be separated from that between clusters and is
    counted there. The rule "averaged" assumes that runs share no effect.
    """
    if shared.units < 2:
        raise UndefinedResultError(
            f"a plan needs at least 2 {plural(shared.resampling_unit)} to see how they vary; got 1."
        )
    cluster_scores: list[FloatArray] = []
    run_variance = residual = noise = 0.0
    for name in (baseline, system):
        counts = counts_by_unit(shared, name, metric)
        values = values_of_runs(counts, metric.rate)
        if not np.isfinite(values).all():
            raise UndefinedResultError(
                f"{metric.id} of {name} is undefined without one {shared.resampling_unit}: too many references are "
                "empty."
            )
        cluster_scores.append(values.mean(axis=1))
        if len(counts) > 1:
            squares = mean_squares(values)
            run_variance += max(squares.runs - squares.residual, 0.0) / squares.cluster_count
            residual += squares.residual
            noise += squares.residual / squares.run_count
    between = float((cluster_scores[1] - cluster_scores[0]).var(ddof=1)) - noise
    columns = [metric.columns.index(name) for name in metric.size_columns]
    sizes = sum(shared.unit_counts(name, metric.id)[:, columns].sum(axis=1) for name in (baseline, system))
    return Variances(
        clusters=max(between, 0.0),
        runs=run_variance if rule == "crossed" else 0.0,
        residual=residual,
        evenness=min(1.0, degrees_of_freedom(sizes) / (shared.units - 1)),
    )


def draw_runs(runs: Mapping[str, int], resamples: int, seed: int) -> dict[str, IntArray]:
    """How often each run of each system is drawn, independently of other systems, shape (resamples, runs)."""
    drawn = {}
    for position, system in enumerate(sorted(runs)):
        rng = np.random.default_rng(derived_seed(seed, position + 1))
        number = runs[system]
        drawn[system] = rng.multinomial(number, np.full(number, 1 / number), size=resamples).astype(np.int64)
    return drawn
