"""Rates, differences and their verdicts from agreement, and what a reader has to know of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np
import scipy

from misread.errors import ConfigurationError, UndefinedResultError
from misread.features.agreement.estimator import FEWEST_TYPED, PRIOR, AgreedRate, Agreement, agreed_rate
from misread.features.agreement.order import Order
from misread.features.agreement.texts import Gathered
from misread.provenance.signature import Signature
from misread.stats.significance.pvalue_adjustment import adjust
from misread.text.nouns import count_of, list_in_words, plural
from misread.types import FloatArray

_FEW: Final = 10
# Probability of a false alarm that typed units were not drawn.
_ALARM: Final = 0.001
_HALF: Final = 0.5


@dataclass(frozen=True, kw_only=True)
class AgreedDifference:
    """Difference of two systems, the second less the first."""

    baseline: str
    system: str
    difference: AgreedRate
    pvalue_adjusted: float
    verdict: str  # "better", "worse" or "inconclusive"


@dataclass(frozen=True, kw_only=True)
class AgreedResult:
    """Rates of all texts from typed units and from agreement."""

    metric: str
    unit: str
    units: int
    typed: int
    drawn: str
    such: bool
    rates: Mapping[str, AgreedRate]
    pairs: Sequence[AgreedDifference]
    groups: Mapping[str, Mapping[str, AgreedRate]]  # by group and system; without those of too few typed units
    warnings: Sequence[str]
    signature: Signature


def with_order(gathered: Gathered, order: Order | None, where: str) -> tuple[Gathered, str]:
    """Outputs with the probabilities of their units, and how these were drawn; without an order, all alike.

    Raises ConfigurationError if the order is of other outputs, or a unit is typed that is not among its first.
    """
    agreement = gathered.agreement
    number, typed = len(gathered.units), int(agreement.typed.sum())
    if order is None:
        probability: FloatArray = np.full(number, typed / number)
        return replace(gathered, agreement=replace(agreement, probability=probability)), "random"
    if order.texts != gathered.texts or {*order.units} != {*gathered.units}:
        raise ConfigurationError(
            f"{where} is the order of other outputs, or of another normalizer, unit or metric; run `misread plan next` "
            "on these, before more is typed."
        )
    places = {label: position for position, label in enumerate(order.units)}
    late = [label for label, is_typed in zip(gathered.units, agreement.typed, strict=True) if is_typed]
    late = [label for label in late if places[label] >= typed]
    if late:
        missing = next(label for label in order.units if not agreement.typed[gathered.units.index(label)])
        raise ConfigurationError(
            f"{gathered.unit} {late[0]!r} is typed, which is not among the first {typed} of {where}, and {missing!r} "
            "is not: type the first ones, or leave out those beyond."
        )
    by_place = order.probabilities(typed)
    probability = np.array([by_place[places[label]] for label in gathered.units])
    return replace(gathered, agreement=replace(agreement, probability=probability)), order.drawn


def predict(
    gathered: Gathered,
    metric: str,
    drawn: str,
    *,
    confidence: float = 0.95,
    such: bool = False,
    groups: Mapping[str, Sequence[int]] | None = None,
    witnesses: Sequence[str] = (),
    alpha: float = 0.05,
) -> AgreedResult:
    """Estimate the rate of each system but witnesses, and each difference.

    Parameters
    ----------
    gathered : Gathered
        Of all outputs and of the typed units, with probabilities.
    metric : str
        Its id.
    drawn : str
        How units were drawn.
    such : bool
        Whether it is about all such texts, these being a sample, and not about exactly these.
    groups : mapping of str to sequence of int, optional
        Numbers of the units of each group.
    witnesses : sequence of str
        Systems that agreement is taken of, and no rate.

    Raises
    ------
    UndefinedResultError
        If fewer than five units were drawn and typed.
    """
    agreement, systems = gathered.agreement, gathered.systems
    shown = [position for position, system in enumerate(systems) if system not in witnesses]
    aims = np.eye(len(systems))
    rates = {systems[a]: agreed_rate(agreement, aims[a], confidence=confidence, such=such) for a in shown}
    differences = {
        (a, b): agreed_rate(agreement, aims[b] - aims[a], confidence=confidence, such=such)
        for a, b in combinations(shown, 2)
    }
    pvalues = [difference.pvalue for difference in differences.values()]
    adjusted = adjust(pvalues, method="holm").tolist() if pvalues else []
    pairs = []
    for ((a, b), difference), pvalue in zip(differences.items(), adjusted, strict=True):
        is_apart = pvalue < alpha and difference.interval is not None
        verdict = "inconclusive" if not is_apart else "better" if difference.rate < 0 else "worse"
        pairs.append(
            AgreedDifference(
                baseline=systems[a], system=systems[b], difference=difference, pvalue_adjusted=pvalue, verdict=verdict
            )
        )
    by_group = {}
    for group, units in (groups or {}).items():
        try:
            by_group[group] = {
                systems[a]: agreed_rate(agreement, aims[a], confidence=confidence, such=such, units=np.array(units))
                for a in shown
            }
        except UndefinedResultError:
            continue
    typed, number = int(agreement.typed.sum()), len(gathered.units)
    facts = {
        "data": f"{gathered.dataset}@{gathered.texts[:8]}",
        "n": f"{typed}/{number}",
        "typed": f"agreement(kappa={PRIOR:g},draw={drawn})",
    }
    if gathered.signature is None:
        raise UndefinedResultError("nothing is typed.")
    return AgreedResult(
        metric=metric,
        unit=gathered.unit,
        units=number,
        typed=typed,
        drawn=drawn,
        such=such,
        rates=rates,
        pairs=pairs,
        groups=by_group,
        warnings=_warnings(gathered, rates, differences.values()),
        signature=gathered.signature.with_facts(facts),
    )


def _warnings(gathered: Gathered, rates: Mapping[str, AgreedRate], differences: object) -> list[str]:
    agreement, units = gathered.agreement, plural(gathered.unit)
    typed = int(agreement.typed.sum())
    sentences = []
    if FEWEST_TYPED <= typed < min(_FEW, len(gathered.units)):
        sentences.append(f"{typed} {units} are few: intervals are wide, and rest on {units} that are much alike.")
    for first, second in gathered.identical:
        sentences.append(f"{first} and {second} have the same outputs everywhere; keep one, and agreement says more.")
    if agreement.systems == 2 and differences:
        sentences.append("With two systems agreement says little of their difference; a third reading would help.")
    if any(rate.largest > _HALF for rate in rates.values()):
        names = [system for system, rate in rates.items() if rate.largest > _HALF]
        sentences.append(f"One {gathered.unit} has more than half of the variance of {list_in_words(names, 'and')}.")
    if all(rate.weight == 0 for rate in rates.values()) and typed < len(gathered.units):
        sentences.append("Agreement says nothing here: the rates are those of what was typed alone.")
    if _is_selected(agreement):
        sentences.append(
            f"Systems disagree on the typed {units} far more, or less, than on all: were they drawn by the order?"
        )
    return sentences


def _is_selected(agreement: Agreement) -> bool:
    """Whether the sample's disagreement is further from that of all than one draw in a thousand."""
    probability, n = agreement.probability[agreement.typed], int(agreement.typed.sum())
    totals = np.column_stack([agreement.distances.sum(axis=(1, 2)) / 2, agreement.lengths.mean(axis=1)])
    sums = agreement.sum_by_unit(totals)
    sample = sums[agreement.typed] / probability[:, None]
    rest = sample.sum(axis=0) - sample
    if n < 2 or not (rest[:, 1].all() and sums[:, 1].sum()):
        return False
    without = rest[:, 0] / rest[:, 1]
    error = float(np.sqrt(((1 - probability) * (n - 1) / n) @ (without - without.mean()) ** 2))
    distance = abs(sample[:, 0].sum() / sample[:, 1].sum() - sums[:, 0].sum() / sums[:, 1].sum())
    return bool(error and distance / error > -scipy.special.stdtrit(n - 1, _ALARM / 2))


def describe_shift(result: AgreedResult) -> str:
    """Whose rate agreement corrects most, and what that says of the typed units; empty without a correction."""
    shifts = {system: rate.rate - rate.alone for system, rate in result.rates.items()}
    system = max(shifts, key=lambda name: abs(shifts[name]), default="")
    if not system or not shifts[system]:
        return ""
    kind = "easier" if shifts[system] > 0 else "harder"
    return (
        f"The typed {plural(result.unit)} are {kind} than all by the systems' disagreement: the rate of {system} is "
        f"corrected by {100 * shifts[system]:+.2f} points."
    )


def describe_sample(result: AgreedResult) -> list[str]:
    """Sentences on what was typed, how it was drawn, and what the numbers are about."""
    scope = f"such {plural(result.unit)}" if result.such else f"exactly these {count_of(result.units, result.unit)}"
    seen = [f"{system} {100 * rate.seen:.0f} %" for system, rate in result.rates.items() if rate.seen is not None]
    return [
        f"{count_of(result.typed, result.unit)} typed, drawn by {result.drawn}; rates are of {scope}.",
        *([f"Share of the errors that disagreement shows: {', '.join(seen)}."] if seen else []),
        "Intervals and p: Student's t with the jackknife error; a sample that is weighted and corrected has nothing to "
        "exchange, so there is no randomisation test.",
    ]
