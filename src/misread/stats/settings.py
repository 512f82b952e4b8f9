"""Which statistics a comparison makes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from misread.errors import ConfigurationError, UnknownNameError
from misread.stats.corrections import Correction
from misread.stats.intervals import IntervalMethod

PairedTest = Literal["wilcoxon", "mcnemar", "bootstrap", "randomisation", "paired_t", "signs", "mapsswe"]


@dataclass(frozen=True)
class Statistics:
    """Settings of intervals and tests.

    Parameters
    ----------
    seed : int
        Of every random draw.
    confidence : float
        Nominal coverage of intervals, inside (0, 1).
    interval : {"percentile", "basic", "bca"}
        How bootstrap intervals are read off the resamples.
    resamples : int
        Bootstrap samples; also exchanges of the systems where there are too many to work out all.
    tests : sequence of {"wilcoxon", "mcnemar", "bootstrap", "randomisation", "paired_t", "signs", "mapsswe"}
        Tests of every pair of systems; "mapsswe" of metrics that align only.
    decide_by : str
        The one of them whose adjusted p-value makes a difference count.
    alpha : float
        Level of that decision, inside (0, 1).
    correction : {"holm", "benjamini_hochberg", "none"}
        Over the pairs of systems of one data set and one metric.
    margin : float, optional
        Largest difference of rates (a fraction) that does not matter, declared before the data are seen: pairs that
        surely differ by less are equivalent. None: no pair is called equivalent.
    length_classes : int
        Into how many classes segments are divided by the length of their reference, as one more group column; 0 for
        none.

    Raises
    ------
    UnknownNameError
        If an interval, a test or the correction is not one of these.
    ConfigurationError
        If a number is out of range, or `decide_by` is not among `tests`.
    """

    seed: int
    confidence: float = 0.95
    interval: IntervalMethod = "percentile"
    resamples: int = 9999
    tests: Sequence[PairedTest] = ("wilcoxon", "mcnemar", "bootstrap", "randomisation")
    decide_by: PairedTest = "randomisation"
    alpha: float = 0.05
    correction: Correction = "holm"
    margin: float | None = None
    length_classes: int = 4

    def __post_init__(self) -> None:
        if self.interval not in get_args(IntervalMethod):
            raise UnknownNameError("interval", self.interval, get_args(IntervalMethod), where="statistics.interval")
        for test in self.tests:
            if test not in get_args(PairedTest):
                raise UnknownNameError("test", test, get_args(PairedTest), where="statistics.tests")
        if self.decide_by not in self.tests:
            raise ConfigurationError(
                f"statistics.decide_by is {self.decide_by!r}, which is not among statistics.tests "
                f"({', '.join(self.tests) or 'empty'})."
            )
        if self.decide_by == "mapsswe":
            raise ConfigurationError(
                "statistics.decide_by is 'mapsswe', which not every metric has and which knows no clusters; choose "
                "randomisation."
            )
        if self.correction not in get_args(Correction):
            raise UnknownNameError("correction", self.correction, get_args(Correction), where="statistics.correction")
        for name, share in (("confidence", self.confidence), ("alpha", self.alpha)):
            if not 0 < share < 1:
                raise ConfigurationError(f"statistics.{name} is {share}, expected a number between 0 and 1.")
        if self.margin is not None and not 0 < self.margin < math.inf:
            raise ConfigurationError(
                f"statistics.margin is {self.margin}, expected a difference of rates above 0, such as 0.005 for half "
                "a point, or null."
            )
        if self.length_classes < 0:
            raise ConfigurationError(f"statistics.length_classes is {self.length_classes}, expected 0 or more.")
        if self.resamples < 1:
            raise ConfigurationError(f"statistics.resamples is {self.resamples}, expected 1 or more; 9999 is usual.")
