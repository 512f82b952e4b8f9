"""Differences of rates in sentences."""

import math


def in_points(fraction: float) -> str:
    """Percentage points to three digits, such as "0.21 points"."""
    points = 100 * fraction
    decimals = 2 if points == 0 else max(2, 2 - math.floor(math.log10(abs(points))))
    return f"{points:.{min(decimals, 9)}f} points"
