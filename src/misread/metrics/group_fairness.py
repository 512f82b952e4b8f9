"""Fairness: spread of a rate over groups: languages, scripts, writers, levels of degradation."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from misread.errors import InputTypeError, UndefinedResultError
from misread.io.checks.numbers import check_number
from misread.metrics.bands import PARITY
from misread.metrics.base import Direction
from misread.named_result import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness(Record):
    """Spread of a rate over groups."""

    groups: int
    range: float  # largest minus smallest rate
    standard_deviation: float  # of the population of these groups (divided by their number)
    mean: float  # unweighted, over groups
    worst_group: str  # with the largest rate, or the smallest where higher is better
    best_group: str
    band: str | None  # word for the range, as the specification gives it for CER; None in comparisons by another metric


def fairness(
    rates: Mapping[str, float], *, direction: Direction = Direction.LOWER_IS_BETTER, lowest: float = 0.0
) -> Fairness:
    """Describe the spread of a rate over groups.

    Every group weighs the same, however many segments it has; also consider their intervals and sizes.

    Parameters
    ----------
    rates : mapping of group to float
        Rates as fractions, of at least one group.
    direction : Direction
        Which way the rate gets better.
    lowest : float
        Below which there is no rate.

    Raises
    ------
    InputTypeError
        If there are no rates by group, or a rate is not a number; names the group.
    UndefinedResultError
        If there is no group, or a rate is not a number, or below the lowest; names the group.

    References
    ----------
    Evaluation Metrics (Thulium suite), "Fairness Metrics".

    Examples
    --------
    >>> result = fairness({"English": 0.018, "German": 0.021, "Arabic": 0.042, "Georgian": 0.035})
    >>> round(result.range, 4), round(result.standard_deviation, 4), result.worst_group, result.band
    (0.024, 0.0099, 'Arabic', 'Good parity')
    """
    if not isinstance(rates, Mapping):
        raise InputTypeError(f"rates is of type {type(rates).__name__}, expected a rate by the name of its group.")
    if not rates:
        raise UndefinedResultError("there is no group: fairness compares groups.")
    for group, rate in rates.items():
        if not check_number(f"the rate of group {group!r}", rate) >= lowest:
            raise UndefinedResultError(f"group {group!r} has the rate {rate}, expected a number of {lowest:g} or more.")
    values = np.array(list(rates.values()), dtype=np.float64)
    names = list(rates)
    spread = float(values.max() - values.min())
    best, worst = names[int(values.argmin())], names[int(values.argmax())]
    if direction is Direction.HIGHER_IS_BETTER:
        best, worst = worst, best
    return Fairness(
        groups=len(names),
        range=spread,
        standard_deviation=float(values.std(ddof=0)),
        mean=float(values.mean()),
        worst_group=worst,
        best_group=best,
        band=PARITY.name(spread),
    )
