"""Confidence intervals from bootstrap replicates."""

from __future__ import annotations

import numpy as np

from misread.arrays import FloatArray
from misread.errors import ConfigurationError, UndefinedResultError
from misread.stats.results import ConfidenceInterval


def percentile_interval(replicates: FloatArray, confidence: float) -> ConfidenceInterval:
    """Interval between two quantiles of the replicates, with the same share left out on either side.

    Quantiles are interpolated linearly between neighbouring replicates.

    Parameters
    ----------
    replicates : float64 array, shape (resamples,)
        Bootstrap replicates of a score or of a difference.
    confidence : float
        Nominal coverage, inside (0, 1).

    Returns
    -------
    ConfidenceInterval
        Of method "percentile". Without any variation among the replicates it has no width (`is_degenerate`).

    Raises
    ------
    UndefinedResultError
        If there are no replicates or some are not finite. They are not left out in silence: an interval over the
        resamples that happened to have a score is an interval of something else.
    ConfigurationError
        If the confidence is not inside (0, 1).

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.

    Examples
    --------
    >>> import numpy as np
    >>> interval = percentile_interval(np.linspace(0.0, 1.0, 101), 0.90)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.05, 0.95)
    """
    if not 0 < confidence < 1:
        raise ConfigurationError(f"confidence is {confidence}; it has to lie inside (0, 1), and 0.95 is usual.")
    check_replicates(replicates)
    tail = (1 - confidence) / 2
    low, high = np.quantile(replicates, [tail, 1 - tail], method="linear")
    return ConfidenceInterval(float(low), float(high), confidence, "percentile")


def check_replicates(replicates: FloatArray) -> None:
    """Refuse replicates from which no honest number can be read.

    Parameters
    ----------
    replicates : float64 array, shape (resamples,)
        Bootstrap replicates of a score or of a difference.

    Raises
    ------
    UndefinedResultError
        If there are none, or some are NaN or infinite; says how many.

    Examples
    --------
    >>> import numpy as np
    >>> check_replicates(np.array([0.1, 0.2]))
    """
    if replicates.size == 0:
        raise UndefinedResultError("there are no bootstrap replicates.")
    undefined = int(np.count_nonzero(~np.isfinite(replicates)))
    if undefined:
        raise UndefinedResultError(
            f"{undefined} of {replicates.size} bootstrap samples have no finite score, as when every segment drawn has "
            "an empty reference. Leave such segments out, or choose a rule for empty references that gives a number."
        )
