"""Segments with the outputs of every system, and the choice of those to look at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from misread.alignment import AlignmentPolicy, Unit, error_counts
from misread.checks.choices import check_choice
from misread.errors import ConfigurationError, TooDifferentError, UndefinedResultError
from misread.records import NormalizedTexts

Order = Literal["errors", "disagreement"]
TextForm = Literal["raw", "normalized"]


@dataclass(frozen=True, slots=True)
class SegmentTexts:
    """One segment: its reference, what each system read, and with how many errors."""

    segment_id: str
    reference: str
    length: int  # units of the reference
    cluster: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    hypotheses: Mapping[str, str | None] = field(default_factory=dict)  # by system; None where there is no output
    errors: Mapping[str, int] = field(default_factory=dict)  # by system; a missing output counts as empty

    @property
    def is_exact(self) -> bool:
        """Whether every system read it without error."""
        return not any(self.errors.values())

    @property
    def disagreement(self) -> int:
        """Errors of the worst system minus those of the best."""
        return max(self.errors.values()) - min(self.errors.values())


@dataclass(frozen=True, slots=True)
class Selection:
    """Segments to show, and how many there were."""

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
    """Put what several systems read beside each other, segment by segment, in the order of the data set.

    Raises UndefinedResultError if two systems were captured with different references or references read in several
    ways, and TooDifferentError, which names the segment, if one is too long and too different to be aligned.
    """
    check_choice("form of the text", form, TextForm)
    references: dict[str, str] = {}
    first: dict[str, str] = {}
    places: dict[str, tuple[str | None, dict[str, str]]] = {}
    hypotheses: dict[str, dict[str, str | None]] = {}
    errors: dict[str, dict[str, int]] = {}
    lengths: dict[str, int] = {}
    for system, of in texts.items():
        if of.origin.alternatives:
            raise UndefinedResultError(
                f"references of {of.origin.dataset!r} have alternatives: there is no single text to align all "
                "systems with. `misread score` and the tables count them."
            )
        pairs = of.raw if form == "raw" else of.normalized
        try:
            counts = error_counts(
                pairs.references, [text or "" for text in pairs.hypotheses], unit=unit, alignment=alignment
            )
        except TooDifferentError as error:
            raise error.named(f"segment {of.segments.segment_id[error.pair]!r}, system {system!r}") from None
        for row, key in enumerate(of.segments.segment_id):
            reference = pairs.references[row]
            if references.setdefault(key, reference) != reference:
                raise UndefinedResultError(
                    f"segment {key!r} has one reference for {first[key]} and another for {system}; "
                    "capture both from the same data (`dvc repro`)."
                )
            first.setdefault(key, system)
            cluster = None if of.segments.cluster is None else of.segments.cluster[row]
            places.setdefault(key, (cluster, {name: column[row] for name, column in of.segments.groups.items()}))
            hypotheses.setdefault(key, {})[system] = pairs.hypotheses[row]
            errors.setdefault(key, {})[system] = int(counts.errors[row])
            lengths[key] = int(counts.reference_length[row])
    return [
        SegmentTexts(key, references[key], lengths[key], *places[key], hypotheses[key], errors[key])
        for key in references
    ]


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
