"""Rates of flagged segments, without them, and of the errors that loops cause."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from misread.alignment import PairedTexts
from misread.features.made_up_text.flags import FLAG_KINDS, FlagRules, errors_in_loops, flags_of, loops_by_row
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.types import IntArray


@dataclass(frozen=True)
class FlaggedSegments(Metric):
    """Share of segments whose text was made up, in whole or in part; a column says how many for each reason.

    Parameters
    ----------
    rules : FlagRules
        From where on a segment is flagged, see `find_flags`.
    """

    rules: FlagRules = field(default_factory=FlagRules)

    # With a name of their own: "insertions" are words elsewhere.
    columns = ("flagged", "segments", *(f"flags_{kind}" for kind in FLAG_KINDS))
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("flagged", "segments")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 7)."""
        flagged = pairs.once(_count_flags, self.rules)
        ones = np.ones((len(flagged), 1), np.int64)
        return np.concatenate([flagged[:, :1], ones, flagged[:, 1:-1]], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, rules."""
        return {"unit": "segment", "norm": norm, "flags": self.rules.fact}


@dataclass(frozen=True)
class UnflaggedErrorRate(Metric):
    """Error rate of the segments that are not flagged, which belongs beside the one of all segments.

    Flagged segments count nothing but that they are left out.

    Parameters
    ----------
    unit : {"char", "word"}
        What is aligned.
    rules : FlagRules
        From where on a segment is flagged, see `find_flags`.
    """

    unit: Literal["char", "word"]
    rules: FlagRules = field(default_factory=FlagRules)

    columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions", "left_out")
    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 7)."""
        flagged = pairs.once(_count_flags, self.rules)[:, :1]
        counts = ErrorRate(self.id, self.unit, text=self.text).count(pairs)
        return np.concatenate([counts * (1 - flagged), flagged], axis=-1)

    @property
    def beside(self) -> str:
        """Name of the metric that has all segments."""
        return {"char": "cer", "word": "wer"}[self.unit]

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, what is left out."""
        return {
            "unit": self.unit,
            "norm": norm,
            "align": "unit",
            "empty": "null",
            "without": f"flags-{self.rules.fact}",
        }


@dataclass(frozen=True)
class LoopErrors(Metric):
    """Share of the errors of characters that lie inside loops: characters too many, or in the place of others.

    Parameters
    ----------
    rules : FlagRules
        Of which the two of loops are looked at.
    """

    rules: FlagRules = field(default_factory=FlagRules)

    columns = ("errors_in_loops", "errors")
    direction = Direction.LOWER_IS_BETTER
    # No error is not caused by a loop.
    undefined = 0.0

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        in_loops = pairs.once(_count_flags, self.rules)[:, -1]
        return np.stack([in_loops, ErrorRate(self.id, "char").count(pairs)[:, 0]], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, rules."""
        return {"unit": "char", "norm": norm, "align": "unit", "flags": self.rules.fact}


def _count_flags(texts: PairedTexts, rules: FlagRules) -> IntArray:
    """Whether a segment is flagged, for each reason, and its errors inside loops."""
    counts = np.zeros((len(texts), len(FLAG_KINDS) + 2), np.int64)
    for row, flags in flags_of(texts, rules).items():
        counts[row, 0] = 1
        for flag in flags:
            counts[row, 1 + FLAG_KINDS.index(flag.kind)] = 1
    if counts[:, 1].any():
        counts[:, -1] = errors_in_loops(texts, loops_by_row(texts, rules))
    return counts
