"""Flagged segments of one system, beside its rates with and without them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from misread.metrics.base import Metric, ScoredText
from misread.metrics.registry import METRICS
from misread.metrics.text.flag_rates import FlaggedSegments, LoopErrors, UnflaggedErrorRate
from misread.metrics.text.flags import Flag, FlagRules, flags_of
from misread.types import IntArray


@dataclass(frozen=True, slots=True)
class SegmentFlag:
    """One reason why one segment is suspect."""

    segment_id: str
    flag: Flag
    text: str  # what is suspect of the normalized hypothesis


@dataclass(frozen=True, slots=True)
class FlaggedSystem:
    """Everything that is flagged of one system; rates are fractions, None where nothing is left to count."""

    flags: Sequence[SegmentFlag]
    segments: int
    flagged: int
    rate: float | None  # character error rate of all segments
    rate_without: float | None  # of those without a flag
    in_loops: float | None  # share of the errors of characters that lie inside loops
    rules: FlagRules


def flag_segments(texts: ScoredText, segment_ids: Sequence[str], rules: FlagRules) -> FlaggedSystem:
    """Find what is flagged of normalized texts; ids are those of their rows."""
    flags = [
        SegmentFlag(segment_ids[row], flag, texts.hypotheses[row][flag.start : flag.end])
        for row, of_row in flags_of(texts.paired, rules).items()
        for flag in of_row
    ]
    return FlaggedSystem(
        flags,
        len(segment_ids),
        len({flag.segment_id for flag in flags}),
        _rate(METRICS["cer"], texts),
        _rate(UnflaggedErrorRate("cer_unflagged", "char", rules), texts),
        _rate(LoopErrors("loop_error_share", rules), texts),
        rules,
    )


def rules_of(metrics: Sequence[Metric]) -> FlagRules:
    """Rules of the first metric that has some, else the usual ones."""
    flagging = (FlaggedSegments, UnflaggedErrorRate, LoopErrors)
    return next((metric.rules for metric in metrics if isinstance(metric, flagging)), FlagRules())


def kinds_by_segment(flagged: Mapping[str, FlaggedSystem]) -> dict[str, dict[str, list[Flag]]]:
    """Flags by system and segment."""
    found: dict[str, dict[str, list[Flag]]] = {}
    for system, of in flagged.items():
        found[system] = {}
        for each in of.flags:
            found[system].setdefault(each.segment_id, []).append(each.flag)
    return found


def _rate(metric: Metric, texts: ScoredText) -> float | None:
    counts: IntArray = metric.count(texts).sum(axis=0)
    value = float(metric.rate(counts))
    return None if value != value else value
