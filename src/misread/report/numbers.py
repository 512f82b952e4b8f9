"""Numbers as text: the same everywhere, never 0.000."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from misread.stats import Interval

SMALLEST_SHOWN_PVALUE = 0.001

RateUnit = Literal["percent", "fraction"]


@dataclass(frozen=True, slots=True)
class RateFormat:
    """How rates, their differences and intervals are written.

    Parameters
    ----------
    digits : int
        After the point, as shown.
    unit : {"percent", "fraction"}
        Whether 0.0301 is 3.01 or stays what it is.
    """

    digits: int = 2
    unit: RateUnit = "percent"

    @property
    def sign(self) -> str:
        """What a title says behind the name of a rate."""
        return " %" if self.unit == "percent" else ""

    @property
    def axis(self) -> str:
        """What an axis says behind the name of a rate."""
        return " in %" if self.unit == "percent" else ""

    def rate(self, rate: float) -> str:
        """Rate without its unit.

        Examples
        --------
        >>> RateFormat().rate(0.0301), RateFormat(4, "fraction").rate(0.0301)
        ('3.01', '0.0301')
        """
        return f"{self.scaled(rate):.{self.digits}f}"

    def difference(self, difference: float) -> str:
        """Difference of rates with its sign, in percentage points or as a fraction.

        Examples
        --------
        >>> RateFormat().difference(0.038), RateFormat().difference(-0.00001)
        ('+3.80', '0.00')
        """
        text = f"{self.scaled(difference):+.{self.digits}f}"
        return text if text.strip("+-0.") else text[1:]

    def interval(self, interval: Interval | None, *, signed: bool = False) -> str:
        """Interval in brackets; empty where there is none.

        Examples
        --------
        >>> RateFormat().interval({"low": 0.0187, "high": 0.0441, "confidence": 0.95, "method": "percentile"})
        '[1.87, 4.41]'
        """
        if interval is None:
            return ""
        write = self.difference if signed else self.rate
        return f"[{write(interval['low'])}, {write(interval['high'])}]"

    def scaled(self, value: float) -> float:
        """Rate or difference as the number that is shown."""
        return 100 * value if self.unit == "percent" else value


def level_title(interval: Interval | None) -> str:
    """What stands above intervals like this one.

    Examples
    --------
    >>> level_title({"low": 0.0, "high": 1.0, "confidence": 0.95, "method": "percentile"})
    '[95 %]'
    """
    return f"[{interval['confidence'] * 100:g} %]" if interval else ""


def interval_ends(interval: Interval | None) -> tuple[float | None, float | None]:
    """Both ends, or twice None."""
    return (interval["low"], interval["high"]) if interval else (None, None)


def pvalue_text(pvalue: float) -> str:
    """p-value with three digits, or a bound.

    Examples
    --------
    >>> pvalue_text(0.0123), pvalue_text(0.0001), pvalue_text(1.0)
    ('0.012', '< 0.001', '1.000')
    """
    return f"< {SMALLEST_SHOWN_PVALUE}" if pvalue < SMALLEST_SHOWN_PVALUE else f"{pvalue:.3f}"
