"""Rates of flagged segments, without them, and of the errors that loops and omissions cause."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from misread.alignment import PairedTexts
from misread.features.flags.flag import LEFT_OUT_KINDS, MADE_UP_KINDS, collect_flags
from misread.features.flags.made_up import FlagRules, errors_in_loops, find_made_up, loops_by_row
from misread.features.flags.omissions import OmissionRules, errors_in_gaps, find_left_out, gaps_by_row
from misread.features.flags.silences import find_silences, milliseconds_of_speech
from misread.metrics.base import Direction, InputKind, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.types import IntArray


@dataclass(frozen=True)
class FlaggedSegments(Metric):
    """Share of segments whose text was made up, in whole or in part; a column says how many for each reason.

    Parameters
    ----------
    rules : FlagRules
        Thresholds above which a segment is flagged, see `find_flags`.
    """

    rules: FlagRules = field(default_factory=FlagRules)

    # With a name of their own: "insertions" are words elsewhere.
    columns = ("flagged", "segments", *(f"flags_{kind}" for kind in MADE_UP_KINDS))
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
class OmittedSegments(Metric):
    """Share of segments with missing or doubled text; a column says how many for each reason.

    Parameters
    ----------
    rules : OmissionRules
        Thresholds above which text counts as left out or doubled.
    """

    rules: OmissionRules = field(default_factory=OmissionRules)

    columns = ("flagged", "segments", *(f"flags_{kind}" for kind in LEFT_OUT_KINDS))
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("flagged", "segments")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        flagged = _count_left_out(pairs, self.rules)
        ones = np.ones((len(flagged), 1), np.int64)
        return np.concatenate([flagged[:, :1], ones, flagged[:, 1:-1]], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, rules."""
        return {"unit": "segment", "norm": norm, "omissions": self.rules.fact}


@dataclass(frozen=True)
class _ErrorRateOfRest(Metric):
    """Error rate of the segments that have no flag, which belongs next to that of all segments."""

    unit: Literal["char", "word"]

    columns = ("errors", "length", "hits", "substitutions", "deletions", "insertions", "left_out")
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")

    @abstractmethod
    def flagged(self, pairs: ScoredText) -> IntArray:
        """1 for each segment that is left out, else 0, shape (segments, 1)."""

    @property
    @abstractmethod
    def without(self) -> str:
        """Flags that are left out, in a signature."""

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 7)."""
        flagged = self.flagged(pairs)
        counts = ErrorRate(self.id, self.unit, text=self.text).count(pairs)
        return np.concatenate([counts * (1 - flagged), flagged], axis=-1)

    # Systems leave different segments out, so that a lower rate need not be fewer errors.
    counted = ""

    @property
    def requires_metric(self) -> str:
        """Name of the metric that has all segments."""
        return {"char": "cer", "word": "wer"}[self.unit]

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, flags that are left out."""
        return {"unit": self.unit, "norm": norm, "align": "unit", "empty": "null", "without": self.without}


@dataclass(frozen=True)
class UnflaggedErrorRate(_ErrorRateOfRest):
    """Error rate of the segments without made-up text; report it with that of all segments.

    Flagged segments count nothing but that they are left out.

    Parameters
    ----------
    unit : {"char", "word"}
        What is aligned.
    rules : FlagRules
        Thresholds above which a segment is flagged, see `find_flags`.
    """

    rules: FlagRules = field(default_factory=FlagRules)

    def flagged(self, pairs: ScoredText) -> IntArray:
        """1 for each segment with made-up text, else 0, shape (segments, 1)."""
        return pairs.once(_count_flags, self.rules)[:, :1]

    @property
    def without(self) -> str:
        """Flags and their rules."""
        return f"flags-{self.rules.fact}"


@dataclass(frozen=True)
class CompleteErrorRate(_ErrorRateOfRest):
    """Error rate of the segments without omissions and doubled text; report it with that of all segments.

    Flagged segments count nothing but that they are left out.

    Parameters
    ----------
    unit : {"char", "word"}
        What is aligned.
    rules : OmissionRules
        Thresholds above which text counts as left out or doubled.
    """

    rules: OmissionRules = field(default_factory=OmissionRules)

    def flagged(self, pairs: ScoredText) -> IntArray:
        """1 for each segment with an omission or doubled text, else 0, shape (segments, 1)."""
        return _count_left_out(pairs, self.rules)[:, :1]

    @property
    def without(self) -> str:
        """Omissions and their rules."""
        return f"omissions-{self.rules.fact}"


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
    # Without errors, none lies inside a loop.
    undefined = 0.0

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        in_loops = pairs.once(_count_flags, self.rules)[:, -1]
        return np.stack([in_loops, ErrorRate(self.id, "char").count(pairs)[:, 0]], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, rules."""
        return {"unit": "char", "norm": norm, "align": "unit", "flags": self.rules.fact}


@dataclass(frozen=True)
class OmissionErrors(Metric):
    """Share of the errors of characters that are text left out in a row.

    Parameters
    ----------
    rules : OmissionRules
        Thresholds above which text counts as left out.
    """

    rules: OmissionRules = field(default_factory=OmissionRules)

    columns = ("errors_in_omissions", "errors")
    direction = Direction.LOWER_IS_BETTER
    # Without errors, none is an omission.
    undefined = 0.0

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        in_gaps = pairs.once(_count_omissions, self.rules)[:, -1]
        return np.stack([in_gaps, ErrorRate(self.id, "char").count(pairs)[:, 0]], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment, rules."""
        return {"unit": "char", "norm": norm, "align": "unit", "omissions": self.rules.fact}


@dataclass(frozen=True)
class SpeechCoverage(Metric):
    """Share of the seconds of speech for which there are words, where the turns of both sides have times.

    Speech is the union of the times of the reference's turns, so that two speakers at a time count once. Segments
    without times add nothing.
    """

    columns = ("covered_milliseconds", "speech_milliseconds")
    size_columns = ("speech_milliseconds",)
    undefined_reason = "no turn of the reference has times"
    reference_annotations = ("reference_turns",)
    input_kind: ClassVar[InputKind] = "sessions"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        for side in ("reference_turns", "turns"):
            pairs.annotation(side, self.id)
        counts = np.zeros((len(pairs.references), 2), np.int64)
        for row, seconds in milliseconds_of_speech(pairs).items():
            counts[row] = seconds
        return counts

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer."""
        return {"unit": "second", "norm": norm}


def _count_flags(texts: PairedTexts, rules: FlagRules) -> IntArray:
    """Whether a segment has made-up text, for each reason, and its errors inside loops."""
    counts = np.zeros((len(texts), len(MADE_UP_KINDS) + 2), np.int64)
    for row, flags in collect_flags(find_made_up(texts, rules)).items():
        counts[row, 0] = 1
        for flag in flags:
            counts[row, 1 + MADE_UP_KINDS.index(flag.kind)] = 1
    if counts[:, 1].any():
        counts[:, -1] = errors_in_loops(texts, loops_by_row(texts, rules))
    return counts


def _count_omissions(texts: PairedTexts, rules: OmissionRules) -> IntArray:
    """Whether a segment has an omission or doubled text, for each reason, and its errors in omissions."""
    counts = np.zeros((len(texts), len(LEFT_OUT_KINDS) + 2), np.int64)
    gaps = gaps_by_row(texts, rules)
    for row, flag in find_left_out(texts, rules, gaps):
        counts[row, [0, 1 + LEFT_OUT_KINDS.index(flag.kind)]] = 1
    counts[:, -1] = errors_in_gaps(len(texts), gaps)
    return counts


def _count_left_out(pairs: ScoredText, rules: OmissionRules) -> IntArray:
    """As `_count_omissions`, and silences of the segments that have times."""
    counts = pairs.once(_count_omissions, rules)
    silent = [row for row, _ in find_silences(pairs, rules.silence)]
    if silent:
        counts = counts.copy()
        counts[np.ix_(silent, [0, 1 + LEFT_OUT_KINDS.index("silence")])] = 1
    return counts
