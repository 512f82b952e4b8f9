"""Rates, differences and their verdicts from agreement, and what a reader has to know of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import scipy

from misread.errors import ConfigurationError, UndefinedResultError, needed_for, setting
from misread.features.disputes.agreement.estimator import FEWEST_TYPED, PRIOR, AgreedRate, Agreement, agreed_rate
from misread.features.disputes.agreement.order import Order
from misread.features.disputes.agreement.records import AgreedDifference, AgreedRecord
from misread.features.disputes.agreement.table import lay_out_predicted
from misread.features.disputes.agreement.texts import Gathered
from misread.io.checks.choices import check_choice
from misread.stats.significance.pvalue_adjustment import adjust
from misread.tables import ReportSettings, render_html, render_latex
from misread.text.nouns import list_in_words, plural
from misread.types import FloatArray, IntArray

_FEW: Final = 10
# Probability of a false alarm that typed units were not drawn.
_ALARM: Final = 0.001
_HALF: Final = 0.5

if TYPE_CHECKING:
    import pandas as pd

    from misread.tables import Table


@dataclass(frozen=True, kw_only=True)
class AgreedResult(AgreedRecord):
    """Rates of all texts from typed units and from agreement; prints as its table."""

    def to_frame(self) -> pd.DataFrame:
        """Rates and differences as a pandas DataFrame, unrounded: a row for each line of the table."""
        with needed_for("DataFrames need", "pandas", "frames"):
            import pandas as pd

        return pd.DataFrame(list(self._table.records), columns=list(self._table.record_names))

    def to_latex(self) -> str:
        """The table in LaTeX with booktabs."""
        return render_latex(self._table)

    def _repr_html_(self) -> str:
        """The table for notebooks."""
        return render_html(self._table)

    def __str__(self) -> str:
        from misread.tables.render.terminal import render_text

        return render_text([self._table]).rstrip("\n")

    @property
    def _table(self) -> Table:
        return lay_out_predicted(self, ReportSettings([self.metric]))


def with_order(
    gathered: Gathered, order: Order | None, *, draw: str | None, strata: str | None = None
) -> tuple[Gathered, str]:
    """Outputs with the probabilities of their units, and how these were drawn: by an order, or at random.

    Raises
    ------
    ConfigurationError
        If there is neither order nor draw, the order is of other outputs, or a unit is typed that is not among its
        first.
    UndefinedResultError
        If a single unit of a stratum is typed.
    """
    if (order is None) == (draw is None) or (strata and order):
        raise ConfigurationError(
            f"name {setting('agreement', 'order.csv')}, or {setting('draw', 'random')} if typed units were drawn at "
            "random, in all or in strata; of units that somebody chose there is no estimate."
        )
    agreement = gathered.agreement
    number, typed = len(gathered.units), int(agreement.typed.sum())
    if order is None:
        labels = gathered.label_units(strata) if strata else [""] * number
        names, stratum = np.unique(labels, return_inverse=True)
        sizes, typed_of = np.bincount(stratum), np.bincount(stratum, agreement.typed)
        if len(few := names[typed_of < np.minimum(sizes, 2)]) and strata:
            raise UndefinedResultError(
                f"fewer than two {plural(gathered.unit)} of the {strata} {str(few[0])!r} are typed; how they differ "
                "is not known; type more, or join strata."
            )
        probability: FloatArray = (typed_of / sizes)[stratum]
        sample = replace(agreement, probability=probability, stratum=stratum if strata else None)
        return replace(gathered, agreement=sample), f"random(strata={strata})" if strata else "random"
    order.check_outputs(gathered.texts, gathered.units)
    places = {label: position for position, label in enumerate(order.units)}
    late = [label for label, is_typed in zip(gathered.units, agreement.typed, strict=True) if is_typed]
    late = [label for label in late if places[label] >= typed]
    if late:
        missing = next(label for label in order.units if not agreement.typed[gathered.units.index(label)])
        raise ConfigurationError(
            f"{gathered.unit} {late[0]!r} is typed, which is not among the first {typed} of {order.name}, and "
            f"{missing!r} is not: type the first ones, or leave out those beyond."
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
    witnesses: Sequence[str] = (),
    alpha: float = 0.05,
) -> AgreedResult:
    """Estimate the rate of each system but witnesses, and each difference; with `such`, of all such texts.

    Raises UndefinedResultError if fewer than five units were drawn and typed, UnknownNameError for another witness.
    """
    agreement, systems = gathered.agreement, gathered.systems
    for name in witnesses:
        check_choice("system", name, systems, where=setting("witness"))
    shown = [position for position, system in enumerate(systems) if system not in witnesses]
    aims = np.eye(len(systems))
    rates = {systems[a]: agreed_rate(agreement, aims[a], confidence=confidence, such=such) for a in shown}
    differences = {
        (a, b): agreed_rate(agreement, aims[b] - aims[a], confidence=confidence, such=such)
        for a, b in combinations(shown, 2)
    }
    pairs = _decide(systems, differences, alpha)
    by_group = {
        group: {systems[a]: _of_group(agreement, aims[a], units, confidence, such=such) for a in shown}
        for group, units in gathered.groups.items()
    }
    typed, number = int(agreement.typed.sum()), len(gathered.units)
    if gathered.signature is None:
        raise UndefinedResultError("nothing is typed.")
    data, how = f"{gathered.dataset}@{gathered.texts[:8]}", f"agreement(kappa={PRIOR:g},draw={drawn})"
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
        warnings=_warnings(gathered, rates, pairs),
        signature=gathered.signature.with_facts({"data": data, "n": f"{typed}/{number}", "typed": how}),
    )


def _decide(
    systems: Sequence[str], differences: Mapping[tuple[int, int], AgreedRate], alpha: float
) -> list[AgreedDifference]:
    """Verdicts on pairs of systems, by Holm over those that have a test."""
    pvalues = {pair: pvalue for pair, difference in differences.items() if (pvalue := difference.pvalue) is not None}
    adjusted = dict(zip(pvalues, adjust([*pvalues.values()], method="holm").tolist(), strict=True))
    pairs = []
    for (a, b), difference in differences.items():
        pvalue = adjusted.get((a, b))
        is_apart = difference.is_exact if pvalue is None else pvalue < alpha
        verdict = "inconclusive" if not (is_apart and difference.rate) else "better" if difference.rate < 0 else "worse"
        pairs.append(
            AgreedDifference(
                baseline=systems[a], system=systems[b], difference=difference, pvalue_adjusted=pvalue, verdict=verdict
            )
        )
    return pairs


def _of_group(
    agreement: Agreement, target: FloatArray, units: IntArray, confidence: float, *, such: bool
) -> AgreedRate | None:
    """Rate of a group; None where too few of its units are typed."""
    try:
        return agreed_rate(agreement, target, confidence=confidence, such=such, units=units)
    except UndefinedResultError:
        return None


def _warnings(gathered: Gathered, rates: Mapping[str, AgreedRate], pairs: Sequence[AgreedDifference]) -> list[str]:
    agreement, units = gathered.agreement, plural(gathered.unit)
    typed = int(agreement.typed.sum())
    sentences = []
    if FEWEST_TYPED <= typed < min(_FEW, len(gathered.units)):
        sentences.append(f"{typed} {units} are few: intervals are too narrow if a few {units} are unlike all others.")
    for first, second in gathered.identical:
        sentences.append(f"{first} and {second} have the same outputs everywhere; keep one, and agreement says more.")
    if agreement.systems == 2 and pairs:
        sentences.append("With two systems agreement says little of their difference; a third reading would help.")
    every = {**rates, **{f"{pair.system} - {pair.baseline}": pair.difference for pair in pairs}}
    if names := [name for name, rate in every.items() if rate.largest > _HALF]:
        sentences.append(f"One {gathered.unit} has more than half of the variance of {list_in_words(names, 'and')}.")
    untested = [pair for pair in pairs if pair.difference.pvalue is None and not pair.difference.is_exact]
    if names := [f"{pair.system} - {pair.baseline}" for pair in untested]:
        sentences.append(
            f"There is no verdict on {list_in_words(names, 'and')}: fewer than three of the typed {units} have, in "
            "effect, all of the disagreement. Type more, drawn by disagreement."
        )
    if all(rate.weight == 0 for rate in rates.values()) and typed < len(gathered.units):
        sentences.append("Agreement says nothing here: the rates are those of what was typed alone.")
    if _is_selected(agreement):
        sentences.append(
            f"Systems disagree on the typed {units} far more, or less, than on all: were these really drawn?"
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
