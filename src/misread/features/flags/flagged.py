"""Flagged segments of one system, and its rates with and without them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from misread.features.flags.flag import Flag, collect_flags
from misread.features.flags.flag_rates import (
    CompleteErrorRate,
    FlaggedSegments,
    LoopErrors,
    OmissionErrors,
    OmittedSegments,
    UnflaggedErrorRate,
)
from misread.features.flags.made_up import FlagRules, find_made_up
from misread.features.flags.omissions import OmissionRules, find_left_out
from misread.features.flags.silences import find_silences
from misread.metrics.base import Metric
from misread.sockets import METRICS
from misread.tally import ScoredSystem


@dataclass(frozen=True, slots=True)
class SegmentFlag:
    """One reason why one segment is suspect."""

    segment_id: str
    flag: Flag
    text: str  # suspect part of the normalized hypothesis, or missing part of the reference


@dataclass(frozen=True, slots=True)
class Rules:
    """Thresholds above which a segment is flagged."""

    made_up: FlagRules
    omissions: OmissionRules

    @property
    def fact(self) -> str:
        """All numbers in one word of a signature."""
        return f"{self.made_up.fact}:{self.omissions.fact}"


@dataclass(frozen=True, slots=True)
class FlaggedSystem:
    """Everything that is flagged of one system. Rates are None where nothing is left to count."""

    flags: Sequence[SegmentFlag]
    rules: Rules
    segments: int
    flagged: int
    errors: int  # of characters
    length: int
    errors_without: int  # of the segments without a flag
    length_without: int
    errors_in_loops: int
    errors_in_omissions: int

    @property
    def rate(self) -> float | None:
        """Character error rate of all segments, a fraction."""
        return _divide(self.errors, self.length)

    @property
    def rate_without(self) -> float | None:
        """Character error rate of the segments without a flag."""
        return _divide(self.errors_without, self.length_without)

    @property
    def in_loops(self) -> float:
        """Share of the errors of characters that lie inside loops."""
        return _divide(self.errors_in_loops, self.errors) or 0.0

    @property
    def in_omissions(self) -> float:
        """Share of the errors of characters that are text left out in a row."""
        return _divide(self.errors_in_omissions, self.errors) or 0.0


def flag_segments(system: ScoredSystem) -> FlaggedSystem:
    """Suspect segments, by the rules of the first metrics that have some, else the usual ones."""
    rules, flags = rules_of(system.metrics), []
    segments, sums = 0, np.zeros(6, np.int64)
    loops = LoopErrors("loop_error_share", rules.made_up)
    omissions = OmissionErrors("omission_error_share", rules.omissions)
    for part in system.parts():
        texts = part.normalized
        by_row = collect_flags(
            chain(
                find_made_up(texts.paired, rules.made_up),
                find_left_out(texts.paired, rules.omissions),
                find_silences(texts, rules.omissions.silence),
            )
        )
        flags += [
            SegmentFlag(texts.segment_ids[row], flag, flag.suspect_text(texts.references[row], texts.hypotheses[row]))
            for row, row_flags in by_row.items()
            for flag in row_flags
        ]
        segments += len(texts.references)
        rates = METRICS["cer"].count(texts)[:, :2]
        without = rates.copy()
        without[list(by_row)] = 0
        in_loops, in_omissions = (metric.count(texts)[:, :1] for metric in (loops, omissions))
        sums += np.concatenate([rates, without, in_loops, in_omissions], axis=-1).sum(axis=0)
    return FlaggedSystem(flags, rules, segments, len({flag.segment_id for flag in flags}), *sums.tolist())


def rules_of(metrics: Sequence[Metric]) -> Rules:
    """Rules of the first metrics that have some, else the usual ones."""
    made_up = (
        metric.rules for metric in metrics if isinstance(metric, FlaggedSegments | UnflaggedErrorRate | LoopErrors)
    )
    omissions = (
        metric.rules for metric in metrics if isinstance(metric, OmittedSegments | CompleteErrorRate | OmissionErrors)
    )
    return Rules(next(made_up, FlagRules()), next(omissions, OmissionRules()))


def _divide(numerator: int, denominator: int) -> float | None:
    return numerator / denominator if denominator else None
