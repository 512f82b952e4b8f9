"""Comparisons of pairs of systems: tests, verdict, and the unit that the verdict depends on."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np

from misread.metrics import Metric
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.disagreeing_tests import explain_disagreement
from misread.stats.compare.paired_tests import PAIRED_TESTS, run_tests
from misread.stats.compare.schema import Influence, PairComparison
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.compare.verdicts import explain_verdict, further_units, smallest_detectable, verdict_on, word
from misread.stats.results import TestResult

FEWEST_UNITS = 3
"""With fewer units, leaving one out leaves nothing to compare."""


def find_influence(pair: SystemPair, shared: SharedSegments) -> Influence | None:
    """Leave out each unit in turn, and repeat the test without the most influential one.

    None with fewer than three units, or if the difference is undefined without one of them. Cook (1977), Detection
    of influential observation in linear regression; Efron & Tibshirani (1993), An Introduction to the Bootstrap,
    chapter 11.
    """
    settings = pair.settings
    without = pair.leave_one_out
    if len(without) < FEWEST_UNITS or not np.isfinite(without).all():
        return None
    most = int(np.argmax(np.abs(without - pair.difference)))
    rest = shared.only([pair.baseline, pair.system], pair.metric.id).without(most)
    left = SystemPair.of(rest, pair.metric, pair.baseline, pair.system, _replicates(pair, rest))
    pvalue = PAIRED_TESTS[settings.deciding_test](left).pvalue
    adjusted = pair.adjust_again(pvalue)
    is_equivalent = pair.is_equivalent and abs(left.difference) < (settings.margin or 0.0)
    verdict = word(pair, left.difference, is_significant=adjusted < settings.alpha, is_equivalent=is_equivalent)
    return Influence(
        unit=shared.resampling_unit,
        removed=shared.unit_names[most],
        difference=left.difference,
        pvalue=pvalue,
        pvalue_adjusted=adjusted,
        verdict=verdict,
    )


def _replicates(pair: SystemPair, rest: SharedSegments) -> Replicates:
    """New replicates, drawn only if the deciding test needs them."""
    if pair.settings.deciding_test in ("bootstrap", "jackknife"):
        only_intervals = pair.settings.deciding_test == "jackknife"
        return draw_replicates(rest, [pair.metric], pair.settings, only_intervals=only_intervals)[pair.metric.id]
    return Replicates({}, rest.resampling_unit, rest.units, settings=pair.settings)


def gather_pairs(shared: SharedSegments, metric: Metric, replicates: Replicates, baseline: str) -> list[SystemPair]:
    """Test the pairs of systems that the settings select; they form the family of the correction.

    The baseline is first in its pairs; pairs with a system without a rate are left out.
    """
    ordered = [baseline, *(name for name in shared.counts if name != baseline)]
    pairs = [
        SystemPair.of(shared, metric, first, second, replicates)
        for first, second in combinations(ordered, 2)
        if replicates.settings.pairs == "all" or first == baseline
    ]
    return run_tests([pair for pair in pairs if not np.isnan(pair.difference)])


def compare_pair(pair: SystemPair, shared: SharedSegments) -> PairComparison:
    """The full comparison of one pair."""
    better, same, worse = pair.outcomes
    influence, further = find_influence(pair, shared), further_units(pair)
    return PairComparison(
        baseline=pair.baseline,
        system=pair.system,
        metric=pair.metric.id,
        difference=pair.difference,
        confidence_interval=pair.difference_interval,
        verdict=verdict_on(pair),
        verdict_reason=explain_verdict(pair),
        tests={name: replace(test, pvalue_adjusted=pair.adjusted[name]) for name, test in pair.tests.items()},
        decided_by=pair.settings.deciding_test,
        pvalue_adjusted=pair.pvalue_adjusted,
        significant=pair.is_significant,
        equivalence=_equivalence(pair),
        minimum_detectable_difference=smallest_detectable(pair),
        further_segments=None if further is None else _segments(further, shared),
        further_clusters=None if shared.clusters is None else further,
        influence=influence,
        notes=explain_disagreement(pair, influence),
        better=better,
        same=same,
        worse=worse,
    )


def _equivalence(pair: SystemPair) -> TestResult | None:
    if pair.equivalence is None:
        return None
    return replace(pair.equivalence, pvalue_adjusted=pair.equivalence_adjusted)


def _segments(units: int, shared: SharedSegments) -> int:
    """Segments in this number of further units, if these are as large as the present ones."""
    return math.ceil(units * len(shared.keys) / shared.units)
