"""Comparisons of pairs of systems: tests, verdict, and the unit that the verdict depends on."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np

from misread.metrics import Metric
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.disagreeing_tests import explain_disagreement
from misread.stats.compare.paired_tests import PAIRED_TESTS, TestedPair, run_tests
from misread.stats.compare.schema import Influence, PairComparison
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.compare.verdicts import judge, verdict_on, word
from misread.stats.results import TestResult

FEWEST_UNITS = 3
"""With fewer units, leaving one out leaves nothing to compare."""


def find_influence(tested: TestedPair, shared: SharedSegments) -> Influence | None:
    """Leave out each unit in turn, and test again without the one that matters most.

    None with fewer than three units, or where the difference is undefined without one of them. Cook (1977), Detection
    of influential observation in linear regression; Efron & Tibshirani (1993), An Introduction to the Bootstrap,
    chapter 11.
    """
    pair, settings = tested.pair, tested.settings
    without = pair.leave_one_out
    if len(without) < FEWEST_UNITS or not np.isfinite(without).all():
        return None
    most = int(np.argmax(np.abs(without - pair.difference)))
    rest = shared.only([pair.baseline, pair.system], pair.metric.id).without(most)
    left = SystemPair.of(rest, pair.metric, pair.baseline, pair.system, _replicates(pair, rest), settings)
    pvalue = PAIRED_TESTS[settings.deciding_test](left).pvalue
    adjusted = tested.adjust_again(pvalue)
    is_equivalent = tested.is_equivalent and abs(left.difference) < (settings.margin or 0.0)
    verdict = word(tested, left.difference, is_significant=adjusted < settings.alpha, is_equivalent=is_equivalent)
    return Influence(
        unit=shared.resampling_unit,
        removed=shared.unit_names[most],
        difference=left.difference,
        pvalue=pvalue,
        pvalue_adjusted=adjusted,
        verdict=verdict,
        changes_verdict=verdict != verdict_on(tested),
    )


def _replicates(pair: SystemPair, rest: SharedSegments) -> Replicates:
    """Draw again only where the deciding test needs it."""
    if pair.settings.deciding_test in ("bootstrap", "jackknife"):
        only_intervals = pair.settings.deciding_test == "jackknife"
        return draw_replicates(rest, [pair.metric], pair.settings, only_intervals=only_intervals)[pair.metric.id]
    return Replicates({}, rest.resampling_unit, rest.units)


def gather_pairs(
    shared: SharedSegments, metric: Metric, replicates: Replicates, baseline: str, settings: StatisticsSettings
) -> list[TestedPair]:
    """Test the pairs of systems that the settings ask for; the family of the correction is these pairs.

    The baseline stands first in its pairs; pairs in which a system has no rate are left out.
    """
    ordered = [baseline, *(name for name in shared.counts if name != baseline)]
    pairs = [
        SystemPair.of(shared, metric, first, second, replicates, settings)
        for first, second in combinations(ordered, 2)
        if settings.pairs == "all" or first == baseline
    ]
    return run_tests([pair for pair in pairs if not np.isnan(pair.difference)], settings)


def compare_pair(tested: TestedPair, shared: SharedSegments) -> PairComparison:
    """Everything that is said of one pair."""
    pair, settings = tested.pair, tested.settings
    better, same, worse = pair.outcomes
    judgement, influence = judge(tested), find_influence(tested, shared)
    further = judgement.further_units
    return PairComparison(
        baseline=pair.baseline,
        system=pair.system,
        metric=pair.metric.id,
        difference=pair.difference,
        confidence_interval=pair.difference_interval,
        verdict=judgement.verdict,
        verdict_reason=judgement.reason,
        tests={name: replace(test, pvalue_adjusted=tested.adjusted[name]) for name, test in tested.tests.items()},
        decided_by=settings.deciding_test,
        pvalue_adjusted=tested.pvalue_adjusted,
        significant=tested.is_significant,
        equivalence=_equivalence(tested),
        minimum_detectable_difference=judgement.detectable,
        further_segments=None if further is None else _segments(further, shared),
        further_clusters=None if shared.clusters is None else further,
        influence=influence,
        notes=explain_disagreement(tested, influence),
        better=better,
        same=same,
        worse=worse,
    )


def _equivalence(tested: TestedPair) -> TestResult | None:
    if tested.equivalence is None:
        return None
    return replace(tested.equivalence, pvalue_adjusted=tested.equivalence_adjusted)


def _segments(units: int, shared: SharedSegments) -> int:
    """Segments in so many further units, if these are as large as those at hand."""
    return math.ceil(units * len(shared.keys) / shared.units)
