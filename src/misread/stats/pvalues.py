"""p-values as they are reported: never 0."""

from __future__ import annotations

import sys

SMALLEST_PVALUE = sys.float_info.min


def positive_pvalue(pvalue: float) -> float:
    """Return the p-value, or the smallest normal float where the arithmetic has underflowed.

    No finite sample makes a difference impossible, so a p-value of 0 is always a rounding error.

    Parameters
    ----------
    pvalue : float
        p-value in [0, 1].

    Returns
    -------
    float
        p-value in (0, 1].

    Examples
    --------
    >>> positive_pvalue(0.03)
    0.03
    >>> positive_pvalue(0.0) > 0
    True
    """
    return min(1.0, max(float(pvalue), SMALLEST_PVALUE))
