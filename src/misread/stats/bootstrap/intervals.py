"""The percentile interval of bootstrap replicates."""

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats.bootstrap.jackknife import tail_of
from misread.stats.results import ConfidenceInterval
from misread.types import FloatArray


def percentile_interval(replicates: FloatArray, confidence: float) -> ConfidenceInterval:
    """Interval between two quantiles of the replicates, with equal shares in both tails.

    Raises an error if a replicate is not finite: leaving it out would change what the interval estimates. Efron &
    Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    tail = tail_of(confidence)
    check_replicates(replicates)
    low, high = np.quantile(replicates, [tail, 1 - tail], method="linear")
    return ConfidenceInterval(low=float(low), high=float(high), confidence=confidence, method="percentile")


def check_replicates(replicates: FloatArray) -> None:
    """Raise UndefinedResultError if there are no replicates, or some are NaN or infinite."""
    if replicates.size == 0:
        raise UndefinedResultError("there are no bootstrap replicates.")
    undefined = int(np.count_nonzero(~np.isfinite(replicates)))
    if undefined:
        raise UndefinedResultError(
            f"{undefined} of {replicates.size} bootstrap samples have no finite score, as when every segment drawn has "
            "an empty reference. Leave such segments out, or choose a rule for empty references that gives a number."
        )
