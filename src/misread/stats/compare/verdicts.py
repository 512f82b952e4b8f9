"""The verdict on a tested pair of systems, and its reasons."""

import math
from dataclasses import replace

from misread.stats.compare.disagreeing_tests import explain_disagreement
from misread.stats.compare.schema import PairComparison, VerdictReason
from misread.stats.compare.system_pair import SystemPair

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
        verdict_reason=verdict_reason(pair),
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


def verdict_reason(pair: SystemPair) -> VerdictReason:
    """The reason of a verdict; of an inconclusive one, the first thing that there is too little of, if any."""
    settings, unit = pair.settings, pair.shared.resampling_unit
    reason = VerdictReason(
        code="no_difference",
        alpha=settings.alpha,
        margin=settings.margin,
        correction=settings.correction,
        pairs=len(pair.family),
    )
    if pair.verdict == "equivalent":
        return replace(reason, code="equivalent")
    if pair.verdict != "inconclusive":
        return replace(reason, code="difference")
    if settings.deciding_test == "randomisation" and not pair.can_reach(pair.shared.units):
        return replace(reason, code="few_units", number=pair.shared.units, unit=unit)
    differing = _differing(pair)
    if pair.deciding.method == "none":
        if pair.replicates.reason:
            return replace(reason, code="no_test", detail=pair.replicates.reason)
        reason = replace(reason, unit=pair.deciding.unit)
        return (
            replace(reason, code="no_variation") if pair.difference else replace(reason, code="equal", number=differing)
        )
    if differing is not None and not pair.can_reach(differing):
        return replace(reason, code="few_differing", number=differing, unit=pair.deciding.unit)
    if not pair.can_resolve:
        return replace(reason, code="few_resamples", number=settings.resamples, unit="resample")
    return reason


def _differing(pair: SystemPair) -> int | None:
    """Number of units in which the systems differ, if the deciding test uses the signs of their differences."""
    test, name = pair.deciding, pair.settings.deciding_test
    if name == "randomisation":
        return int(test.extra["positive"] + test.extra["negative"])
    return test.n if name in _EXACT_BY_SIGNS and test.method == "exact" else None
