"""Verdicts of comparisons in words: a sentence for a table, a word and a mark for a row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from misread import stats
from misread.metrics import Direction
from misread.report.numbers import RateFormat
from misread.report.tables.rates import Difference, RateRow, RateTable
from misread.report.tables.rates_layout import metric_title

_FEWEST = {"cer": "character errors", "ger": "grapheme errors", "wer": "word errors"}


class Verdict(NamedTuple):
    """A sign, a word and its meaning; readable without colour."""

    kind: str
    sign: str
    word: str
    meaning: str


BEST = Verdict(
    "best", "★", "best", "The best rate. The rows of the other systems say whether they differ significantly from it."
)

_SHOWN: Mapping[stats.Verdict, tuple[str, str]] = {
    "better": ("▼", "better"),
    "worse": ("▲", "worse"),
    "equivalent": ("≈", "equivalent"),
    "inconclusive": ("○", "not significant"),
}


def verdict_of(row: RateRow) -> Verdict:
    """Verdict on a row against the best system."""
    return BEST if row.to_best is None else show_verdict(row.to_best)


def show_verdict(difference: Difference) -> Verdict:
    """Shape and word of a verdict, and the reason for it."""
    sign, word = _SHOWN[difference.verdict]
    return Verdict(difference.verdict, sign, word, difference.reason)


def headline(table: RateTable, rates: RateFormat) -> str:
    """Answer of a table in one or two sentences."""
    if not table.rows:
        return f"No system has a {metric_title(table.metric)} on {table.dataset_name}."
    best = next(row for row in table.rows if row.is_best)
    others = [row for row in table.rows if not row.is_best]
    rate = f"{rates.rate(best.result.micro or 0.0)}{rates.sign}"
    if not others:
        value = f"{best.name} has a {metric_title(table.metric)} of {rate} on {table.dataset_name}."
        return f"{value} Add a second system to compare."
    worse = sum(row.is_separated for row in others)
    if worse == 0:
        return f"No system differs significantly from {best.name} ({rate}) on {table.dataset_name}{_level(best)}."
    first = f"{best.name} {_makes(table)} on {table.dataset_name} ({rate})."
    if worse == len(others):
        return f"{first} {_all_others(worse)} significantly worse."
    open_ones = len(others) - worse
    return (
        f"{first} {worse} of the {len(others)} others {_is_are(worse)} significantly worse, "
        f"{open_ones} {_is_are(open_ones)} not significantly different."
    )


def _level(row: RateRow) -> str:
    interval = row.result.confidence_interval
    return f" at {100 * interval.confidence:g} % confidence" if interval else ""


def _makes(table: RateTable) -> str:
    kind, _, raw = table.metric.partition("_")
    if kind in _FEWEST and raw in ("", "raw"):
        return f"makes the fewest {_FEWEST[kind]}" + (" on raw text" if raw else "")
    extreme = "lowest" if table.direction is Direction.LOWER_IS_BETTER else "highest"
    return f"has the {extreme} {metric_title(table.metric)}"


def _all_others(count: int) -> str:
    return {1: "The other system is", 2: "Both other systems are"}.get(count, f"All {count} other systems are")


def _is_are(count: int) -> str:
    return "is" if count == 1 else "are"
