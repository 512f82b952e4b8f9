"""Words for rates."""

from __future__ import annotations

import pytest

from misread.errors import UndefinedResultError
from misread.metrics.bands import BENCHMARK_STANDARDS, PARITY, QUALITY


@pytest.mark.parametrize(
    ("rate", "name"),
    [
        (0.0, "Excellent"),
        (0.0099, "Excellent"),
        (0.01, "Good"),
        (0.0299, "Good"),
        (0.03, "Acceptable"),
        (0.0499, "Acceptable"),
        (0.05, "Poor"),
        (0.1, "Poor"),
        (1 / 10, "Poor"),
        (3 / 30, "Poor"),
        (0.3 - 0.2, "Poor"),
        (0.1 + 2**-30, "Very Poor"),
        (0.1001, "Very Poor"),
        (3.0, "Very Poor"),
        (float("inf"), "Very Poor"),
    ],
)
def test_quality_bands_are_those_of_the_specification(rate: float, name: str) -> None:
    assert QUALITY.name(rate) == name


@pytest.mark.parametrize(
    ("spread", "name"),
    [
        (0.0, "Excellent parity"),
        (0.0199, "Excellent parity"),
        (0.02, "Good parity"),
        (0.12 - 0.1, "Good parity"),
        (0.0499, "Good parity"),
        (0.05, "Moderate disparity"),
        (0.06 - 0.01, "Moderate disparity"),
        (0.1, "Moderate disparity"),
        (0.4 - 0.3, "Moderate disparity"),
        (0.1001, "Significant disparity"),
    ],
)
def test_parity_bands_are_those_of_the_specification(spread: float, name: str) -> None:
    assert PARITY.name(spread) == name


@pytest.mark.parametrize("rate", [-0.1, float("nan")])
def test_what_is_no_rate_has_no_band(rate: float) -> None:
    with pytest.raises(UndefinedResultError, match="a rate is 0 or more"):
        QUALITY.name(rate)


def test_benchmark_standards_are_ranges_of_fractions() -> None:
    for standard in BENCHMARK_STANDARDS:
        assert 0 < standard.cer[0] < standard.cer[1] < standard.wer[1] < 1
