"""The verdict on a pair of systems, in one word and one sentence, and the data needed to reach one."""

from misread.stats.compare.schema import Verdict
from misread.stats.compare.system_pair import SystemPair
from misread.stats.design.power import detectable_difference, units_to_detect, units_to_equate
from misread.stats.results import in_points
from misread.stats.significance.corpus_scores import FEW_UNITS

_EXACT_BY_SIGNS = ("mcnemar", "sign", "wilcoxon")


def verdict_on(pair: SystemPair) -> Verdict:
    """The verdict on a pair.

    A pair is equivalent if its difference is shown to lie within the margin, even if it is significant: differences
    within the margin do not matter. Otherwise it is better or worse if the deciding test finds a difference, and else
    inconclusive.
    """
    difference, is_significant = pair.difference, pair.is_significant
    return word(pair, difference, is_significant=is_significant, is_equivalent=pair.is_equivalent)


def word(pair: SystemPair, difference: float, *, is_significant: bool, is_equivalent: bool) -> Verdict:
    """The verdict in one word; `difference` is the rate of the system minus that of the baseline."""
    if is_equivalent:
        return "equivalent"
    if not is_significant:
        return "inconclusive"
    return "better" if difference * pair.improvement_sign < 0 else "worse"


def explain_verdict(pair: SystemPair) -> str:
    """The verdict in one plain sentence, with the ids of the systems."""
    verdict, settings = verdict_on(pair), pair.settings
    correction, family = settings.correction, len(pair.family)
    finding = describe_finding(settings.deciding_test, pair.pvalue_adjusted, correction, family)
    if verdict == "equivalent":
        also = f", although {finding}" if pair.is_significant else ""
        return (
            f"The difference surely lies within the margin of {in_points(settings.margin or 0.0)} "
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
    detectable = smallest_detectable(pair)
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
    settings, test, replicates = pair.settings, pair.deciding, pair.replicates
    counted = pair.counted
    if settings.deciding_test == "randomisation" and not pair.can_reach(replicates.n):
        return f"n too small: no p below {settings.alpha:g} can be reached with {counted}{_in_family(pair)}."
    if test.method == "none":
        return f"n too small: {replicates.reason}" if replicates.reason else ""
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
    return verdict_on(pair) != "inconclusive" or not (_too_few(pair) or lacks_variation)


def _without_variation(pair: SystemPair) -> str:
    unit = pair.deciding.unit
    if pair.difference == 0:
        return f"The systems do not differ in what {pair.settings.deciding_test} looks at, {unit} by {unit}."
    return f"{pair.settings.deciding_test} finds no variation from {unit} to {unit} to judge the difference by."


def _differing(pair: SystemPair) -> int | None:
    """Number of units in which the systems differ, if the deciding test uses the signs of their differences."""
    test, name = pair.deciding, pair.settings.deciding_test
    if name == "randomisation":
        return int(test.extra["positive"] + test.extra["negative"])
    return test.n if name in _EXACT_BY_SIGNS and test.method == "exact" else None


def smallest_detectable(pair: SystemPair) -> float | None:
    """Smallest true difference that is found with 80 % probability, as a fraction; None if none could be found."""
    deviation, units = pair.unit_deviation, pair.replicates.n
    if deviation is None or not (pair.can_reach(units) and pair.can_resolve):
        return None
    return detectable_difference(deviation, units, alpha=pair.alpha)


def further_units(pair: SystemPair) -> int | None:
    """Approximate number of further clusters, or segments without clusters, that would settle an inconclusive pair.

    It assumes that the true difference is the observed one; None if the pair is settled, or no number would do.
    """
    deviation, margin = pair.unit_deviation, pair.settings.margin
    if verdict_on(pair) != "inconclusive" or deviation is None or not pair.can_resolve:
        return None
    needed = [units_to_detect(pair.difference, deviation, alpha=pair.alpha)]
    if margin is not None:
        needed.append(units_to_equate(pair.difference, deviation, margin=margin, alpha=pair.alpha))
    fewest = FEW_UNITS if margin is not None else 2
    while not pair.can_reach(fewest):
        fewest += 1
    enough = [max(number, fewest) for number in needed if number is not None]
    return max(1, min(enough) - pair.replicates.n) if enough else None


def _in_family(pair: SystemPair) -> str:
    pairs = len(pair.family)
    return "" if pairs == 1 or pair.settings.correction == "none" else f" and {pairs} pairs"


def _pvalue(pvalue: float, correction: str, family: int) -> str:
    shown = "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.4g}"
    if correction == "none" or family == 1:
        return shown
    return f"{shown} after {correction.replace('_', '-').title()} over {family} pairs"
