"""Reasons why tests of one pair disagree: each asks a different question of the same segments."""

from collections.abc import Sequence

import numpy as np

from misread.stats.compare.settings import BY_CLUSTER, PairedTest
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import DECIMALS
from misread.stats.significance.corpus_scores import FEW_UNITS

BY_SEGMENT_RATE: frozenset[PairedTest] = frozenset({"wilcoxon", "paired_t", "sign"})
"""Tests of the rates of segments, which give short and long segments equal weight."""

# Tests that need variation among differences.
_BY_VARIATION: tuple[PairedTest, ...] = ("paired_t", "jackknife")

# Smallest share of segments worth mentioning.
MANY = 0.5


def explain_disagreement(pair: SystemPair) -> tuple[str, ...]:
    """Sentences that say which tests find a difference, which do not, and what in the data explains it.

    The first names the tests; if all agree, the sentences only say what makes that doubtful.
    """
    finding = [name for name, adjusted in pair.adjusted.items() if adjusted < pair.settings.alpha]
    missing = [name for name in pair.adjusted if name not in finding]
    if not (finding and missing):
        against = _opposite(pair) if BY_SEGMENT_RATE & set(finding) else ""
        return (*filter(None, [against, _interval(pair)]), *_hangs_on_one(pair))
    verbs = ("finds" if len(finding) == 1 else "find", "does" if len(missing) == 1 else "do")
    return (
        f"Tests disagree: {_list(finding)} {verbs[0]} a significant difference, {_list(missing)} {verbs[1]} not.",
        *filter(None, (_few_units(pair, finding, missing), _clusters(pair, finding, missing))),
        *filter(None, (_constant(pair, missing), _opposite(pair), _whole_segments(pair))),
        *_zeros_and_ties(pair),
        *_outlier(pair),
        *filter(None, [_interval(pair)]),
    )


def _interval(pair: SystemPair) -> str:
    """A sentence if the interval of the difference and the deciding test, before adjustment, disagree."""
    settings, interval = pair.settings, pair.difference_interval
    if interval is None:
        return ""
    excludes = interval.low > 0 or interval.high < 0
    if excludes == (pair.deciding.pvalue < 1 - settings.confidence):
        return ""
    answer = "excludes" if excludes else "contains"
    return (
        f"Interval and test disagree: the interval ({interval.method}) {answer} 0, {settings.deciding_test} gives "
        f"p = {pair.deciding.pvalue:.3g} before adjustment. The verdict follows the test."
    )


def _few_units(pair: SystemPair, finding: list[PairedTest], missing: list[PairedTest]) -> str:
    unit, n = pair.shared.resampling_unit, pair.shared.units
    if "randomisation" in missing and not pair.can_reach(n):
        return f"Too few: exchanging the systems in {n} ({unit}) cannot be significant, whatever the data."
    if "randomisation" in missing and "bootstrap" in finding and n < FEW_UNITS:
        return f"Few: with {n} ({unit}) the p-values of the bootstrap are known to be too small."
    return ""


def _clusters(pair: SystemPair, finding: list[PairedTest], missing: list[PairedTest]) -> str:
    if pair.shared.clusters is None or BY_CLUSTER & set(finding) or not BY_CLUSTER & set(missing):
        return ""
    shared = pair.shared
    return (
        f"Clusters: {_list(finding)} treat segments of one {shared.resampling_unit} as independent; over "
        f"{shared.units} clusters the difference may be chance."
    )


def _constant(pair: SystemPair, missing: list[PairedTest]) -> str:
    undefined = [name for name in missing if name in _BY_VARIATION and pair.tests[name].method == "none"]
    if not undefined:
        return ""
    unit = "segment" if "paired_t" in undefined else pair.shared.resampling_unit
    return f"No variation: every {unit} differs by the same amount, so that {_list(undefined)} is undefined."


def _opposite(pair: SystemPair) -> str:
    """A sentence if the mean over segments and the difference of corpus rates differ in sign."""
    rates = pair.rate_differences
    macro = float(np.nanmean(rates)) if not np.isnan(rates).all() else 0.0
    if macro * pair.difference >= 0 or not BY_SEGMENT_RATE & set(pair.tests):
        return ""
    return (
        "Lengths: the mean difference of segment rates has the opposite sign to the difference of the corpus rates; "
        "short segments and long ones disagree."
    )


def _whole_segments(pair: SystemPair) -> str:
    test = pair.tests.get("mcnemar")
    if test is None:
        return ""
    total = test.n + test.dropped
    if test.dropped < MANY * total:
        return ""
    return f"Whole segments: mcnemar looks at {test.n} of {total}, those that only one system has without error."


def _zeros_and_ties(pair: SystemPair) -> list[str]:
    if not BY_SEGMENT_RATE & set(pair.tests):
        return []
    rates = pair.rate_differences
    defined = np.round(rates[~np.isnan(rates)], DECIMALS)
    nonzero = np.abs(defined[defined != 0])
    zeros, distinct = len(defined) - len(nonzero), len(np.unique(nonzero))
    notes = []
    looking = [name for name in ("wilcoxon", "sign") if name in pair.tests]
    if looking and zeros >= MANY * len(defined):
        notes.append(f"Zeros: {zeros} of {len(defined)} segments have equal rates, which {_list(looking)} leave out.")
    if "wilcoxon" in pair.tests and len(nonzero) and distinct <= MANY * len(nonzero):
        notes.append(f"Ties: {len(nonzero)} differences take {distinct} sizes, which blurs the ranks of wilcoxon.")
    return notes


def _outlier(pair: SystemPair) -> list[str]:
    observed, influence = pair.difference, pair.influence
    if influence is None or abs(observed - influence.difference) < MANY * abs(observed):
        return []
    return [
        f"One outlier: {influence.unit} {influence.removed} makes up most of the difference; without it p of "
        f"{pair.settings.deciding_test} is {influence.pvalue_adjusted:.3g}."
    ]


def _hangs_on_one(pair: SystemPair) -> list[str]:
    """Name the unit without which no difference is found, unless too few units remain to find any."""
    influence = pair.influence
    if influence is None or not pair.is_significant or influence.verdict != "inconclusive":
        return []
    if not pair.can_reach(pair.shared.units - 1):
        return []
    return [
        f"Without {influence.unit} {influence.removed} the difference is no longer significant "
        f"(p of {pair.settings.deciding_test} {influence.pvalue_adjusted:.3g})."
    ]


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
