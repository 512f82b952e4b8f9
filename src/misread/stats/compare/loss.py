"""Judgement whether a system lost at most a margin against its baseline: non-inferiority, or its opposite."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from misread.stats.compare.system_pair import SystemPair
from misread.stats.design.power import POWER, detectable_difference, units_to_detect
from misread.stats.results import TOLERANCE, ConfidenceInterval, in_points
from misread.stats.significance.corpus_scores import FEW_UNITS

LossOutcome = Literal["pass", "fail", "cannot tell"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LossJudgement:
    """Judgement of the loss of a system: how much worse its rate is than that of its baseline."""

    outcome: LossOutcome
    reason: str  # plain sentences
    loss: float | None = None  # negative for a gain; None if a rate is undefined
    interval: ConfidenceInterval | None = None  # of the loss; None with too little to draw from
    # smallest margin within which an unchanged system is shown to lie with 80 % probability; None if unknown
    smallest_margin: float | None = None
    # approximate number of units (clusters if there are any, else segments) that would settle it if the true loss is
    # the observed one; None if it is settled, or no number would do
    units_needed: int | None = None


def judge_loss(pair: SystemPair, margin: float, *, comparisons: int = 1) -> LossJudgement:
    """Compare the paired interval of the loss with a margin, the largest acceptable loss.

    "pass" if no part of the interval lies above the margin, "fail" if all of it does, else "cannot tell". A loss equal
    to the margin is accepted. With an interval of confidence 1 - 2a, a system whose true loss exceeds the margin passes
    with a probability of at most about a; a system whose true loss does not exceed it fails with the same probability
    at most. If several `comparisons` must all pass, the first holds for all together without correction (an
    intersection-union test). One failure is enough to fail, so that the interval for failures has confidence 1 - 2a /
    comparisons (Bonferroni). With fewer than 10 units the outcome is "cannot tell".

    Piaggio et al. (2012), Reporting of noninferiority and equivalence randomized trials; Berger (1982), Multiparameter
    hypothesis testing and acceptance sampling.
    """
    if np.isnan(pair.difference):
        return LossJudgement(outcome="cannot tell", reason="The rate is undefined: every reference is empty.")
    loss = pair.improvement_sign * pair.difference
    interval = None if pair.replicates.reason else loss_interval(pair)
    outcome, reason = decide(pair, interval, margin, comparisons)
    smallest, needed = _smallest_margin(pair), None
    if outcome == "cannot tell":
        needed = _units_needed(pair, loss, margin, comparisons)
        reason = f"{reason}{_plan(pair, smallest, needed)}"
    return LossJudgement(
        outcome=outcome,
        reason=reason,
        loss=loss,
        interval=interval,
        smallest_margin=smallest,
        units_needed=needed,
    )


def loss_interval(pair: SystemPair, comparisons: int = 1) -> ConfidenceInterval | None:
    """Interval of the loss, with the error divided by the number of comparisons; None with too little to draw from."""
    confidence = 1 - (1 - pair.settings.confidence) / comparisons
    interval = pair.replicates.interval(pair.system, pair.baseline, confidence=confidence)
    return interval if interval is None or pair.improvement_sign > 0 else interval.negated()


def decide(
    pair: SystemPair, interval: ConfidenceInterval | None, margin: float, comparisons: int
) -> tuple[LossOutcome, str]:
    """Outcome and its reason, as `judge_loss` says, from the interval of the loss."""
    shown = in_points(margin)
    if pair.replicates.reason:
        return "cannot tell", pair.replicates.reason
    if pair.shared.units < FEW_UNITS:
        return "cannot tell", f"{pair.counted} are too few to judge by: at least {FEW_UNITS} are needed."
    if interval is None:
        return "cannot tell", pair.replicates.reason_without_interval(pair.system, pair.baseline)
    if interval.high <= margin + TOLERANCE:
        at_most = f"lost at most {in_points(interval.high)}"
        gained = f"gained at least {in_points(-interval.high)}"
        return "pass", f"It {gained if interval.high < 0 else at_most}, within the margin of {shown}."
    for_failures = loss_interval(pair, comparisons)
    if for_failures and for_failures.low > margin + TOLERANCE:
        return "fail", f"It lost at least {in_points(for_failures.low)}, more than the margin of {shown}."
    return "cannot tell", (
        f"The loss lies between {in_points(interval.low)} and {in_points(interval.high)}; the margin is {shown}."
    )


def _plan(pair: SystemPair, smallest: float | None, needed: int | None) -> str:
    """Power of this sample, and the size of a sample that would settle the question."""
    unit = "segments" if pair.shared.clusters is None else f"clusters ({pair.shared.resampling_unit})"
    if smallest is None:
        return ""
    shows = (
        f" The smallest margin that {pair.counted} can show is {in_points(smallest)} ({100 * POWER:g} % probability)"
    )
    if needed is None:
        return f"{shows}; no number of {unit} would settle it, as the loss is the margin."
    return f"{shows}; about {needed:,} {unit} would settle it if the loss stays what it is."


def _smallest_margin(pair: SystemPair) -> float | None:
    deviation = pair.unit_deviation
    if deviation is None or pair.shared.units < 2:
        return None
    return detectable_difference(deviation, pair.shared.units, alpha=1 - pair.settings.confidence)


def _units_needed(pair: SystemPair, loss: float, margin: float, comparisons: int) -> int | None:
    deviation = pair.unit_deviation
    if deviation is None or abs(loss - margin) <= TOLERANCE:
        return None
    alpha = 1 - pair.settings.confidence
    needed = units_to_detect(loss - margin, deviation, alpha=alpha / comparisons if loss > margin else alpha)
    return None if needed is None else max(FEW_UNITS, needed)
