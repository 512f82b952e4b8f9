"""The verdict on a pair of systems, in one word and one sentence, and what it would take to reach one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from misread.stats.compare.evidence import Evidence
from misread.stats.compare.schema import Verdict
from misread.stats.planning.power import detectable_difference, units_to_detect, units_to_equate
from misread.stats.significance.bootstrap import FEW_UNITS

_EXACT_BY_SIGNS = ("mcnemar", "signs", "wilcoxon")


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What can be said of a system against its baseline."""

    verdict: Verdict
    reason: str  # one plain sentence
    # smallest true difference found with 80 % probability, a fraction; None where no difference could be found
    detectable: float | None
    # about how many more units (clusters where there are any, else segments) would settle it if the true difference is
    # the observed one; None where it is settled, or no number would do
    further_units: int | None
    # False where no outcome could be significant: too few units, differing units or resamples, or no variation
    can_tell: bool


def judge(evidence: Evidence) -> Judgement:
    """Come to a verdict.

    A pair is equivalent if its difference surely lies within the margin, even where it is significant: the margin says
    that such differences do not matter. Else it is better or worse if the deciding test finds a difference, and
    inconclusive if not.
    """
    verdict = verdict_on(evidence)
    detectable = _detectable(evidence)
    return Judgement(
        verdict=verdict,
        reason=_reason(evidence, verdict, detectable),
        detectable=detectable,
        further_units=_further_units(evidence) if verdict == "inconclusive" else None,
        can_tell=verdict != "inconclusive" or not (_too_few(evidence) or _lacks_variation(evidence)),
    )


def verdict_on(evidence: Evidence) -> Verdict:
    """The verdict on the pair itself."""
    difference, is_significant = evidence.pair.difference, evidence.is_significant
    return word(evidence, difference, is_significant=is_significant, is_equivalent=evidence.is_equivalent)


def word(evidence: Evidence, difference: float, *, is_significant: bool, is_equivalent: bool) -> Verdict:
    """The verdict in one word; `difference` is the rate of the system minus that of the baseline."""
    if is_equivalent:
        return "equivalent"
    if not is_significant:
        return "inconclusive"
    return "better" if difference * evidence.pair.improvement_sign < 0 else "worse"


def _reason(evidence: Evidence, verdict: Verdict, detectable: float | None) -> str:
    pair, settings = evidence.pair, evidence.settings
    found = f"{settings.decide_by} gives {_pvalue(evidence, evidence.pvalue_adjusted)}"
    if verdict == "equivalent":
        also = f", although {found}" if evidence.is_significant else ""
        return (
            f"The difference surely lies within the margin of {_points(settings.margin or 0.0)} "
            f"({_pvalue(evidence, evidence.equivalence_adjusted)}){also}."
        )
    if verdict != "inconclusive":
        side = "lower" if pair.difference < 0 else "higher"
        return (
            f"{pair.metric.id} of {pair.system} is {_points(abs(pair.difference))} {side} than that of "
            f"{pair.baseline}; {found}, below {settings.alpha:g}."
        )
    if too_few := _too_few(evidence):
        return too_few
    if evidence.deciding.method == "none":
        return _without_variation(evidence)
    missed = "" if detectable is None else f"; {_points(detectable)} would have been found with 80 % probability"
    return f"{found}, not below {settings.alpha:g}{missed}."


def _too_few(evidence: Evidence) -> str:
    """Say so where no outcome could be significant: none at all, or none with so many units that differ."""
    settings, test, replicates = evidence.settings, evidence.deciding, evidence.pair.replicates
    counted = _count(evidence)
    if settings.decide_by == "randomisation" and not evidence.can_reach(replicates.n):
        return f"n too small: no p below {settings.alpha:g} can be reached with {counted}{_in_family(evidence)}."
    if test.method == "none":
        return f"n too small: {replicates.reason}" if replicates.reason else ""
    differing = _differing(evidence)
    if differing is not None and not evidence.can_reach(differing):
        return (
            f"n too small: no p below {settings.alpha:g} can be reached with {differing} differing "
            f"{test.unit}{'' if differing == 1 else 's'}{_in_family(evidence)}."
        )
    if not evidence.can_resolve:
        return (
            f"B too small: no p below {settings.alpha:g} can be reached with {settings.resamples} "
            f"resample{'' if settings.resamples == 1 else 's'}{_in_family(evidence)}."
        )
    return ""


def _lacks_variation(evidence: Evidence) -> bool:
    """Whether there is a difference, but nothing to judge it by."""
    return evidence.deciding.method == "none" and evidence.pair.difference != 0


def _without_variation(evidence: Evidence) -> str:
    unit = evidence.deciding.unit
    if evidence.pair.difference == 0:
        return f"The systems do not differ in what {evidence.settings.decide_by} looks at, {unit} by {unit}."
    return f"{evidence.settings.decide_by} finds no variation from {unit} to {unit} to judge the difference by."


def _differing(evidence: Evidence) -> int | None:
    """Units in which the systems differ, where the deciding test rests on the signs of their differences."""
    test, name = evidence.deciding, evidence.settings.decide_by
    if name == "randomisation":
        return int(test.extra["positive"] + test.extra["negative"])
    return test.n if name in _EXACT_BY_SIGNS and test.method == "exact" else None


def _detectable(evidence: Evidence) -> float | None:
    deviation, units = evidence.pair.unit_deviation, evidence.pair.replicates.n
    if deviation is None or not (evidence.can_reach(units) and evidence.can_resolve):
        return None
    return detectable_difference(deviation, units, alpha=evidence.alpha)


def _further_units(evidence: Evidence) -> int | None:
    pair, margin = evidence.pair, evidence.settings.margin
    deviation = pair.unit_deviation
    if deviation is None or not evidence.can_resolve:
        return None
    needed = [units_to_detect(pair.difference, deviation, alpha=evidence.alpha)]
    if margin is not None:
        needed.append(units_to_equate(pair.difference, deviation, margin=margin, alpha=evidence.alpha))
    fewest = FEW_UNITS if margin is not None else 2
    while not evidence.can_reach(fewest):
        fewest += 1
    enough = [max(number, fewest) for number in needed if number is not None]
    return max(1, min(enough) - pair.replicates.n) if enough else None


def _count(evidence: Evidence) -> str:
    """Say how many units there are: "3 segments", "12 clusters (page)"."""
    number = evidence.pair.replicates.n
    plural = "" if number == 1 else "s"
    if evidence.pair.clusters is None:
        return f"{number} segment{plural}"
    return f"{number} cluster{plural} ({evidence.pair.replicates.unit})"


def _in_family(evidence: Evidence) -> str:
    pairs = len(evidence.family)
    return "" if pairs == 1 or evidence.settings.correction == "none" else f" and {pairs} pairs"


def _pvalue(evidence: Evidence, pvalue: float) -> str:
    correction, pairs = evidence.settings.correction, len(evidence.family)
    shown = "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.4g}"
    if correction == "none" or pairs == 1:
        return shown
    return f"{shown} after {correction.replace('_', '-').title()} over {pairs} pairs"


def _points(fraction: float) -> str:
    """Percentage points to three digits."""
    points = 100 * fraction
    decimals = 2 if points == 0 else max(2, 2 - math.floor(math.log10(abs(points))))
    return f"{points:.{min(decimals, 9)}f} points"
