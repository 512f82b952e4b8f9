"""What counts as equal: rates are quotients of whole numbers, and two ways of computing one differ in its last bits."""

from typing import Final

TOLERANCE: Final = 1e-12
"""Two ways of computing the same rate, or difference of rates, agree far below this."""

DECIMALS: Final = 9
"""To which rates of segments are rounded before they are ranked: 2/10 - 1/10 and 1/10 - 0 would not tie otherwise."""
