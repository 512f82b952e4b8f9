"""Plans of a comparison: checking a fixed number of clusters, or one by one until it is decided."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from misread.stats import Design, Variances
from misread.stats.sequential.confidence_sequence import Rule
from misread.stats.sequential.outlook import clusters_to_find, clusters_to_narrow


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
