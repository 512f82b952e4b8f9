"""Flagged segments of one system, beside its rates with and without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from misread.features.made_up_text.flag_rates import FlaggedSegments, LoopErrors, UnflaggedErrorRate
from misread.features.made_up_text.flags import Flag, FlagRules, flags_of
from misread.metrics.base import Metric
from misread.sockets import METRICS
from misread.tally import ScoredSystem
from misread.types import IntArray


@dataclass(frozen=True, slots=True)
class SegmentFlag:
    """One reason why one segment is suspect."""

    segment_id: str
    flag: Flag
    text: str  # what is suspect of the normalized hypothesis


@dataclass(frozen=True, slots=True)
class FlaggedSystem:
    """Everything that is flagged of one system. Rates are None where nothing is left to count."""

    flags: Sequence[SegmentFlag]
    segments: int
    flagged: int
    sums: tuple[IntArray, ...]  # of the counts of all segments, of those without a flag, and of errors in loops
    rules: FlagRules

    @property
    def rate(self) -> float | None:
        """Character error rate of all segments, a fraction."""
        return self._rate(0)

    @property
    def rate_without(self) -> float | None:
        """Character error rate of the segments without a flag."""
        return self._rate(1)

    @property
    def in_loops(self) -> float | None:
        """Share of the errors of characters that lie inside loops."""
        return self._rate(2)

    def _rate(self, index: int) -> float | None:
        value = float(_metrics(self.rules)[index].rate(self.sums[index]))
        return None if value != value else value


def flag_segments(system: ScoredSystem) -> FlaggedSystem:
    """Segments whose text was made up, by the rules of the first metric that flags, else the usual ones."""
    rules, flags = rules_of(system.metrics), []
    metrics, segments, sums = _metrics(rules), 0, []
    for part in system.parts():
        texts = part.normalized
        flags += [
            SegmentFlag(texts.segment_ids[row], flag, texts.hypotheses[row][flag.start : flag.end])
            for row, row_flags in flags_of(texts.paired, rules).items()
            for flag in row_flags
        ]
        segments += len(texts.references)
        sums.append([metric.count(texts).sum(axis=0) for metric in metrics])
    flagged = len({flag.segment_id for flag in flags})
    return FlaggedSystem(
        flags, segments, flagged, tuple(sum(column[1:], column[0]) for column in zip(*sums, strict=True)), rules
    )


def rules_of(metrics: Sequence[Metric]) -> FlagRules:
    """Rules of the first metric that has some, else the usual ones."""
    flagging = (FlaggedSegments, UnflaggedErrorRate, LoopErrors)
    return next((metric.rules for metric in metrics if isinstance(metric, flagging)), FlagRules())


def _metrics(rules: FlagRules) -> tuple[Metric, ...]:
    return (
        METRICS["cer"],
        UnflaggedErrorRate("cer_unflagged", "char", rules),
        LoopErrors("loop_error_share", rules),
    )
