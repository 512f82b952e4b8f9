"""The verdict on a tested pair of systems, in one word and one sentence, and what it depends on."""

import math
from dataclasses import replace

from misread.stats.compare.disagreeing_tests import explain_disagreement
from misread.stats.compare.schema import PairComparison
from misread.stats.compare.system_pair import SystemPair
from misread.stats.results import in_points

_EXACT_BY_SIGNS = ("mcnemar", "sign", "wilcoxon")


def compare_pair(pair: SystemPair) -> PairComparison:
    """The full comparison of one tested pair."""
    better, same, worse = pair.outcomes
    shared, equivalence = pair.shared, pair.equivalence
    detectable, further = pair.smallest_detectable, pair.further_units
    # Further units are taken to be as large as the present ones.
    segments = None if further is None else math.ceil(further * len(shared.keys) / shared.units)
    return PairComparison(
        baseline=pair.baseline,
        system=pair.system,
        metric=pair.metric.id,
        difference=pair.difference,
        confidence_interval=pair.difference_interval,
        verdict=pair.verdict,
        verdict_reason=explain_verdict(pair),
        tests={name: replace(test, pvalue_adjusted=pair.adjusted[name]) for name, test in pair.tests.items()},
        decided_by=pair.settings.deciding_test,
        pvalue_adjusted=pair.pvalue_adjusted,
        significant=pair.is_significant,
        equivalence=equivalence and replace(equivalence, pvalue_adjusted=pair.equivalence_adjusted),
        minimum_detectable_difference=detectable,
        further_segments=segments,
        further_clusters=None if shared.clusters is None else further,
        influence=pair.influence,
        notes=explain_disagreement(pair),
        better=better,
        same=same,
        worse=worse,
    )


def explain_verdict(pair: SystemPair) -> str:
    """The verdict in one plain sentence, with the ids of the systems."""
    verdict, settings = pair.verdict, pair.settings
    correction, family = settings.correction, len(pair.family)
    finding = describe_finding(settings.deciding_test, pair.pvalue_adjusted, correction, family)
    if verdict == "equivalent":
        also = f", although {finding}" if pair.is_significant else ""
        return (
            f"The difference lies within the margin of {in_points(settings.margin or 0.0)} "
            f"({_pvalue(pair.equivalence_adjusted, correction, family)}){also}."
        )
    if verdict != "inconclusive":
        return significance_sentence(
            pair.metric.id, pair.baseline, pair.system, pair.difference, finding=finding, alpha=settings.alpha
        )
    if too_few := _too_few(pair):
        return too_few
    if pair.deciding.method == "none":
        return _without_variation(pair)
    detectable = pair.smallest_detectable
    missed = "" if detectable is None else f"; {in_points(detectable)} would have been found with 80 % probability"
    return f"{finding}, not below {settings.alpha:g}{missed}."


def significance_sentence(
    metric: str, baseline: str, system: str, difference: float, *, finding: str, alpha: float
) -> str:
    """A sentence on the size of a significant difference; both systems have their displayed names."""
    side = "lower" if difference < 0 else "higher"
    return (
        f"{metric} of {system} is {in_points(abs(difference))} {side} than that of {baseline}; "
        f"{finding}, below {alpha:g}."
    )


def describe_finding(test: str, pvalue: float, correction: str, family: int) -> str:
    """The finding of a test: a p-value adjusted over a family of pairs."""
    return f"{test} gives {_pvalue(pvalue, correction, family)}"


def _too_few(pair: SystemPair) -> str:
    """A sentence if no outcome could be significant, at all or with this number of differing units."""
    settings, test, reason = pair.settings, pair.deciding, pair.replicates.reason
    counted = pair.counted
    if settings.deciding_test == "randomisation" and not pair.can_reach(pair.shared.units):
        return f"n too small: no p below {settings.alpha:g} can be reached with {counted}{_in_family(pair)}."
    if test.method == "none":
        return f"n too small: {reason}" if reason else ""
    differing = _differing(pair)
    if differing is not None and not pair.can_reach(differing):
        return (
            f"n too small: no p below {settings.alpha:g} can be reached with {differing} differing "
            f"{test.unit}{'' if differing == 1 else 's'}{_in_family(pair)}."
        )
    if not pair.can_resolve:
        return (
            f"B too small: no p below {settings.alpha:g} can be reached with {settings.resamples} "
            f"resample{'' if settings.resamples == 1 else 's'}{_in_family(pair)}."
        )
    return ""


def can_tell(pair: SystemPair) -> bool:
    """Whether any outcome could be significant: enough units, differing units and resamples, and some variation."""
    lacks_variation = pair.deciding.method == "none" and pair.difference != 0
    return pair.verdict != "inconclusive" or not (_too_few(pair) or lacks_variation)


def _without_variation(pair: SystemPair) -> str:
    unit = pair.deciding.unit
    if pair.difference == 0:
        return f"In what {pair.settings.deciding_test} compares, the systems are equal in every {unit}."
    return f"{pair.settings.deciding_test} finds no variation from {unit} to {unit} to judge the difference by."


def _differing(pair: SystemPair) -> int | None:
    """Number of units in which the systems differ, if the deciding test uses the signs of their differences."""
    test, name = pair.deciding, pair.settings.deciding_test
    if name == "randomisation":
        return int(test.extra["positive"] + test.extra["negative"])
    return test.n if name in _EXACT_BY_SIGNS and test.method == "exact" else None


def _in_family(pair: SystemPair) -> str:
    pairs = len(pair.family)
    return "" if pairs == 1 or pair.settings.correction == "none" else f" and {pairs} pairs"


def _pvalue(pvalue: float, correction: str, family: int) -> str:
    shown = "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.4g}"
    if correction == "none" or family == 1:
        return shown
    return f"{shown} after {correction.replace('_', '-').title()} over {family} pairs"
