"""Interval of a ratio of sums over clusters."""

import math
from collections.abc import Sequence

import numpy as np

from misread.stats.bootstrap.intervals import acceleration
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.bootstrap.resampling import cluster_rows
from misread.stats.results import ConfidenceInterval
from misread.types import IntArray


def ratio_interval(
    numerators: IntArray,
    denominators: IntArray,
    clusters: Sequence[str] | None,
    confidence: float,
    *,
    highest: float = math.inf,
) -> ConfidenceInterval | None:
    """Jackknife interval of the sum of numerators over that of denominators, by cluster, else by segment.

    None with fewer than two units that have a denominator, or where too few degrees of freedom are left.
    """
    counts = np.stack([numerators, denominators], axis=-1).astype(np.int64)
    codes = None if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    units = cluster_rows(counts, codes)
    units = units[units[:, 1] > 0]
    if len(units) < 2:
        return None
    total = units.sum(axis=0)
    without = total - units
    rates = without[:, 0] / without[:, 1]
    size = len(units)
    error = math.sqrt((size - 1) / size * float(((rates - rates.mean()) ** 2).sum()))
    freedom = degrees_of_freedom(units[:, 1])
    estimate = Estimate(total[0] / total[1], error, freedom, 6 * acceleration(rates), step=1 / float(total[1]))
    return jackknife_interval(estimate, confidence, lowest=0.0, highest=highest)
