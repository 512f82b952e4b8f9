"""Marks of verdicts, readable without colour: a better system makes fewer errors, so its sign points down."""

from __future__ import annotations

from typing import Final

from misread.tables.rates import Difference
from misread.tables.table import Mark

SIGNS: Final = {
    "better": "▼",
    "improved": "▼",
    "worse": "▲",
    "regressed": "▲",
    "equivalent": "≈",
    "inconclusive": "○",
    "unchanged": "=",
}
VERDICT_WORDS: Final = {
    "better": "better",
    "worse": "worse",
    "equivalent": "equivalent",
    "inconclusive": "not significant",
}
BEST: Final = Mark(
    "best", "★", "The best rate. The rows of the other systems say whether they differ significantly from it."
)


def verdict_mark(difference: Difference) -> Mark:
    """Sign of a verdict, and the reason for it."""
    return Mark(difference.verdict, SIGNS[difference.verdict], difference.reason)
