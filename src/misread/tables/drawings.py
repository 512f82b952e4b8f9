"""Geometry of drawings in the cells of a table: a forest plot on one axis with zero, bars of shares."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from misread.stats import ConfidenceInterval
from misread.tables.number_text import RateFormat

WIDTH = 170
"""Units of the forest plot."""
BAR_WIDTH = 90
"""Units of a bar of shares."""
_MARGIN = 8
_STEPS = (1, 2, 2.5, 5, 10)
_MOST_TICKS = 5


class Whisker(NamedTuple):
    """A dot and the ends of its interval, None without an interval."""

    low: float | None
    middle: float
    high: float | None


class Tick(NamedTuple):
    """A number of the axis and its position."""

    position: float
    label: str


class Axis(NamedTuple):
    """From `bottom`, which is zero or below, to `top`; both are fractions."""

    bottom: float
    top: float
    ticks: tuple[Tick, ...]

    def place(self, value: float) -> float:
        """Position of a fraction in the drawing."""
        return round(_MARGIN + (WIDTH - 2 * _MARGIN) * (value - self.bottom) / (self.top - self.bottom), 2)

    def whisker(self, value: float, interval: ConfidenceInterval | None) -> Whisker:
        """Position of a rate and its interval."""
        if interval is None:
            return Whisker(None, self.place(value), None)
        return Whisker(self.place(interval.low), self.place(value), self.place(interval.high))


def make_axis(values: Sequence[float], rates: RateFormat) -> Axis:
    """Axis that contains zero and all values (fractions), with at most five round numbers above zero."""
    bottom, top = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    span = top - bottom or 0.01
    power = 10.0 ** math.floor(math.log10(span / _MOST_TICKS))
    step = next(factor * power for factor in _STEPS if span / (factor * power) <= _MOST_TICKS)
    first, last = math.floor(round(bottom / step, 9)), math.ceil(round((top or bottom + span) / step, 9))
    axis = Axis(first * step, last * step, ())
    places = [number * step for number in range(first, last + 1)]
    return axis._replace(
        ticks=tuple(Tick(axis.place(position), f"{rates.scaled(position):.6g}") for position in places)
    )


class Share(NamedTuple):
    """Errors of one kind: their number, and their part of the bar."""

    name: str
    letter: str
    number: int
    start: float
    width: float


def make_shares(counts: Mapping[str, int]) -> tuple[Share, ...]:
    """Parts of a bar that is as long as all counts together."""
    total = sum(counts.values())
    shares = []
    start = 0.0
    for name, count in counts.items():
        width = BAR_WIDTH * count / total if total else 0.0
        shares.append(Share(name, name[0].upper(), count, round(start, 2), round(width, 2)))
        start += width
    return tuple(shares)
