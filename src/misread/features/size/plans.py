"""Plans of a comparison: checking a fixed number of clusters, or one by one until it is decided; in full or in part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from misread.errors import ConfigurationError, setting
from misread.stats import Design, Prices, Variances
from misread.stats.sequential.confidence_sequence import Rule
from misread.stats.sequential.outlook import clusters_to_find, clusters_to_narrow

Checking = Literal["fixed", "one by one"]
Typing = Literal["in full", "disputed places"]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A number of runs, with the clusters that each way of checking takes.

    Attributes
    ----------
    design : Design
        Runs, and clusters if their number is fixed beforehand.
    one_by_one : int or None
        About how many clusters it takes to check one after another until it is decided: if the difference is as large
        as wanted, or until the interval is as narrow. None where runs share an effect, which more clusters do not
        remove.
    one_by_one_if_twice : int or None
        The same if the difference is twice as large; None of a width.
    """

    design: Design
    one_by_one: int | None
    one_by_one_if_twice: int | None

    @property
    def expected(self) -> float | None:
        """Clusters to check one by one: the mean over both cases."""
        numbers = [number for number in (self.one_by_one, self.one_by_one_if_twice) if number is not None]
        return sum(numbers) / len(numbers) if numbers else None


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One way to do it, with its expected price."""

    plan: Plan
    checking: Checking
    typing: Typing
    clusters: float
    price: float


def make_plans(
    variances: Variances, designs: Sequence[Design], *, difference: float | None, width: float | None, alpha: float
) -> list[Plan]:
    """The plan of each design, for a wanted difference or a wanted width."""
    plans = []
    for design in designs:
        deviation = math.sqrt(variances.clusters + variances.residual / design.runs)
        as_wanted = if_twice = None
        if variances.runs == 0 and width is not None:
            as_wanted = clusters_to_narrow(width, deviation, level=alpha)
        elif variances.runs == 0 and difference is not None:
            rule = Rule(level=alpha, narrowest=design.clusters / 2)
            as_wanted, if_twice = (clusters_to_find(times * difference, deviation, rule) for times in (1, 2))
        plans.append(Plan(design=design, one_by_one=as_wanted, one_by_one_if_twice=if_twice))
    return plans


def weigh_choices(plans: Sequence[Plan], prices: Prices, typed_share: float | None) -> Iterator[Choice]:
    """Every way to do it, with its expected price."""
    shares: dict[Typing, float] = {"in full": 1.0}
    if typed_share is not None:
        shares["disputed places"] = typed_share
    for plan in plans:
        numbers: dict[Checking, float | None] = {"fixed": plan.design.clusters, "one by one": plan.expected}
        for checking, clusters in numbers.items():
            if clusters is not None:
                for typing, share in shares.items():
                    price = prices.total(clusters, plan.design.runs, typed_share=share)
                    yield Choice(plan=plan, checking=checking, typing=typing, clusters=clusters, price=price)


def check_typed_share(share: float | None) -> None:
    """Refuse a share of characters to type outside (0, 1]."""
    if share is not None and not 0 < share <= 1:
        raise ConfigurationError(
            f"{setting('typed_share')} is {share:g}, expected a share above 0 and up to 1, such as 0.2: that of the "
            "characters where the systems differ, which `misread dispute` measures."
        )
