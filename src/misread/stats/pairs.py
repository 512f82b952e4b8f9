"""Two systems on the same segments: what every paired test is given."""

from __future__ import annotations

from dataclasses import dataclass, field

from misread.arrays import FloatArray, IntArray
from misread.metrics import Direction, Metric
from misread.stats.replicates import Replicates


@dataclass(frozen=True)
class SystemPair:
    """Counts of a system and its baseline, row by row of the same segments.

    Attributes
    ----------
    baseline_counts, system_counts : int64 array, shape (segments, columns)
    """

    metric: Metric
    baseline: str
    system: str
    baseline_counts: IntArray = field(repr=False)
    system_counts: IntArray = field(repr=False)
    replicates: Replicates = field(repr=False)
    confidence: float

    @property
    def difference(self) -> float:
        """Rate of the system minus rate of the baseline, both of summed counts."""
        rate = self.metric.rate
        return float(rate(self.system_counts.sum(axis=0)) - rate(self.baseline_counts.sum(axis=0)))

    @property
    def rate_differences(self) -> FloatArray:
        """The same segment by segment, shape (segments,); NaN where a rate is undefined."""
        return self.metric.rate(self.system_counts) - self.metric.rate(self.baseline_counts)

    @property
    def difference_replicates(self) -> FloatArray:
        """The same for every bootstrap sample, shape (resamples,)."""
        return self.replicates.rates[self.system] - self.replicates.rates[self.baseline]

    @property
    def improvement_sign(self) -> int:
        """1 where a negative difference is an improvement, -1 where a positive one is."""
        return 1 if self.metric.direction is Direction.LOWER_IS_BETTER else -1
