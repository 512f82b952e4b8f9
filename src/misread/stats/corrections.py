"""Adjustment of p-values for the number of tests in a family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from misread.arrays import FloatArray
from misread.errors import UndefinedResultError, UnknownNameError

Correction = Literal["holm", "benjamini_hochberg", "none"]

_STATSMODELS_NAMES = {"holm": "holm", "benjamini_hochberg": "fdr_bh"}


def adjust(pvalues: Sequence[float], *, method: Correction) -> FloatArray:
    """Adjust the p-values of one family of tests, so that each can be held against the level of the family.

    Parameters
    ----------
    pvalues : sequence of float, length tests
        Every p-value of the family, significant or not.
    method : {"holm", "benjamini_hochberg", "none"}
        Holm bounds the probability of one false discovery or more; Benjamini-Hochberg the expected share of false
        ones among the discoveries; "none" leaves the values as they are.

    Returns
    -------
    float64 array, shape (tests,)
        Adjusted p-values in the order given; never smaller than the raw ones, never above 1.

    Raises
    ------
    UnknownNameError
        If the method is not one of these.
    UndefinedResultError
        If a p-value is not in (0, 1].

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure; Benjamini & Hochberg (1995), Controlling
    the false discovery rate.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03], method="holm").tolist()
    [0.03, 0.06, 0.06]
    """
    raw = np.array(pvalues, dtype=np.float64)
    outside = raw[~((raw > 0) & (raw <= 1))]
    if outside.size:
        raise UndefinedResultError(f"a family of p-values holds {outside[0]}, which is not in (0, 1].")
    if method == "none":
        return raw
    if method not in _STATSMODELS_NAMES:
        raise UnknownNameError("correction", method, [*_STATSMODELS_NAMES, "none"])
    if raw.size < 2:
        return raw
    # Imported where it is needed, which a single pair is not: statsmodels takes a second to load.
    from statsmodels.stats.multitest import multipletests

    adjusted: FloatArray = multipletests(raw, method=_STATSMODELS_NAMES[method])[1]
    return adjusted
