"""Repeated runs of one system: variation between runs and between clusters, and the gain from more of either."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from misread.errors import UndefinedResultError
from misread.metrics import Metric
from misread.stats.bootstrap.jackknife import Estimate, jackknife_deviation
from misread.stats.bootstrap.resampling import cluster_rows, derived_seed
from misread.stats.compare.schema import RunsResult, RunVariance
from misread.stats.compare.settings import RunsRule, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.run_components import (
    MOST_RUNS,
    NEGLIGIBLE_SHARE,
    MeanSquares,
    VarianceComponents,
    mean_squares,
    values_of_runs,
    variance_components,
)
from misread.stats.design.run_design import Variances
from misread.stats.results import in_points
from misread.stats.significance.run_effect import run_effect_test
from misread.types import FloatArray, IntArray

MOST_PERMUTATIONS = 1999
"""Enough for p down to 0.0005, which suffices to decide whether runs share an effect."""


def describe_runs(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, dict[str, RunsResult]]:
    """Results on the runs of every system that has several, by metric and system."""
    return {
        metric.id: {
            system: _describe(shared, metric, system, settings)
            for system in shared.runs
            if not np.isnan(float(metric.rate(shared.counts[system][metric.id].total)))
        }
        for metric in metrics
        if shared.runs
    }


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
        raise UndefinedResultError(f"a plan needs at least 2 {shared.resampling_unit}s to see how they vary; got 1.")
    of_clusters: list[FloatArray] = []
    of_runs = residual = noise = 0.0
    for name in (baseline, system):
        counts = counts_by_unit(shared, name, metric)
        values = values_of_runs(counts, metric.rate)
        if not np.isfinite(values).all():
            raise UndefinedResultError(
                f"{metric.id} of {name} is undefined without one {shared.resampling_unit}: too many references are "
                "empty."
            )
        of_clusters.append(values.mean(axis=1))
        if len(counts) > 1:
            squares = mean_squares(values)
            of_runs += max(squares.runs - squares.residual, 0.0) / squares.cluster_count
            residual += squares.residual
            noise += squares.residual / squares.run_count
    between = float((of_clusters[1] - of_clusters[0]).var(ddof=1)) - noise
    return Variances(clusters=max(between, 0.0), runs=of_runs if rule == "crossed" else 0.0, residual=residual)


def draw_runs(runs: Mapping[str, int], resamples: int, seed: int) -> dict[str, IntArray]:
    """How often each run of each system is drawn, independently of other systems, shape (resamples, runs)."""
    drawn = {}
    for position, system in enumerate(sorted(runs)):
        rng = np.random.default_rng(derived_seed(seed, position + 1))
        number = runs[system]
        drawn[system] = rng.multinomial(number, np.full(number, 1 / number), size=resamples).astype(np.int64)
    return drawn


def _describe(shared: SharedSegments, metric: Metric, system: str, settings: StatisticsSettings) -> RunsResult:
    run_counts = shared.runs[system]
    counts = counts_by_unit(shared, system, metric)
    rates: FloatArray = metric.rate(counts.sum(axis=1))
    variance = _variance(shared, metric, counts, settings)
    exact = np.stack([metric.is_exact(counts_of_run) for counts_of_run in run_counts.counts[metric.id]])
    number = len(run_counts.runs)
    right = exact.sum(axis=0)
    return RunsResult(
        runs=tuple(run_counts.runs),
        rates=tuple(None if math.isnan(rate) else rate for rate in rates.tolist()),
        deviation=None if np.isnan(rates).any() else float(rates.std(ddof=1)),
        same_text=int(run_counts.same_text.sum()),
        flip_rate=float(np.mean(2 * right * (number - right) / (number * (number - 1)))),
        variance=variance,
        advice=advise(variance.components if variance else None, number, shared.resampling_unit),
    )


def _variance(
    shared: SharedSegments, metric: Metric, counts: IntArray, settings: StatisticsSettings
) -> RunVariance | None:
    runs, units = counts.shape[:2]
    totals = counts.sum(axis=1)
    if units < 2 or not np.isfinite(without := metric.rate(totals[:, np.newaxis] - counts)).all():
        return None
    components = variance_components(values_of_runs(counts, metric.rate), confidence=settings.confidence)
    summed = counts.sum(axis=0)
    error = (jackknife_deviation(metric.rate(summed.sum(axis=0) - summed)) or 0.0) / math.sqrt(units)
    both = with_runs(Estimate(0.0, error, units - 1), [mean_squares(values_of_runs(counts, metric.rate))])
    return RunVariance(
        errors=tuple((jackknife_deviation(leave_one_out) or 0.0) / math.sqrt(units) for leave_one_out in without),
        error=error,
        two_way_error=both.error,
        components=components,
        share=components.share_of_runs(runs),
        share_of_one=components.share_of_runs(1),
        runs_until_negligible=components.runs_until(NEGLIGIBLE_SHARE),
        effect=run_effect_test(
            counts,
            metric.rate,
            resamples=min(settings.resamples, MOST_PERMUTATIONS),
            seed=settings.seed,
            unit=shared.resampling_unit,
        ),
    )


def advise(components: VarianceComponents | None, runs: int, unit: str) -> str:
    """Advice, with numbers, whether more clusters or more runs would help.

    The share of the variance that more runs would remove decides: below a tenth, runs are not worth it; above half,
    they come first, since reading again needs no transcription.
    """
    if components is None:
        return f"With one {unit}, or references that are all empty, nothing can be said of more {unit}s or more runs."
    now = components.variance(runs)
    if now == 0:
        return f"Nothing varies: neither more {unit}s nor more runs would change what is known."
    clusters, of_runs, residual = components.variances
    count = components.cluster_count
    more_runs = math.sqrt(components.variance(2 * runs))
    more_units = math.sqrt((clusters / count + residual / count / runs) / 2 + of_runs / runs)
    share, share_of_one = (components.share_of_runs(number) for number in (runs, 1))
    if share < NEGLIGIBLE_SHARE:
        first = f"More {unit}s, not more runs"
    elif share <= 0.5:
        first = f"More {unit}s before more runs"
    else:
        first = f"Runs vary more than {unit}s, so read each {unit} again before adding {unit}s"
    return (
        f"{first}: runs make {100 * share:.1f} % of the variance of the mean of {runs}, {100 * share_of_one:.1f} % of "
        f"that of one; {_until_negligible(components, unit)}. The standard error is {in_points(math.sqrt(now))}; twice "
        f"the runs make it {in_points(more_runs)}, twice the {unit}s {in_points(more_units)}."
    )


def _until_negligible(components: VarianceComponents, unit: str) -> str:
    needed = components.runs_until(NEGLIGIBLE_SHARE)
    if needed == 1:
        return "one run is enough to have it below 10 %"
    if needed is not None:
        return f"{needed:,} runs bring it below 10 %"
    if components.clusters.variance == 0:
        return f"{unit}s are estimated to add nothing of their own, so that every further run helps"
    return f"even {MOST_RUNS:,} runs do not bring it below 10 %"
