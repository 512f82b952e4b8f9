"""Words for rates, as in the specifications: they describe and decide nothing."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from misread.errors import UndefinedResultError

_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class Bands:
    """Names of intervals of a rate, from "< 2 %" over "2-5 %" to "> 10 %".

    A rate on a border belongs to the interval above it, on the last one to that below it.
    """

    borders: tuple[float, ...]  # fractions, ascending
    names: tuple[str, ...]  # one more than borders
    source: str  # where they come from

    def name(self, rate: float) -> str:
        """Name of the interval in which a rate lies."""
        if not rate >= 0:
            raise UndefinedResultError(f"a rate is 0 or more, not {rate}.")
        # A difference of rates such as 0.06 - 0.01 lies a hair below the border that it means.
        rate = round(rate, _DIGITS)
        *inner, last = self.borders
        return self.names[-1 if rate > last else bisect_right(inner, rate)]


QUALITY: Final = Bands(
    (0.01, 0.03, 0.05, 0.10),
    ("Excellent", "Good", "Acceptable", "Poor", "Very Poor"),
    "Evaluation Metrics (Thulium usage), character error rate",
)
"""Quality of a handwriting recognizer by its CER."""

PARITY: Final = Bands(
    (0.02, 0.05, 0.10),
    ("Excellent parity", "Good parity", "Moderate disparity", "Significant disparity"),
    "Evaluation Metrics (Thulium suite), range of character error rates over languages",
)
"""Parity of groups by the range of their CER."""


@dataclass(frozen=True, slots=True)
class BenchmarkStandard:
    """State of the art on a public data set: ranges of rates, as fractions."""

    dataset: str
    language: str
    cer: tuple[float, float]
    wer: tuple[float, float]


BENCHMARK_STANDARDS: Final = (
    BenchmarkStandard("IAM", "English", (0.025, 0.035), (0.06, 0.09)),
    BenchmarkStandard("RIMES", "French", (0.015, 0.030), (0.05, 0.08)),
    BenchmarkStandard("Washington", "English (historical)", (0.03, 0.06), (0.10, 0.18)),
    BenchmarkStandard("Bentham", "English (historical)", (0.03, 0.05), (0.08, 0.14)),
    BenchmarkStandard("CVL", "German", (0.02, 0.04), (0.07, 0.12)),
)
"""Rates printed in Evaluation Metrics (Thulium suite), "Benchmark Standards"; not measured here."""
