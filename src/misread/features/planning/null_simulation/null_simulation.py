"""Null simulation: all tests on a user's own data, with the labels of two systems mixed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from misread.errors import ConfigurationError, UndefinedResultError
from misread.metrics import Kind, Metric
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.settings import BY_CLUSTER, MOST_RESAMPLES, PairedTest, StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair, run_test
from misread.stats.significance.binomial import clopper_pearson
from misread.stats.significance.randomisation import smallest_pvalue
from misread.tables.number_text import pvalue_text
from misread.tally.scores import Counts
from misread.text.display import show_label
from misread.text.nouns import plural
from misread.types import BoolArray

Judgement = Literal["safe", "cautious", "too often", "never"]

CERTAINTY = 0.99
"""Coverage of the Monte Carlo interval of a share."""


@dataclass(frozen=True, kw_only=True)
class TestSize:
    """How often a test rejects although there is no difference."""

    test: PairedTest
    unit: str  # unit treated as independent: "segment", or the name of the clusters
    type_1_error: float  # share of simulations in which p was below alpha
    low: float  # Monte Carlo interval of that share (Clopper and Pearson)
    high: float
    # "safe": alpha lies in the interval; "cautious": above it; "too often": below it; "never": too few units to reach
    # alpha
    judgement: Judgement


@dataclass(frozen=True, kw_only=True)
class NullSimulation:
    """All tests of one pair of systems on data in which neither is better."""

    baseline: str
    system: str
    metric: str
    exchanged: str  # unit exchanged as a whole: the name of the clusters, or "segment"
    units: int  # number of these units
    segments: int
    simulations: int
    alpha: float
    seed: int
    certainty: float  # coverage of the Monte Carlo intervals
    thinned: str | None  # system with more errors, if some were dropped at random to equal those of the other
    remainder: float  # share of its errors that remained
    observed_pvalue: float  # of randomisation on the original data
    tests: tuple[TestSize, ...]

    @property
    def is_upper_bound(self) -> bool:
        """Whether sizes by segment may be too high: a real difference turns into one between clusters."""
        return self.exchanged != "segment" and not self.thinned and self.observed_pvalue < self.alpha


def simulate_null(
    shared: SharedSegments,
    metric: Metric,
    baseline: str,
    system: str,
    settings: StatisticsSettings,
    *,
    simulations: int,
) -> NullSimulation:
    """Mix the labels of two systems repeatedly, and count how often each test finds a difference.

    In every simulation a coin decides for each cluster (or segment without clusters) whether the two systems are
    exchanged in it. Neither can be better on average, and the dependence of segments within a cluster remains. A test
    that rejects more than a share alpha of such data treats segments as more independent than they are.

    If one system has more errors, its excess errors are first dropped at random: otherwise the difference between the
    systems would become one between clusters, and tests by segment would look worse than they are. 1,000 simulations
    give a share of .05 to within about .018 (99 %).

    Noreen (1989), Computer-intensive Methods for Testing Hypotheses; Clopper & Pearson (1934), The use of confidence
    or fiducial limits.
    """
    if not 1 <= simulations <= MOST_RESAMPLES:
        raise ConfigurationError(f"simulations is {simulations}, expected 1 to {MOST_RESAMPLES:,}; 1000 is usual.")
    pair = shared.only([baseline, system], metric.id)
    _check(pair, metric, baseline, system)
    # Systems are exchanged as a whole, with the sums over their runs.
    aligned = all(metric.id in pair.operations.get(name, {}) for name in (baseline, system))
    pair = replace(pair, runs={}, operations=pair.operations if aligned else {})
    thinned, share = _excess(pair, metric)
    views = {pair.resampling_unit: pair, "segment": replace(pair, cluster_codes=None, cluster_name="")}
    lines = [(test, unit) for test in settings.tests for unit in views if test in BY_CLUSTER or unit == "segment"]
    lines = [
        (test, unit) for test, unit in lines if test != "mapsswe" or metric.id in pair.operations.get(baseline, {})
    ]
    counts = dict.fromkeys(lines, 0)
    rng = np.random.default_rng(settings.seed)
    for _ in range(simulations):
        flips = rng.random(pair.units) < 0.5
        rows = flips if pair.cluster_codes is None else flips[pair.cluster_codes]
        drawn = replace(settings, seed=int(rng.integers(2**62)))
        levelled = _thin(pair, metric, thinned, share, rng) if thinned else pair
        mixed = _exchange(levelled, rows, baseline, system)
        for unit, view in views.items():
            tests = [test for test, line_unit in lines if line_unit == unit]
            seen = replace(view, counts=mixed.counts, operations=mixed.operations)
            for test, pvalue in _pvalues(seen, metric, tests, drawn).items():
                counts[test, unit] += pvalue < settings.alpha
    return NullSimulation(
        baseline=baseline,
        system=system,
        metric=metric.id,
        exchanged=pair.resampling_unit,
        units=pair.units,
        segments=len(pair.keys),
        simulations=simulations,
        alpha=settings.alpha,
        seed=settings.seed,
        certainty=CERTAINTY,
        thinned=thinned,
        remainder=share,
        observed_pvalue=_pvalues(pair, metric, ["randomisation"], settings)["randomisation"],
        tests=tuple(
            _size(test, unit, counts[test, unit], simulations, views[unit].units, settings.alpha)
            for test, unit in lines
        ),
    )


def _check(pair: SharedSegments, metric: Metric, baseline: str, system: str) -> None:
    if pair.units < 2:
        raise UndefinedResultError(f"mixing labels needs at least 2 {plural(pair.resampling_unit)}; there is only 1.")
    if np.array_equal(pair.counts[baseline][metric.id].values, pair.counts[system][metric.id].values):
        raise UndefinedResultError(
            f"{baseline} and {system} have the same counts of {metric.id} in every segment: no test can find anything."
        )


def _excess(pair: SharedSegments, metric: Metric) -> tuple[str | None, float]:
    """The system with more errors, and the other's errors as a share of its own; None if neither has more."""
    if metric.kind is not Kind.ERROR_RATE:
        return None, 1.0
    totals = {name: int(counts_by_metric[metric.id]["errors"].sum()) for name, counts_by_metric in pair.counts.items()}
    fewest, most = sorted(totals, key=lambda name: totals[name])
    if totals[fewest] in (0, totals[most]):
        return None, 1.0
    return most, totals[fewest] / totals[most]


def _thin(pair: SharedSegments, metric: Metric, system: str, share: float, rng: np.random.Generator) -> SharedSegments:
    """Keep each error of a system with probability `share`; tests use only its errors and alignments."""
    whole = pair.counts[system][metric.id]
    counts = Counts(whole.columns, whole.values.copy())
    operations = pair.operations
    letters = operations.get(system, {}).get(metric.id)
    if letters is None:
        counts["errors"][:] = rng.binomial(counts["errors"], share)
    else:
        thinned = [_thin_letters(row_letters, rng.random(len(row_letters)) < share) for row_letters in letters]
        counts["errors"][:] = [len(row_letters) - row_letters.count("C") for row_letters in thinned]
        operations = {**operations, system: {**operations[system], metric.id: thinned}}
    return replace(
        pair, counts={**pair.counts, system: {**pair.counts[system], metric.id: counts}}, operations=operations
    )


def _thin_letters(letters: str, keep: BoolArray) -> str:
    """Undo errors that are not kept: insertions are dropped, others become correct."""
    corrected = {"S": "C", "D": "C", "C": "C", "I": "", "T": "CC"}
    return "".join(
        letter if is_kept else corrected[letter] for letter, is_kept in zip(letters, keep.tolist(), strict=True)
    )


def _exchange(view: SharedSegments, rows: BoolArray, baseline: str, system: str) -> SharedSegments:
    """Exchange the systems in these rows."""
    first, second = view.counts[baseline], view.counts[system]
    sides = rows[:, np.newaxis]
    counts = {
        name: {
            metric: Counts(own.columns, np.where(sides, theirs[metric].values, own.values))
            for metric, own in ours.items()
        }
        for name, ours, theirs in ((baseline, first, second), (system, second, first))
    }
    letters = {
        name: {
            metric: [view.operations[other if flip else name][metric][row] for row, flip in enumerate(rows.tolist())]
            for metric in letters_by_metric
        }
        for name, other in ((baseline, system), (system, baseline))
        for letters_by_metric in (view.operations.get(name, {}),)
    }
    return replace(view, counts=counts, operations=letters)


def _pvalues(
    shared: SharedSegments, metric: Metric, tests: Sequence[PairedTest], settings: StatisticsSettings
) -> dict[PairedTest, float]:
    baseline, system = shared.counts
    if {"bootstrap", "jackknife"} & {*tests}:
        only_intervals = "bootstrap" not in tests
        replicates = draw_replicates(shared, [metric], settings, only_intervals=only_intervals)[metric.id]
    else:
        replicates = Replicates(shared, metric, settings)
    pair = SystemPair(replicates, baseline, system)
    return {test: run_test(pair, test).pvalue for test in tests}


def _size(test: PairedTest, unit: str, rejected: int, simulations: int, units: int, alpha: float) -> TestSize:
    low, high = clopper_pearson(rejected, simulations, CERTAINTY)
    judgement: Judgement = "safe"
    if test == "randomisation" and smallest_pvalue(units) >= alpha:
        judgement = "never"
    elif low > alpha:
        judgement = "too often"
    elif high < alpha:
        judgement = "cautious"
    share = rejected / simulations
    return TestSize(test=test, unit=unit, type_1_error=share, low=low, high=high, judgement=judgement)


_WORDS = {
    "safe": "safe",
    "cautious": "safe, and cautious: it misses more than it must",
    "too often": "UNSAFE: finds differences that are not there",
    "never": "cannot find anything: too few to reach alpha",
}


def render_null_simulation(result: NullSimulation) -> str:
    """Text with the type I error of all tests on one pair of systems, and advice on which to trust."""
    wide = max(len(_name(size)) for size in result.tests)
    lines = [
        f"{result.system} against {result.baseline}, {result.metric}: {result.simulations:,} simulations in which "
        "neither is better",
        f"Labels were exchanged by {result.exchanged}: {result.units} {plural(result.exchanged)}, "
        f"{result.segments} segments; "
        f"alpha {result.alpha:g}",
        "",
        f"{'test':<{wide}}  type-I error  {f'[{CERTAINTY:.0%}]':>14}",
        *(
            f"{_name(size):<{wide}}  {size.type_1_error:>12.3f}  {f'[{size.low:.3f}, {size.high:.3f}]':>14}"
            f"  {_WORDS[size.judgement]}"
            for size in result.tests
        ),
        "",
        *_advice(result),
    ]
    return "\n".join(map(show_label, lines)) + "\n"


def _name(size: TestSize) -> str:
    return f"{size.test} by {size.unit}"


def _advice(result: NullSimulation) -> list[str]:
    safe = [_name(size) for size in result.tests if size.judgement in ("safe", "cautious")]
    unsafe = [_name(size) for size in result.tests if size.judgement == "too often"]
    lines = [f"Safe here: {', '.join(safe) or 'none of these'}."]
    if unsafe:
        lines.append(f"Not safe here: {', '.join(unsafe)}.")
    if result.thinned:
        lines.append(
            f"{result.thinned} makes more errors; in each simulation {1 - result.remainder:.0%} of them, at random, "
            "were dropped first."
        )
    if result.is_upper_bound:
        lines.append(
            f"The two do differ (p {pvalue_text(result.observed_pvalue)}). Mixed labels turn that into differences "
            f"between {plural(result.exchanged)}, so that figures by segment are upper bounds."
        )
    if result.exchanged == "segment":
        lines.append(
            "No clusters are named, so segments were taken as independent here too: this says nothing about clusters."
        )
    return lines
