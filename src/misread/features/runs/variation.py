"""How much repeated runs of a system vary, compared with clusters, and what more of either would bring."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from misread.metrics import Metric
from misread.stats import Estimate, StatisticsSettings, TestResult, VarianceComponents
from misread.stats.bootstrap.jackknife import jackknife_deviation
from misread.stats.compare.repeated_runs import MOST_PERMUTATIONS, counts_by_unit, with_runs
from misread.stats.compare.schema import Caution
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.design.run_components import (
    MOST_RUNS,
    NEGLIGIBLE_SHARE,
    mean_squares,
    values_of_runs,
    variance_components,
)
from misread.stats.results import in_points
from misread.stats.significance.run_effect import run_effect_test
from misread.text.nouns import plural
from misread.types import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class RunVariance:
    """Sources of error in a rate of repeated runs; errors are standard errors of the rate."""

    errors: tuple[float, ...]  # of each run by itself, over clusters
    error: float  # of the mean of the runs, over clusters
    two_way_error: float  # of the mean of the runs, if runs share effects
    components: VarianceComponents
    share: float  # part of the variance of the mean that runs make
    share_of_one: float  # part of the variance of a single run
    runs_until_negligible: int | None  # fewest runs whose part is below 10 %; None where no number would do
    effect: TestResult  # of an effect that the clusters of one run share


@dataclass(frozen=True, kw_only=True)
class RunsResult:
    """One metric of a system that read everything several times."""

    runs: tuple[str, ...]  # their names
    rates: tuple[float | None, ...]
    deviation: float | None  # standard deviation between the rates of the runs
    same_text: int  # segments with the same raw text in all runs
    flip_rate: float  # probability that two runs disagree on whether a segment is without fault
    variance: RunVariance | None  # None with a single cluster, or where the rate is undefined without one
    advice: str  # more clusters or more runs, with numbers


RunsByMetric = Mapping[str, Mapping[str, RunsResult]]
"""Systems with several runs, by metric."""


def describe_runs(
    shared: SharedSegments, metrics: Sequence[Metric], settings: StatisticsSettings
) -> dict[str, dict[str, RunsResult]]:
    """Variation of the runs of every system that has several, by metric and system."""
    return {
        metric.id: {
            system: _describe(shared, metric, system, settings)
            for system in shared.runs
            if not np.isnan(float(metric.rate(shared.counts[system][metric.id].total)))
        }
        for metric in metrics
        if shared.runs
    }


def warnings_of_runs(shared: SharedSegments, settings: StatisticsSettings) -> list[str]:
    """Say where intervals know nothing of what another run would change, or a test cannot be made of several runs."""
    warnings = []
    if "mapsswe" in settings.tests and shared.runs:
        warnings.append(
            f"mapsswe leaves out {', '.join(shared.runs)}: a system with several runs has no single alignment."
        )
    if settings.runs == "crossed" and (once := [system for system in shared.counts if system not in shared.runs]):
        warnings.append(f"{', '.join(once)}: read once, so that no interval shows what another run would change.")
    return warnings


def cautions_of_runs(
    shared: SharedSegments, runs: Mapping[str, Mapping[str, RunsResult]], settings: StatisticsSettings
) -> list[Caution]:
    """Say where the segments of a run share an effect that intervals do not know."""
    unit = shared.resampling_unit
    return [
        Caution(
            text=f"{metric}: the runs of {system} share an effect (p = {variance.effect.pvalue:.3g}, permuted within "
            f"each {unit}): intervals over {plural(unit)} alone are too narrow for other runs.",
            metric=metric,
        )
        for metric, systems in runs.items()
        for system, result in systems.items()
        if (variance := result.variance) and settings.runs == "averaged" and variance.effect.pvalue < settings.alpha
    ]


def _describe(shared: SharedSegments, metric: Metric, system: str, settings: StatisticsSettings) -> RunsResult:
    system_runs = shared.runs[system]
    counts = counts_by_unit(shared, system, metric)
    rates: FloatArray = metric.rate(counts.sum(axis=1))
    variance = _variance(shared, metric, counts, settings)
    exact = np.stack([metric.is_exact(run_counts) for run_counts in system_runs.counts[metric.id]])
    number = len(system_runs.runs)
    right = exact.sum(axis=0)
    return RunsResult(
        runs=tuple(system_runs.runs),
        rates=tuple(None if math.isnan(rate) else rate for rate in rates.tolist()),
        deviation=None if np.isnan(rates).any() else float(rates.std(ddof=1)),
        same_text=int(system_runs.same_text.sum()),
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
        errors=tuple((jackknife_deviation(values) or 0.0) / math.sqrt(units) for values in without),
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
    """More clusters, or more runs? In some sentences with numbers.

    What more runs would remove decides: below a tenth of the variance they are not worth it, above half of it reading
    again, for which nothing has to be transcribed, comes first.
    """
    if components is None:
        return (
            f"With one {unit}, or references that are all empty, nothing can be said of more {plural(unit)} "
            "or more runs."
        )
    now = components.variance(runs)
    if now == 0:
        return f"Nothing varies: neither more {plural(unit)} nor more runs would narrow the intervals."
    clusters, run_variance, residual = components.variances
    count = components.cluster_count
    more_runs = math.sqrt(components.variance(2 * runs))
    more_units = math.sqrt((clusters / count + residual / count / runs) / 2 + run_variance / runs)
    share, share_of_one = (components.share_of_runs(number) for number in (runs, 1))
    if share < NEGLIGIBLE_SHARE:
        first = f"More {plural(unit)}, not more runs"
    elif share <= 0.5:
        first = f"More {plural(unit)} before more runs"
    else:
        first = f"Runs vary more than {plural(unit)}, so read each {unit} again before adding {plural(unit)}"
    return (
        f"{first}: runs make {100 * share:.1f} % of the variance of the mean of {runs}, {100 * share_of_one:.1f} % of "
        f"that of one; {_until_negligible(components, unit)}. The standard error is {in_points(math.sqrt(now))}; twice "
        f"the runs make it {in_points(more_runs)}, twice the {plural(unit)} {in_points(more_units)}."
    )


def _until_negligible(components: VarianceComponents, unit: str) -> str:
    needed = components.runs_until(NEGLIGIBLE_SHARE)
    if needed == 1:
        return "one run is enough to have it below 10 %"
    if needed is not None:
        return f"{needed:,} runs bring it below 10 %"
    if components.clusters.variance == 0:
        return f"{plural(unit)} are estimated to add nothing of their own, so that every further run helps"
    return f"even {MOST_RUNS:,} runs do not bring it below 10 %"
