"""Adjustment of p-values for the number of tests in a family."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from misread.errors import UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.io.checks.numbers import check_row
from misread.types import FloatArray

Correction = Literal["holm", "benjamini_hochberg", "benjamini_yekutieli", "none"]


def adjust(pvalues: Sequence[float], *, method: Correction) -> FloatArray:
    """Adjust the p-values of one family of tests, so that each can be compared with the family's level.

    Parameters
    ----------
    pvalues : sequence of float, length tests
        Every p-value of the family, significant or not.
    method : {"holm", "benjamini_hochberg", "benjamini_yekutieli", "none"}
        Holm bounds the probability of any false discovery; Benjamini-Hochberg the expected share of false discoveries,
        for independent or positively dependent tests; Benjamini-Yekutieli that share under any dependence; "none"
        leaves the values unchanged.

    Returns
    -------
    float64 array, shape (tests,)
        Adjusted p-values in the same order; never smaller than the raw ones, never above 1.

    Raises
    ------
    InputTypeError
        If the p-values are not a one-dimensional array of numbers.
    UnknownNameError
        If the method is not one of these.
    UndefinedResultError
        If a p-value is not in (0, 1].

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure; Benjamini & Hochberg (1995), Controlling
    the false discovery rate; Benjamini & Yekutieli (2001), The control of the false discovery rate in multiple testing
    under dependency.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], method="holm").tolist()
    [0.03, 0.06, 0.06]
    """
    raw = check_row("pvalues", pvalues)
    outside = raw[~((raw > 0) & (raw <= 1))]
    if outside.size:
        raise UndefinedResultError(f"a family of p-values holds {outside[0]}, which is not in (0, 1].")
    check_choice("correction", method, Correction)
    order = np.argsort(raw, kind="stable")
    adjusted = np.empty_like(raw)
    adjusted[order] = adjust_ascending(raw[order], method=method)
    return adjusted


def adjust_ascending(pvalues: FloatArray, *, method: Correction) -> FloatArray:
    """The same for p-values from the smallest to the largest, unchecked."""
    if method == "none":
        return pvalues
    ranks = np.arange(1, pvalues.size + 1)
    if method == "holm":
        adjusted = np.maximum.accumulate((pvalues.size + 1 - ranks) * pvalues)
    else:
        dependence = float(np.sum(1 / ranks)) if method == "benjamini_yekutieli" else 1.0
        adjusted = np.minimum.accumulate((pvalues * (dependence * pvalues.size / ranks))[::-1])[::-1]
    return np.minimum(adjusted, 1.0)
