"""Numbers as text, written the same way everywhere."""

from dataclasses import dataclass
from typing import Literal

from misread.stats import ConfidenceInterval

SMALLEST_SHOWN_PVALUE = 0.001

NO_INTERVAL = "[--]"
"""In place of an interval that a rate does not have."""

NO_INTERVAL_MARK = f"{NO_INTERVAL}: no interval, as the clusters (or segments) are too few or too unequal."

RateUnit = Literal["percent", "fraction"]


@dataclass(frozen=True, slots=True)
class RateFormat:
    """Format of rates, their differences and intervals."""

    # After the decimal point, as shown.
    digits: int = 2
    unit: RateUnit = "percent"
    # Of numbers that are no rates, such as USD.
    measure: str = ""

    @property
    def sign(self) -> str:
        """Unit after a title."""
        measure = "%" if self.unit == "percent" else self.measure
        return f" {measure}" if measure else ""

    @property
    def axis(self) -> str:
        """Unit after the title of an axis."""
        return f" in{self.sign}" if self.sign else ""

    def rate(self, rate: float) -> str:
        return f"{self.scaled(rate):.{self.digits}f}"

    def difference(self, difference: float) -> str:
        """In percentage points or as a fraction, with its sign unless it rounds to zero."""
        text = f"{self.scaled(difference):+.{self.digits}f}"
        return text if text.strip("+-0.") else text[1:]

    def interval(self, interval: ConfidenceInterval | None, *, signed: bool = False) -> str:
        """In brackets; empty if there is none."""
        if interval is None:
            return ""
        write = self.difference if signed else self.rate
        return f"[{write(interval.low)}, {write(interval.high)}]"

    def interval_of(self, value: float | None, interval: ConfidenceInterval | None, *, signed: bool = False) -> str:
        """Interval of a rate or a difference; a sign where it has none, and empty where there is no value either."""
        return NO_INTERVAL if interval is None and value is not None else self.interval(interval, signed=signed)

    def scaled(self, value: float) -> float:
        """Rate or difference in the unit that is shown."""
        return 100 * value if self.unit == "percent" else value


def level_title(interval: ConfidenceInterval | None) -> str:
    """Title of a column of intervals: "[95 %]"."""
    return confidence_title(interval.confidence) if interval else ""


def confidence_title(confidence: float) -> str:
    """Title of a column of intervals of this confidence."""
    return f"[{confidence * 100:g} %]"


def interval_ends(interval: ConfidenceInterval | None) -> tuple[float | None, float | None]:
    """Both ends, or twice None."""
    return (interval.low, interval.high) if interval else (None, None)


def pvalue_text(pvalue: float) -> str:
    """Three digits, or a bound: never 0.000."""
    return f"< {SMALLEST_SHOWN_PVALUE}" if pvalue < SMALLEST_SHOWN_PVALUE else f"{pvalue:.3f}"


def pvalue_sentence(pvalue: float) -> str:
    """With the sign between the name and the number."""
    text = pvalue_text(pvalue)
    return f"p {text}" if text.startswith("<") else f"p = {text}"
