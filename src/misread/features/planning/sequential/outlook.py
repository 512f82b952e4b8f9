"""How many more clusters a verdict is likely to take, if further clusters are like those that were checked."""

import math

import numpy as np

from misread.features.planning.sequential.confidence_sequence import (
    FIRST_LOOK,
    Rule,
    critical_squares,
    guarded_variance,
    prior_precision,
)
from misread.stats.design.power import first_enough
from misread.types import FloatArray


def clusters_to_expect(errors: FloatArray, lengths: FloatArray, rule: Rule) -> int | None:
    """Fewest clusters in all after which there is a verdict, if the difference and its variance stay what they are.

    More than were checked. None if the number of all is unknown and a thousand million would not do.
    """
    checked, length = len(errors), float(lengths.mean())
    if length == 0:
        return rule.total
    difference = float(errors.mean()) / length
    residuals = errors - difference * lengths
    variance = float(guarded_variance(residuals)[-1]) / length**2 if residuals.any() else 0.0
    precision = prior_precision(rule.level, rule.narrowest)

    def is_decided(clusters: int) -> bool:
        if rule.total is not None and clusters >= rule.total:
            return True
        if clusters <= max(checked, FIRST_LOOK - 1):
            return False
        drift, square = _mean_drift(clusters, rule.total)
        critical = float(critical_squares(np.array([clusters]), rule.level, precision)[0])
        if clusters * (difference * drift) ** 2 > critical * (variance + difference**2 * square):
            return True
        if rule.margin is None:
            return False
        ratios = (
            -end * drift * (difference - end / 2) * drift / (variance + (difference - end) ** 2 * square)
            for end in (rule.margin, -rule.margin)
        )
        return all(clusters * ratio >= -math.log(rule.level) for ratio in ratios)

    return first_enough(is_decided)


def _mean_drift(clusters: int, total: int | None) -> tuple[float, float]:
    """Mean, and mean square, of what a difference of 1 adds per cluster to what earlier ones let expect."""
    if total is None:
        return 1.0, 1.0
    # Sums over the harmonic numbers, as integrals.
    left = total - clusters
    return total * math.log((total + 0.5) / (left + 0.5)) / clusters, total / left
