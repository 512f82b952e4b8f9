"""Lower limit of reported p-values, which are never 0."""

from __future__ import annotations

import sys

SMALLEST_PVALUE = sys.float_info.min


def positive_pvalue(pvalue: float) -> float:
    """The p-value, or the smallest normal float where the arithmetic has underflowed; at most 1.

    No finite sample makes a difference impossible, so a p-value of 0 is always a rounding error.
    """
    return min(1.0, max(float(pvalue), SMALLEST_PVALUE))
