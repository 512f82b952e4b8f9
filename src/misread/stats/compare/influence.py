"""The unit that a difference depends on most: "without writer 7 the difference disappears"."""

import numpy as np

from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.paired_tests import PAIRED_TESTS
from misread.stats.compare.schema import Influence
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.compare.tested_pairs import TestedPair
from misread.stats.compare.verdicts import verdict_on, word

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
