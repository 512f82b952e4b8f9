"""Base of metrics: additive counts per segment, and a rate of any sum of them."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from operator import ne
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from misread.alignment import AlignedAlternatives, AlternativesIn, PairedTexts
from misread.data.segment_table import Annotations, Doubt
from misread.errors import ConfigurationError, TooDifferentError, setting
from misread.io.checks.choices import check_choices
from misread.provenance.signature import Signature
from misread.text.alternatives import Items
from misread.types import BoolArray, FloatArray, IntArray

TextForm = Literal["raw", "normalized", "normalized_lines"]

Survey: TypeAlias = Mapping[str, Mapping[str, int]]
"""Numbers of what texts have, by kind and name; they add over segments."""

InputKind = Literal["text", "markup", "sessions"]
"""Kinds of texts: plain, JSON or XML themselves, or turns of a recording with several speakers."""


UNIT_NOUNS: Final[Mapping[str, str]] = {"char": "character", "grapheme": "grapheme", "word": "word"}
"""Nouns of the units of alignments."""


class Direction(Enum):
    """Direction in which a score gets better."""

    LOWER_IS_BETTER = "lower"
    HIGHER_IS_BETTER = "higher"


@dataclass(frozen=True, slots=True)
class WrittenAlternatives:
    """Texts with their alternatives, the sides that may have them, and their alignment with unit costs."""

    references: Sequence[Items]
    hypotheses: Sequence[Items]
    sides: AlternativesIn
    with_unit_costs: AlignedAlternatives


@dataclass(frozen=True)
class ScoredText:
    """References and hypotheses ready to be counted: every segment has both.

    A missing hypothesis was dealt with before (see `misread.tally.missing_texts`).

    Attributes
    ----------
    references, hypotheses : sequence of str
        Texts of every segment; where they may read in several ways, the readings that fit best by words.
    alike : ScoredText, optional
        Another form of the same segments, whose equal texts are not counted again.
    without_line_feeds : ScoredText, optional
        The same texts without the line feed after each: texts that were encoded are not encoded again.
    written : WrittenAlternatives, optional
        Both sides as they were given, where they may read in several ways; a metric that chooses for itself aligns
        those.
    annotations : mapping of str to sequence
        Other data of every segment, by name.
    segment_ids : sequence of str
        For messages; without them, segments are numbered from 1.
    """

    references: Sequence[str]
    hypotheses: Sequence[str]
    alike: ScoredText | None = None
    without_line_feeds: ScoredText | None = None
    written: WrittenAlternatives | None = None
    annotations: Annotations = field(default_factory=dict)
    segment_ids: Sequence[str] = ()
    _counted: dict[object, NDArray[Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, count: Callable[..., NDArray[Any]], *arguments: Hashable) -> NDArray[Any]:
        """Result of `count(texts, *arguments)`, one row per segment, computed once for all metrics.

        The counts of a segment must depend on its own texts alone.
        """
        key = (count, *arguments)
        if key not in self._counted:
            self._counted[key] = self._count(count, arguments)
        return self._counted[key]

    def _count(self, count: Callable[..., NDArray[Any]], arguments: tuple[Hashable, ...]) -> NDArray[Any]:
        if self.alike is None:
            return count(self.paired, *arguments)
        counts = self.alike.once(count, *arguments)
        rows, texts = self._differing
        if len(rows):
            counts = counts.copy()
            try:
                counts[rows] = count(texts, *arguments)
            except TooDifferentError as error:
                raise TooDifferentError(int(rows[error.pair]), error.lengths, error.most_cells) from None
        return counts

    @cached_property
    def paired(self) -> PairedTexts:
        """Both sides as they are aligned."""
        whole = self.without_line_feeds
        return PairedTexts(self.references, self.hypotheses, without_line_feeds=whole.paired if whole else None)

    @cached_property
    def _differing(self) -> tuple[IntArray, PairedTexts]:
        """Rows whose texts differ from those of `alike`, and these texts."""
        differs = np.zeros(len(self.references), np.bool_)
        if self.alike is not None:
            sides = (self.references, self.alike.references), (self.hypotheses, self.alike.hypotheses)
            for texts, others in sides:
                # Usually nothing differs, which one comparison of all shows.
                if texts != others:
                    differs |= np.fromiter(map(ne, texts, others), np.bool_, len(texts))
        rows = np.flatnonzero(differs)
        return rows, self.take(rows)

    def annotation(self, name: str, metric: str) -> Sequence[Any]:
        """Values of an annotation that a metric needs, None where there is none.

        Raises ConfigurationError if there is no such annotation; says how to give it.
        """
        if name not in self.annotations:
            raise ConfigurationError(
                f"{metric} needs the annotation {name!r} of the segments; give it ({setting('annotations')})"
                + (f"; there are: {', '.join(self.annotations)}." if self.annotations else ".")
            )
        return self.annotations[name]

    def name(self, row: int) -> str:
        """Name of a segment in messages."""
        return f"segment {self.segment_ids[row]!r}" if self.segment_ids else f"segment {row + 1}"

    def take(self, rows: IntArray) -> PairedTexts:
        """Texts of these rows."""
        numbers = rows.tolist()
        return PairedTexts([self.references[row] for row in numbers], [self.hypotheses[row] for row in numbers])


class Kind(Enum):
    """Kind of number that a score is."""

    ERROR_RATE = "error_rate"
    """Errors over the length of the reference, its columns `errors` and `length`; insertions can take it above 1."""

    SHARE = "share"
    """Another fraction, which people read in per cent as well."""

    OTHER = "other"
    """Another number of 0 or more, such as a cost; tables show it as it is, not in per cent."""


@dataclass(frozen=True)
class Metric(ABC):
    """Integer counts per segment, and how sums of them become a number.

    Counts add over segments, clusters and partitions; rates do not. A metric defines its columns, its counts and the
    facts of its signature; it overrides the rest where it differs from a share of two columns that is better if higher.

    Parameters
    ----------
    id : str
        Name in configurations, files and tables.
    text : {"normalized", "raw", "normalized_lines"}
        Which form of the text it counts on: normalized as a whole, as it is, or normalized line by line.
    name : str, optional
        Name in signatures, with settings that its id does not show, such as `wer(alignment=sclite)`; else its id.

    Raises
    ------
    UnknownNameError
        If a setting has a value that it cannot have; lists the possible ones.
    """

    id: str
    text: TextForm = field(default="normalized", kw_only=True)
    name: str = field(default="", kw_only=True)

    files: ClassVar[tuple[str, ...]] = ()
    """Names of settings whose text, in a name of the metric, is the path of a file."""

    def __post_init__(self) -> None:
        check_choices(self, f"metric {self.id!r}")

    @classmethod
    def read_file(cls, setting: str, path: Path) -> Any:  # noqa: ARG003 - for those with several
        """A setting whose value in a name is a file, as the class takes it: here the path."""
        return str(path)

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of its counts, in the order of their last axis."""

    @abstractmethod
    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns), each from the data of that segment alone.

        A large corpus is counted in parts, so that a count that used other segments would depend on the parts.
        """

    @abstractmethod
    def facts(self, norm: str) -> Mapping[str, str]:
        """Facts that its value depends on, in a fixed order: unit, rules, and `norm`, the normalization of the text."""

    @property
    def direction(self) -> Direction:
        """Direction in which it gets better."""
        return Direction.HIGHER_IS_BETTER

    @property
    def kind(self) -> Kind:
        """Kind of number that it is, by the columns of its rate."""
        is_error_rate = self.is_ratio and self.rate_columns[:2] == ("errors", "length")
        return Kind.ERROR_RATE if is_error_rate else Kind.SHARE

    @property
    def counted(self) -> str:
        """Plural noun of what it counts, as in "fewer word errors"; empty where a lower rate need not be fewer."""
        if self.kind is not Kind.ERROR_RATE:
            return ""
        return f"{UNIT_NOUNS[unit]} errors" if (unit := self.facts("")["unit"]) in UNIT_NOUNS else "errors"

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest possible score."""
        return 0.0, 1.0 if self.kind is Kind.SHARE else math.inf

    is_smooth: ClassVar[bool] = True
    """Whether a small change of counts changes its score little, which the jackknife needs."""

    @property
    def undefined_reason(self) -> str:
        """Reason why a rate has no value, for messages."""
        return "too many references are empty"

    @property
    def rate_columns(self) -> tuple[str, ...]:
        """Columns that the rate depends on: the others need not be resampled."""
        return self.columns

    @property
    def size_columns(self) -> tuple[str, ...]:
        """Columns whose sum is the weight of a unit in the degrees of freedom: of error rates, errors plus length."""
        return self.rate_columns

    @property
    def counts_items(self) -> bool:
        """Whether it counts items, such as characters or lines, each right or wrong, over their number.

        Then it varies no less than if these were independent. What sums up other values weighs units by their number.
        """
        return self.kind is not Kind.OTHER and self.size_columns == self.rate_columns

    @property
    def undefined(self) -> float:
        """Rate where its denominator is 0."""
        return math.nan

    @property
    def is_ratio(self) -> bool:
        """Whether its rate is its quotient; a class that overrides `rate` has to say so."""
        return True

    def __init_subclass__(cls) -> None:
        """Refuse a class whose rate may or may not be a quotient, which decides how differences are tested."""
        super().__init_subclass__()
        if "rate" in vars(cls) and "is_ratio" not in vars(cls):
            raise ConfigurationError(
                f"{cls.__module__}.{cls.__name__} overrides rate; give it is_ratio = True if that is still the first "
                "of its rate_columns over the second, otherwise is_ratio = False."
            )

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., columns) -> (...); `undefined` where the denominator is 0."""
        return divide(*self.quotient(counts), undefined=self.undefined)

    def quotient(self, counts: IntArray) -> tuple[IntArray, IntArray]:
        """Numerator and denominator of a ratio, the first two rate columns of summed counts, (..., columns) -> (...).

        Where two systems have the same denominators, their scores differ by a sum over segments, as of error rates.
        """
        numerator, denominator = (counts[..., self.columns.index(name)] for name in self.rate_columns[:2])
        return numerator, denominator

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether each segment is without fault, shape (segments, columns) -> (segments,).

        That is, its first count is 0 if lower is better, and equals all other columns if higher is better.
        """
        lower = self.direction is Direction.LOWER_IS_BETTER
        exact: BoolArray = counts[:, 0] == 0 if lower else (counts[:, 1:] == counts[:, :1]).all(axis=1)
        return exact

    def signature(self, normalizer: str) -> Signature:
        """Signature of its numbers; `normalizer` is the signature of the normalizer."""
        by_form = {"raw": "none", "normalized": normalizer, "normalized_lines": f"{normalizer}:by-line"}
        return Signature.of(self.name or self.id, self.facts(by_form[self.text]))

    reference_annotations: ClassVar[tuple[str, ...]] = ()
    """Names of the annotations of the references that it counts by; signatures have their digests."""

    @property
    def requires_metric(self) -> str:
        """Name of the metric that must be shown with it, because it leaves segments out; empty if none must."""
        return ""

    input_kind: ClassVar[InputKind] = "text"
    """Kind of texts that it needs, so that commands read them accordingly."""

    uses_references: ClassVar[bool] = True
    """Whether its counts depend on the references; where no metric uses them, they need not be given."""

    decides: ClassVar[bool] = False
    """Whether its counts are decisions on segments, as of a judge: `wrong`, `compared` and `decided`."""

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives by its own rule; others count the readings by words."""
        return False

    def operations(self, pairs: ScoredText) -> Sequence[str] | None:  # noqa: ARG002 - for those that align
        """Alignment of every segment, one letter per operation, whose errors it counts; None if it does not align."""
        return None

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:  # noqa: ARG002 - for those that look
        """Problems of references that it cannot use, such as not being JSON, by their position.

        Segments with a problem have counts of 0 only, so that they add nothing; other metrics count them all the same.
        """
        return {}

    def survey(self, pairs: ScoredText) -> Survey:  # noqa: ARG002 - for those that look
        """Facts of the texts that `doubts` needs."""
        return {}

    def doubts(self, survey: Survey, system: str) -> list[Doubt]:  # noqa: ARG002 - for those that look
        """Doubts about the numbers of a system, from the facts of all its texts.

        Raises ConfigurationError for a setting that fits none of them.
        """
        return []


def divide(numerator: IntArray, denominator: IntArray, *, undefined: float) -> FloatArray:
    """Divide counts elementwise, with `undefined` where the denominator is zero."""
    result = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), undefined, dtype=np.float64)
    return np.divide(numerator, denominator, out=result, where=denominator != 0)
