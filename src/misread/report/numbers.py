"""Numbers as text: the same everywhere, never 0.000."""

from __future__ import annotations

from misread.stats import Interval

SMALLEST_SHOWN_PVALUE = 0.001


def per_cent(rate: float, digits: int) -> str:
    """Rate as a number of per cent, without the sign.

    Examples
    --------
    >>> per_cent(0.0301, 2)
    '3.01'
    """
    return f"{100 * rate:.{digits}f}"


def signed_points(difference: float, digits: int) -> str:
    """Difference of rates in percentage points, with its sign.

    Examples
    --------
    >>> signed_points(0.038, 2), signed_points(-0.00001, 2)
    ('+3.80', '0.00')
    """
    text = f"{100 * difference:+.{digits}f}"
    return text if text.strip("+-0.") else text[1:]


def interval_text(interval: Interval | None, digits: int, *, signed: bool = False) -> str:
    """Interval in brackets, in per cent; empty where there is none.

    Examples
    --------
    >>> interval_text({"low": 0.0187, "high": 0.0441, "confidence": 0.95, "method": "percentile"}, 2)
    '[1.87, 4.41]'
    """
    if interval is None:
        return ""
    ends = (interval["low"], interval["high"])
    shown = [signed_points(end, digits) if signed else per_cent(end, digits) for end in ends]
    return f"[{shown[0]}, {shown[1]}]"


def pvalue_text(pvalue: float) -> str:
    """p-value with three digits, or a bound.

    Examples
    --------
    >>> pvalue_text(0.0123), pvalue_text(0.0001), pvalue_text(1.0)
    ('0.012', '< 0.001', '1.000')
    """
    return f"< {SMALLEST_SHOWN_PVALUE}" if pvalue < SMALLEST_SHOWN_PVALUE else f"{pvalue:.3f}"
