"""The verdict on a pair of systems, in one word and one sentence, and what it would take to reach one."""

from dataclasses import dataclass

from misread.stats.compare.paired_tests import TestedPair
from misread.stats.compare.schema import Verdict
from misread.stats.design.power import detectable_difference, units_to_detect, units_to_equate
from misread.stats.results import in_points
from misread.stats.significance.corpus_scores import FEW_UNITS

_EXACT_BY_SIGNS = ("mcnemar", "sign", "wilcoxon")


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


def judge(tested: TestedPair) -> Judgement:
    """Come to a verdict.

    A pair is equivalent if its difference surely lies within the margin, even where it is significant: the margin says
    that such differences do not matter. Else it is better or worse if the deciding test finds a difference, and
    inconclusive if not.
    """
    verdict = verdict_on(tested)
    detectable = _detectable(tested)
    return Judgement(
        verdict=verdict,
        reason=_reason(tested, verdict, detectable),
        detectable=detectable,
        further_units=_further_units(tested) if verdict == "inconclusive" else None,
        can_tell=verdict != "inconclusive" or not (_too_few(tested) or _lacks_variation(tested)),
    )


def verdict_on(tested: TestedPair) -> Verdict:
    """The verdict on the pair itself."""
    difference, is_significant = tested.pair.difference, tested.is_significant
    return word(tested, difference, is_significant=is_significant, is_equivalent=tested.is_equivalent)


def word(tested: TestedPair, difference: float, *, is_significant: bool, is_equivalent: bool) -> Verdict:
    """The verdict in one word; `difference` is the rate of the system minus that of the baseline."""
    if is_equivalent:
        return "equivalent"
    if not is_significant:
        return "inconclusive"
    return "better" if difference * tested.pair.improvement_sign < 0 else "worse"


def _reason(tested: TestedPair, verdict: Verdict, detectable: float | None) -> str:
    pair, settings = tested.pair, tested.settings
    correction, family = settings.correction, len(tested.family)
    finding = _finding(settings.deciding_test, tested.pvalue_adjusted, correction, family)
    if verdict == "equivalent":
        also = f", although {finding}" if tested.is_significant else ""
        return (
            f"The difference surely lies within the margin of {in_points(settings.margin or 0.0)} "
            f"({_pvalue(tested.equivalence_adjusted, correction, family)}){also}."
        )
    if verdict != "inconclusive":
        return significance_sentence(
            pair.metric.id,
            pair.baseline,
            pair.system,
            pair.difference,
            test=settings.deciding_test,
            pvalue=tested.pvalue_adjusted,
            correction=correction,
            family=family,
            alpha=settings.alpha,
        )
    if too_few := _too_few(tested):
        return too_few
    if tested.deciding.method == "none":
        return _without_variation(tested)
    missed = "" if detectable is None else f"; {in_points(detectable)} would have been found with 80 % probability"
    return f"{finding}, not below {settings.alpha:g}{missed}."


def significance_sentence(
    metric: str,
    baseline: str,
    system: str,
    difference: float,
    *,
    test: str,
    pvalue: float,
    correction: str,
    family: int,
    alpha: float,
) -> str:
    """How far a significantly different system is from its baseline; both are named as the reader knows them.

    `pvalue` is adjusted over a family of so many pairs.
    """
    side = "lower" if difference < 0 else "higher"
    return (
        f"{metric} of {system} is {in_points(abs(difference))} {side} than that of {baseline}; "
        f"{_finding(test, pvalue, correction, family)}, below {alpha:g}."
    )


def _too_few(tested: TestedPair) -> str:
    """Say so where no outcome could be significant: none at all, or none with so many units that differ."""
    settings, test, replicates = tested.settings, tested.deciding, tested.pair.replicates
    counted = tested.pair.counted
    if settings.deciding_test == "randomisation" and not tested.can_reach(replicates.n):
        return f"n too small: no p below {settings.alpha:g} can be reached with {counted}{_in_family(tested)}."
    if test.method == "none":
        return f"n too small: {replicates.reason}" if replicates.reason else ""
    differing = _differing(tested)
    if differing is not None and not tested.can_reach(differing):
        return (
            f"n too small: no p below {settings.alpha:g} can be reached with {differing} differing "
            f"{test.unit}{'' if differing == 1 else 's'}{_in_family(tested)}."
        )
    if not tested.can_resolve:
        return (
            f"B too small: no p below {settings.alpha:g} can be reached with {settings.resamples} "
            f"resample{'' if settings.resamples == 1 else 's'}{_in_family(tested)}."
        )
    return ""


def _lacks_variation(tested: TestedPair) -> bool:
    """Whether there is a difference, but nothing to judge it by."""
    return tested.deciding.method == "none" and tested.pair.difference != 0


def _without_variation(tested: TestedPair) -> str:
    unit = tested.deciding.unit
    if tested.pair.difference == 0:
        return f"The systems do not differ in what {tested.settings.deciding_test} looks at, {unit} by {unit}."
    return f"{tested.settings.deciding_test} finds no variation from {unit} to {unit} to judge the difference by."


def _differing(tested: TestedPair) -> int | None:
    """Units in which the systems differ, where the deciding test rests on the signs of their differences."""
    test, name = tested.deciding, tested.settings.deciding_test
    if name == "randomisation":
        return int(test.extra["positive"] + test.extra["negative"])
    return test.n if name in _EXACT_BY_SIGNS and test.method == "exact" else None


def _detectable(tested: TestedPair) -> float | None:
    deviation, units = tested.pair.unit_deviation, tested.pair.replicates.n
    if deviation is None or not (tested.can_reach(units) and tested.can_resolve):
        return None
    return detectable_difference(deviation, units, alpha=tested.alpha)


def _further_units(tested: TestedPair) -> int | None:
    pair, margin = tested.pair, tested.settings.margin
    deviation = pair.unit_deviation
    if deviation is None or not tested.can_resolve:
        return None
    needed = [units_to_detect(pair.difference, deviation, alpha=tested.alpha)]
    if margin is not None:
        needed.append(units_to_equate(pair.difference, deviation, margin=margin, alpha=tested.alpha))
    fewest = FEW_UNITS if margin is not None else 2
    while not tested.can_reach(fewest):
        fewest += 1
    enough = [max(number, fewest) for number in needed if number is not None]
    return max(1, min(enough) - pair.replicates.n) if enough else None


def _in_family(tested: TestedPair) -> str:
    pairs = len(tested.family)
    return "" if pairs == 1 or tested.settings.correction == "none" else f" and {pairs} pairs"


def _finding(test: str, pvalue: float, correction: str, family: int) -> str:
    return f"{test} gives {_pvalue(pvalue, correction, family)}"


def _pvalue(pvalue: float, correction: str, family: int) -> str:
    shown = "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.4g}"
    if correction == "none" or family == 1:
        return shown
    return f"{shown} after {correction.replace('_', '-').title()} over {family} pairs"
