"""What crosses stages: frozen records, columns of equal length wherever there is one entry a segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

if TYPE_CHECKING:
    from misread.types import FloatArray, IntArray

MissingPolicy = Literal["strict", "present", "all"]
"""What becomes of segments without a hypothesis."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an engine gets to see of a segment: its image or audio, or outputs recorded earlier; never the reference."""

    segment_id: str
    media: Path | None = None
    recorded: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Segment:
    """One unit of a data set (utterance, line, region, page) with its reference and where it belongs.

    A reference may read in several ways, in the notation of `misread.text.alternatives`, if `alternatives` says so; all
    of a data set are written in one way. `notes` say what a reader of results must know of the data; those of all
    segments are put together, each once, in `Origin.notes`.
    """

    source: Source
    reference: str
    cluster: str | None = None
    groups: Mapping[str, str] = field(default_factory=dict)
    alternatives: bool = False
    notes: tuple[str, ...] = ()

    @property
    def segment_id(self) -> str:
        return self.source.segment_id


@dataclass(frozen=True, slots=True)
class Reading:
    """What one engine made of one source: a text, or the reason why there is none, and what it took."""

    segment_id: str
    text: str | None
    reason: str | None
    latency_seconds: float
    peak_memory_bytes: int


@dataclass(frozen=True, slots=True)
class Timings:
    """What reading took, one entry a segment that was read; none where outputs were recorded elsewhere.

    Attributes
    ----------
    latency_seconds : float64 array
    peak_memory_bytes : int64 array
        Of the whole process, up to this segment.
    """

    origin: Origin
    latency_seconds: FloatArray
    peak_memory_bytes: IntArray


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a stage's file come from.

    `not_applicable` holds the reason when the system cannot read the data set at all; such a file has no rows.
    `alternatives` says which texts may read in several ways, in the notation of `misread.text.alternatives`: none (""),
    "references" or "both" sides. `notes` are whole sentences on what is doubtful in the data (counts and first places);
    they become warnings of every result.
    """

    dataset: str
    system: str
    data_digest: str = ""
    engine: Mapping[str, str] = field(default_factory=dict)
    cluster_name: str = ""
    not_applicable: str = ""
    alternatives: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentKeys:
    """Which segments the rows of a file are, one entry a segment in every column."""

    segment_id: Sequence[str]
    cluster: Sequence[str] | None
    groups: Mapping[str, Sequence[str]]

    def __len__(self) -> int:
        return len(self.segment_id)

    def take(self, rows: Sequence[int]) -> SegmentKeys:
        """Keep these rows, in this order."""
        return SegmentKeys(
            [self.segment_id[row] for row in rows],
            None if self.cluster is None else [self.cluster[row] for row in rows],
            {name: [column[row] for row in rows] for name, column in self.groups.items()},
        )


@dataclass(frozen=True, slots=True)
class TextPairs:
    """References and hypotheses of the same segments in one order; a hypothesis is None where there is none."""

    references: Sequence[str]
    hypotheses: Sequence[str | None]

    def __len__(self) -> int:
        return len(self.references)

    def take(self, rows: Sequence[int]) -> TextPairs:
        """Keep these rows, in this order."""
        return TextPairs([self.references[row] for row in rows], [self.hypotheses[row] for row in rows])


@dataclass(frozen=True, slots=True)
class Capture:
    """The outputs of one system on one data set, exactly as they came."""

    origin: Origin
    segments: SegmentKeys
    texts: TextPairs
    reasons: Sequence[str | None]


@dataclass(frozen=True, slots=True)
class NormalizedTexts:
    """A capture and, beside it, what the normalizer made of both sides.

    Attributes
    ----------
    normalized : TextPairs
        The normalizer was applied to each text as a whole.
    normalized_lines : TextPairs
        It was applied to each line by itself, so that no step can join lines.
    """

    origin: Origin
    segments: SegmentKeys
    raw: TextPairs
    normalized: TextPairs
    normalized_lines: TextPairs
    reasons: Sequence[str | None]
    normalizer: str


@dataclass(frozen=True, slots=True)
class Scores:
    """Additive counts of one system on one data set.

    Attributes
    ----------
    counts : mapping of metric id to int64 array, shape (segments, columns of that metric)
    signatures : mapping of metric id to signature
    normalizer : str
        Signature of the normalizer.
    reference_digest : sequence of str
        Tells whether two files speak of the same references.
    missing : str
        Policy for segments without a hypothesis.
    excluded : int
        Number of segments that the policy left out.
    invisible : mapping of str to int
        Kinds of differences that nobody can see, and the number of segments that have them.
    problems : mapping of metric id to mapping of segment id to str
        References that a metric cannot use, and why: they count nothing in that metric.
    operations : mapping of metric id to sequence of str
        Alignment of each segment, one letter an operation: C correct, S, D or I; of metrics that align, where a test
        asks for it.
    """

    origin: Origin
    segments: SegmentKeys
    counts: Mapping[str, IntArray]
    signatures: Mapping[str, str]
    normalizer: str
    reference_digest: Sequence[str]
    missing: str
    excluded: int
    invisible: Mapping[str, int] = field(default_factory=dict)
    problems: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    operations: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SegmentAlignments:
    """How each reference became its hypothesis, one letter an operation: C correct, S, D, I, or T for two swapped.

    Attributes
    ----------
    characters, words : sequence of str
        Letters of each segment, in reading order.
    facts : mapping of "characters" and "words" to what was aligned
        Id, unit, form of the text and signature of the error rate whose errors these are; errors and length in all.
    """

    origin: Origin
    segment_id: Sequence[str]
    characters: Sequence[str]
    words: Sequence[str]
    facts: Mapping[str, Mapping[str, str | int]]


@dataclass(frozen=True, slots=True)
class Confusion:
    """What was read for what, how often; "<INSERT>" for no reference and "<DELETE>" for no hypothesis."""

    reference: str
    hypothesis: str
    count: int


@dataclass(frozen=True)
class Confusions(Sequence[Confusion]):
    """Confusions, most frequent first, in columns of equal length: a word list may have very many."""

    references: Sequence[str]
    hypotheses: Sequence[str]
    counts: Sequence[int]

    def __len__(self) -> int:
        return len(self.counts)

    @overload
    def __getitem__(self, index: int) -> Confusion: ...
    @overload
    def __getitem__(self, index: slice) -> Confusions: ...
    def __getitem__(self, index: int | slice) -> Confusion | Confusions:
        if isinstance(index, slice):
            return Confusions(self.references[index], self.hypotheses[index], self.counts[index])
        return Confusion(self.references[index], self.hypotheses[index], self.counts[index])


@dataclass(frozen=True, slots=True)
class ConfusionTable:
    """Errors of one system on one data set.

    Attributes
    ----------
    confusions : mapping of kind to Confusions
        Kinds are "character" and "word", and "block" and "category" with the errors of characters summed by these.
    facts : mapping of "characters" and "words" to what was aligned
        As in `SegmentAlignments`.
    reference_units : mapping of kind to mapping of str to int
        How often each character, block and category occurs in the references: what a count is a share of.
    """

    origin: Origin
    confusions: Mapping[str, Confusions]
    facts: Mapping[str, Mapping[str, str | int]]
    reference_units: Mapping[str, Mapping[str, int]]
