"""Additive counts of one system: of every metric, segment and run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from misread.data.segment_table import Doubt, Origin, SegmentKeys, take

if TYPE_CHECKING:
    from misread.provenance.signature import Signature
    from misread.tally.missing_texts import MissingOutputs
    from misread.types import BoolArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Counts of one metric, one row per segment, by the names of their columns."""

    columns: tuple[str, ...]
    values: IntArray  # shape (segments, columns)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, column: str) -> IntArray:
        """One column, shape (segments,)."""
        return self.values[:, self.columns.index(column)]

    @property
    def total(self) -> IntArray:
        """Sums over all segments, shape (columns,)."""
        total: IntArray = self.values.sum(axis=0)
        return total

    def take(self, rows: IntArray) -> Counts:
        """Keep these rows, in this order."""
        # Column by column, in which files have them, sums are made and rates are found.
        return Counts(self.columns, self.values.T.take(rows, axis=1).T)

    def row(self, row: int) -> dict[str, int]:
        """Counts of one segment by column."""
        return dict(zip(self.columns, self.values[row].tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class RunCounts:
    """Counts of every run of a system that read everything several times."""

    runs: Sequence[str]  # their names
    counts: Mapping[str, IntArray]  # by metric, shape (runs, segments, columns)
    same_text: BoolArray  # whether all runs gave the same text, as it came, shape (segments,)

    def take(self, rows: IntArray) -> RunCounts:
        """Keep these segments, in this order."""
        counts = {metric: values[:, rows] for metric, values in self.counts.items()}
        return RunCounts(self.runs, counts, self.same_text[rows])


@dataclass(frozen=True, slots=True)
class Scores:
    """Additive counts of one system on one data set, summed over its runs; mappings are by metric id unless noted.

    A row is a segment. In counts that were committed as sums it is a cluster, or the whole data set, whose number of
    segments `sizes` has.
    """

    origin: Origin
    segments: SegmentKeys
    _: KW_ONLY
    counts: Mapping[str, Counts] = field(default_factory=dict)
    signatures: Mapping[str, Signature] = field(default_factory=dict)
    normalizer: str  # its signature
    reference_digest: Sequence[str] = ()  # equal for equal references, to check that two files can be compared
    missing: str  # a MissingPolicy
    excluded: int = 0  # segments left out by that policy
    # Kinds of invisible differences, with the number of segments that have them.
    invisible: Mapping[str, int] = field(default_factory=dict)
    # Metric id to segment id to reason: references that a metric cannot use; they count nothing in that metric.
    problems: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    missing_outputs: MissingOutputs | None = None  # None where no segment lacks one
    pairing: Sequence[Mapping[str, Any]] = ()  # faults in the pairing of outputs and references, as plain records
    runs: RunCounts | None = None  # None where everything was read once
    sizes: IntArray | None = None  # segments of each row, shape (rows,); None where every row is a segment
    pseudonyms: str = ""  # identifies the key with which ids and clusters were replaced, if they were

    def with_faults(self, doubts: Sequence[Doubt], pairing: Sequence[Mapping[str, Any]]) -> Scores:
        """The same with faults in the pairing, as doubts before the others and as records."""
        facts = self.origin.facts.with_doubts(*doubts)
        return replace(self, origin=replace(self.origin, facts=facts), pairing=pairing)

    def take(self, rows: IntArray) -> Scores:
        """Keep these rows, in this order."""
        return replace(
            self,
            segments=self.segments.take(rows),
            counts={metric: counts.take(rows) for metric, counts in self.counts.items()},
            reference_digest=take(self.reference_digest, rows),
            runs=None if self.runs is None else self.runs.take(rows),
            sizes=None if self.sizes is None else self.sizes[rows],
        )

    def with_rows(self, scores: Scores) -> Scores:
        """The same of the segments of other scores, with their counts."""
        return replace(
            self,
            segments=scores.segments,
            counts=scores.counts,
            reference_digest=scores.reference_digest,
            runs=scores.runs,
        )
