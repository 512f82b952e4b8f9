"""Comparisons of pairs of systems: tests, verdict, and the unit that the verdict depends on."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np

from misread.metrics import Metric
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.disagreeing_tests import explain_disagreement
from misread.stats.compare.influence import find_influence
from misread.stats.compare.schema import PairComparison
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.compare.tested_pairs import TestedPair, run_tests
from misread.stats.compare.verdicts import judge
from misread.stats.results import TestResult


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
