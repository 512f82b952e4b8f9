"""Segments with the outputs of every system, and the choice of those to look at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast

from misread.alignment import (
    AlignedAlternatives,
    AlignmentPolicy,
    AlternativesIn,
    ErrorCounts,
    Unit,
    align_alternatives,
    error_counts,
)
from misread.data.segment_table import TextPairs
from misread.errors import ConfigurationError, TooDifferentError, UndefinedResultError
from misread.io.checks.choices import check_choice
from misread.normalize.normalized_texts import NormalizedTexts

Order = Literal["errors", "disagreement"]
TextForm = Literal["raw", "normalized"]


@dataclass(frozen=True, slots=True)
class TakenReading:
    """The reading that a system's output was compared with, where texts have several."""

    reference: str
    hypothesis: str
    length: int  # units of the reference, with words that were left out


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """One segment: its reference, what each system read, and with how many errors."""

    segment_id: str
    reference: str
    length: int  # units of the reference; of several readings that of the first system
    cluster: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    hypotheses: Mapping[str, str | None] = field(default_factory=dict)  # by system; None where there is no output
    errors: Mapping[str, int] = field(default_factory=dict)  # by system; a missing output counts as empty
    readings: Mapping[str, TakenReading] = field(default_factory=dict)  # by system, where there are alternatives

    @property
    def is_exact(self) -> bool:
        """Whether every system read it without error."""
        return not any(self.errors.values())

    def by_reading(self) -> list[tuple[str, int, dict[str, str | None]]]:
        """Every reading of the reference with its length and the hypotheses of the systems that were compared with it.

        There is one where the reference reads in one way.
        """
        if not self.readings:
            return [(self.reference, self.length, dict(self.hypotheses))]
        readings: dict[str, tuple[int, dict[str, str | None]]] = {}
        for system, taken in self.readings.items():
            _, hypotheses = readings.setdefault(taken.reference, (taken.length, {}))
            hypotheses[system] = None if self.hypotheses[system] is None else taken.hypothesis
        return [(reference, length, hypotheses) for reference, (length, hypotheses) in readings.items()]

    @property
    def disagreement(self) -> int:
        """Errors of the worst system minus those of the best."""
        return max(self.errors.values()) - min(self.errors.values())


@dataclass(frozen=True, slots=True)
class Selection:
    """Segments to show, and the number of all segments."""

    segments: Sequence[SegmentTexts]
    exact: int
    total: int


def gather_segments(
    texts: Mapping[str, NormalizedTexts],
    *,
    form: TextForm = "normalized",
    unit: Unit = "char",
    alignment: AlignmentPolicy = "unit",
) -> list[SegmentTexts]:
    """Gather the outputs of several systems by segment, in the order of the data set.

    Texts with alternatives are read as they fit best, as the metrics read them. Raises
    UndefinedResultError if two systems were captured with different references, and TooDifferentError, which names the
    segment, if one is too long and too different to be aligned.
    """
    check_choice("form of the text", form, TextForm)
    references: dict[str, str] = {}
    first: dict[str, str] = {}
    places: dict[str, tuple[str | None, dict[str, str]]] = {}
    hypotheses: dict[str, dict[str, str | None]] = {}
    errors: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    readings: dict[str, dict[str, TakenReading]] = {}
    for system, outputs in texts.items():
        pairs = outputs.raw if form == "raw" else outputs.normalized
        try:
            counts, read = _count(pairs, outputs.origin.facts.alternatives, unit, alignment)
        except TooDifferentError as error:
            raise error.named(f"segment {outputs.segments.segment_id[error.pair]!r}, system {system!r}") from None
        for row, key in enumerate(outputs.segments.segment_id):
            reference = pairs.references[row]
            if references.setdefault(key, reference) != reference:
                raise UndefinedResultError(
                    f"segment {key!r} has one reference for {first[key]} and another for {system}; "
                    "capture both from the same data (`dvc repro`)."
                )
            first.setdefault(key, system)
            cluster = None if outputs.segments.cluster is None else outputs.segments.cluster[row]
            places.setdefault(key, (cluster, {name: column[row] for name, column in outputs.segments.groups.items()}))
            hypotheses.setdefault(key, {})[system] = pairs.hypotheses[row]
            errors.setdefault(key, {})[system] = int(counts.errors[row])
            length = int(counts.reference_length[row])
            lengths.setdefault(key, length)
            if read is not None:
                taken = TakenReading(read.references[row], read.hypotheses[row], length)
                readings.setdefault(key, {})[system] = taken
    return [
        SegmentTexts(
            key, references[key], lengths[key], *places[key], hypotheses[key], errors[key], readings.get(key, {})
        )
        for key in references
    ]


def _count(
    pairs: TextPairs, alternatives: str, unit: Unit, alignment: AlignmentPolicy
) -> tuple[ErrorCounts, AlignedAlternatives | None]:
    """Errors of every pair, and what was read where there are alternatives: words choose by their own costs."""
    references, hypotheses = pairs.references, [text or "" for text in pairs.hypotheses]
    by_words = unit == "word" and alignment != "transpositions"
    if not alternatives:
        return error_counts(references, hypotheses, unit=unit, alignment=alignment), None
    read = align_alternatives(
        references,
        hypotheses,
        alternatives=cast("AlternativesIn", alternatives),
        alignment="sclite" if by_words and alignment == "sclite" else "unit",
    )
    if by_words:
        return read.counts, read
    return error_counts(read.references, read.hypotheses, unit=unit, alignment=alignment), read


def select_worst(
    segments: Iterable[SegmentTexts], number: int, *, order: Order = "errors", with_exact: bool = False
) -> Selection:
    """Choose the `number` segments with the most errors of all systems together, or the most disagreement between them.

    Ties go by all errors, then by segment id.
    """
    if number < 1:
        raise ConfigurationError(f"the number of segments to show is {number}, expected 1 or more.")
    check_choice("order", order, Order)
    everything = list(segments)
    exact = [segment for segment in everything if segment.is_exact]
    chosen = everything if with_exact else [segment for segment in everything if not segment.is_exact]

    def rank(segment: SegmentTexts) -> tuple[int, int, str]:
        errors = sum(segment.errors.values())
        return (-segment.disagreement if order == "disagreement" else -errors, -errors, segment.segment_id)

    return Selection(sorted(chosen, key=rank)[:number], len(exact), len(everything))
