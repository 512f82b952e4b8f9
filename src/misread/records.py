"""Frozen records that stages exchange; columns have one entry per segment and equal length."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from misread.errors import LengthMismatchError

if TYPE_CHECKING:
    import pyarrow as pa

    from misread.provenance.signature import Signature
    from misread.types import BoolArray, FloatArray, IntArray

Column = TypeVar("Column")

MissingPolicy = Literal["error", "drop", "empty"]
"""What becomes of segments without a hypothesis: they stop the run, are left out, or count as empty texts."""

Undecided = Literal["error", "wrong", "drop"]
"""What becomes of a pair of texts that a judge left open: an error, not accepted, or not counted."""

Annotations = Mapping[str, Sequence[Any]]
"""What is known of segments beside their texts, by name: a value of JSON for each segment, None where there is none."""

ViewName = Literal[
    "flags",
    "reliability",
    "review",
    "bands",
    "entities",
    "scripts",
    "corrections",
    "punctuation",
    "suspects",
    "repeats",
]
"""Tables that look at the segments in one way or another; see `misread.sockets.lay_out_views`."""

Alignments = Mapping[str, Mapping[str, Sequence[str]]]
"""Letters of every segment, as in `SegmentAlignments`, by system and by the metric whose errors they are."""


Area = tuple[tuple[int, int], ...]
"""Polygon in an image: x and y of its corners in pixels, from the upper left."""


@dataclass(frozen=True, slots=True)
class Source:
    """Input of an engine for one segment: image or audio, or recorded outputs by system; never the reference.

    Only a judge is given a question, in which the reference stands beside a hypothesis.

    `run` counts from 1 how often the same system is asked for the same segment.
    """

    segment_id: str
    media: Path | None = None
    recorded: Mapping[str, str | None] = field(default_factory=dict)
    run: int = 1
    area: Area | None = None  # part of the image that is the segment
    span: tuple[float, float] | None = None  # begin and end in seconds of the part of the recording
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """A word as an engine read it, and how sure it is of it, from 0 to 1."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Reading:
    """Output of an engine for one source: a text, or the reason why there is none, with its cost.

    A warm-up is the first reading of an opened engine, or of one connection to a server.
    """

    segment_id: str
    text: str | None
    reason: str | None
    latency_seconds: float
    peak_memory_bytes: int | None  # None where somebody else's computer reads
    _: KW_ONLY
    run: int = 1
    attempts: int = 1
    raw: str | None = None  # the answer as it came, where it is not the text itself
    confidence: float | None = None  # of the whole text, from 0 to 1
    words: tuple[Word, ...] | None = None
    warm_up: bool = False
    start_up_seconds: float | None = None  # of opening the engine before this reading
    first_byte_seconds: float | None = None  # until an answer begins, where a server streams it
    input_tokens: int | None = None
    output_tokens: int | None = None
    request: str | None = None  # by which a server knows the answer


@dataclass(frozen=True, slots=True)
class RecordedPart:
    """Outputs of a run for some segments as they were recorded elsewhere, with reasons where any is missing."""

    run: int
    rows: range  # of the segments
    texts: pa.Array
    reasons: Sequence[str | None] = ()


@dataclass(frozen=True, slots=True)
class Timings:
    """Cost of reading, one entry per segment that was read; no entries for recorded outputs. NaN is not known."""

    origin: Origin
    latency_seconds: FloatArray
    peak_memory_bytes: FloatArray  # of the processes that read, during this segment
    _: KW_ONLY
    warm_up: BoolArray  # first readings of an engine, whose time is not that of others
    start_up_seconds: FloatArray
    first_byte_seconds: FloatArray
    input_tokens: FloatArray
    output_tokens: FloatArray

    @property
    def warm_seconds(self) -> FloatArray:
        """Latencies without those of first readings, or all where there are no others."""
        return self.latency_seconds if self.warm_up.all() else self.latency_seconds[~self.warm_up]


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a judge finds that two texts say the same: None where it did not decide."""

    same: bool | None
    raw: str | None = None  # what it answered
    reason: str | None = None  # why it did not decide


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Settings of a judge of a study that are not those of its class."""

    undecided: Undecided = "error"


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions of one judge, by reference and hypothesis."""

    judge: Mapping[str, str]  # model, digest of the prompt, version
    by_texts: Mapping[tuple[str, str], Decision]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the rows of a stage's file come from.

    `not_applicable` is the reason why the system cannot read the data set at all; such a file has no rows.
    `alternatives` says which side is in the notation of `misread.text.alternatives`: none (""), "references" or "both".
    `notes` are whole sentences on doubtful data (counts and first places); they become warnings of every result.
    `empty_cells` says what the empty cells of a table were taken for ("text", "missing"), if its format leaves it open
    and it has any. `resegmented` says that hypotheses were cut at the references' boundaries, and `part` which segments
    were chosen, if not all. `signature` is what the system's answers depend on: engine, settings, versions.
    """

    dataset: str
    system: str
    data_digest: str = ""
    engine: Mapping[str, str] = field(default_factory=dict)
    cluster_name: str = ""
    not_applicable: str = ""
    alternatives: str = ""
    notes: tuple[str, ...] = ()
    empty_cells: str = ""
    resegmented: bool = False
    part: str = ""
    signature: str = ""


@dataclass(frozen=True, slots=True)
class SegmentKeys:
    """Ids, clusters and groups of the rows of a file, one entry per segment in every column."""

    segment_id: Sequence[str]
    cluster: Sequence[str] | None
    groups: Mapping[str, Sequence[str]]

    def __len__(self) -> int:
        return len(self.segment_id)

    def take(self, rows: Sequence[int] | IntArray) -> SegmentKeys:
        """Keep these rows, in this order."""
        return SegmentKeys(
            take(self.segment_id, rows),
            None if self.cluster is None else take(self.cluster, rows),
            {name: take(column, rows) for name, column in self.groups.items()},
        )


@dataclass(frozen=True, slots=True)
class TextPairs:
    """References and hypotheses of the same segments in the same order; None is a missing hypothesis."""

    references: Sequence[str]
    hypotheses: Sequence[str | None]

    def __len__(self) -> int:
        return len(self.references)

    def take(self, rows: Sequence[int] | IntArray) -> TextPairs:
        """Keep these rows, in this order."""
        return TextPairs(take(self.references, rows), take(self.hypotheses, rows))


@dataclass(frozen=True, slots=True)
class Capture:
    """Outputs of a system on one data set, unchanged: of its first run, and of further ones of the same segments."""

    origin: Origin
    segments: SegmentKeys
    texts: TextPairs
    reasons: Sequence[str | None]
    run: str = "1"
    further_runs: Sequence[Capture] = ()
    annotations: Annotations = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentTable:
    """Segments of one data set (utterances, lines, regions, pages): what every format is read into.

    A column has one entry per segment. A hypothesis of None is missing, unlike an empty one. `alternatives` says which
    side is in the notation of `misread.text.alternatives`; it, `notes`, which are whole sentences, `empty_cells`,
    `resegmented` and `part` are as in `Origin`.
    """

    name: str = ""
    digest: str = ""  # of ids and references, or of the file that they come from
    segment_id: Sequence[str] = field(default_factory=list)
    references: Sequence[str] = field(default_factory=list)
    cluster: Sequence[str] | None = None
    cluster_name: str = ""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    media: Sequence[Path] | None = None
    areas: Sequence[Area] | None = None  # parts of the images
    times: Sequence[tuple[float, float]] | None = None  # begin and end in seconds
    hypotheses: Mapping[str, Sequence[str | None]] = field(default_factory=dict)  # by system; of its first run
    # By system that read everything several times: texts by the name of the run, the first one too.
    runs: Mapping[str, Mapping[str, Sequence[str | None]]] = field(default_factory=dict)
    alternatives: str = ""
    notes: Sequence[str] = ()
    notes_on_hypotheses: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by system
    empty_cells: str = ""
    resegmented: bool = False
    part: str = ""
    annotations: Annotations = field(default_factory=dict)  # of the references
    annotations_of: Mapping[str, Annotations] = field(default_factory=dict)  # of the hypotheses, by system

    def __post_init__(self) -> None:
        columns = {
            "segment_id": self.segment_id,
            "references": self.references,
            "cluster": self.cluster,
            "media": self.media,
            "areas": self.areas,
            "times": self.times,
            **{f"groups[{name!r}]": column for name, column in self.groups.items()},
            **{f"hypotheses[{name!r}]": column for name, column in self.hypotheses.items()},
            **{
                f"hypotheses[{name!r}][{run!r}]": column
                for name, columns in self.runs.items()
                for run, column in columns.items()
            },
            **{f"annotations[{name!r}]": column for name, column in self.annotations.items()},
            **{
                f"annotations[{name!r}][{system!r}]": column
                for system, columns in self.annotations_of.items()
                for name, column in columns.items()
            },
        }
        require_equal_lengths({name: column for name, column in columns.items() if column is not None})

    def __len__(self) -> int:
        return len(self.segment_id)

    @property
    def keys(self) -> SegmentKeys:
        return SegmentKeys(self.segment_id, self.cluster, self.groups)

    def take(self, rows: Sequence[int]) -> SegmentTable:
        """Keep these rows, in this order."""

        def of(column: Sequence[Column]) -> Sequence[Column]:
            return take(column, rows)

        return replace(
            self,
            segment_id=of(self.segment_id),
            references=of(self.references),
            cluster=None if self.cluster is None else of(self.cluster),
            groups={name: of(column) for name, column in self.groups.items()},
            media=None if self.media is None else of(self.media),
            areas=None if self.areas is None else of(self.areas),
            times=None if self.times is None else of(self.times),
            hypotheses={system: of(column) for system, column in self.hypotheses.items()},
            runs={
                system: {run: of(column) for run, column in columns.items()} for system, columns in self.runs.items()
            },
            annotations={name: of(column) for name, column in self.annotations.items()},
            annotations_of={
                system: {name: of(column) for name, column in columns.items()}
                for system, columns in self.annotations_of.items()
            },
        )

    def sources(self, *, recorded: bool = True) -> Sources:
        """What engines read, one source per segment, with recorded outputs only if they are wanted."""
        return Sources(self if recorded else replace(self, hypotheses={}))

    def with_joined_labels(self) -> SegmentTable:
        """Make one of clusters, or groups, whose labels look alike, with a note that says how many."""
        notes = []

        def join(name: str, labels: Sequence[str]) -> Sequence[str]:
            joined, note = _join_labels(labels)
            if note:
                notes.append(f"{name}: {note}")
            return joined

        cluster = None if self.cluster is None else join(self.cluster_name or "cluster", self.cluster)
        groups = {name: join(name, labels) for name, labels in self.groups.items()}
        return replace(self, cluster=cluster, groups=groups, notes=(*self.notes, *notes)) if notes else self

    def annotations_for(self, system: str) -> Annotations:
        """What is known of the segments as this system read them, and of their references."""
        return {**self.annotations, **self.annotations_of.get(system, {})}

    def captures(self) -> dict[str, Capture]:
        """The hypotheses of every system beside the references."""
        captures, table = {}, self.with_joined_labels()
        for system, texts in self.hypotheses.items():
            origin = Origin(
                self.name,
                system,
                self.digest,
                cluster_name=self.cluster_name,
                alternatives=self.alternatives,
                notes=(*table.notes, *self.notes_on_hypotheses.get(system, ())),
                empty_cells=self.empty_cells,
                resegmented=self.resegmented,
                part=self.part,
            )
            reasons, annotations = [None] * len(self), self.annotations_for(system)
            first, *further = [
                Capture(origin, table.keys, TextPairs(self.references, of_run), reasons, run, annotations=annotations)
                for run, of_run in self.runs.get(system, {"1": texts}).items()
            ]
            captures[system] = replace(first, further_runs=tuple(further))
        return captures


@dataclass(frozen=True, slots=True)
class Sources(Sequence[Source]):
    """Sources of a table's segments, each made when it is asked for, so that many need no memory."""

    table: SegmentTable

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> Source: ...
    @overload
    def __getitem__(self, index: slice) -> list[Source]: ...
    def __getitem__(self, index: int | slice) -> Source | list[Source]:
        if isinstance(index, slice):
            return [self[row] for row in range(len(self))[index]]
        table = self.table
        return Source(
            table.segment_id[index],
            table.media[index] if table.media else None,
            {system: texts[index] for system, texts in table.hypotheses.items()},
            area=table.areas[index] if table.areas else None,
            span=table.times[index] if table.media and table.times else None,
        )

    def __iter__(self) -> Iterator[Source]:
        # Column by column, for a file has many values of one at a time.
        table = self.table
        systems = tuple(table.hypotheses)
        rows = zip(
            table.segment_id,
            table.media or repeat(None),
            zip(*table.hypotheses.values(), strict=True) if systems else repeat(()),
            table.areas or repeat(None),
            table.times if table.media and table.times else repeat(None),
            strict=False,
        )
        for segment_id, media, texts, area, span in rows:
            yield Source(segment_id, media, dict(zip(systems, texts, strict=True)), area=area, span=span)


def take(column: Sequence[Column], rows: Sequence[int] | IntArray) -> Sequence[Column]:
    """Entries of these rows, in this order; texts in Arrow buffers stay there."""
    if hasattr(column, "take"):
        taken: Sequence[Column] = column.take(rows)
        return taken
    return [column[row] for row in (rows if isinstance(rows, Sequence) else rows.tolist())]


def _join_labels(labels: Sequence[str]) -> tuple[Sequence[str], str]:
    """Labels, of which those that differ only in blanks at the ends or in normal form are one; a sentence if any do."""
    # Of texts in Arrow buffers, few Python strings are made.
    written = set(labels.numbered()[0] if hasattr(labels, "numbered") else labels)
    odd = [label for label in written if not label.isascii() or label != label.strip()]
    shown = {label: unicodedata.normalize("NFC", label).strip() for label in odd}
    spellings = Counter(shown.values())
    spellings.update(name for name in spellings if name in written and name not in shown)
    names = {label: name for label, name in shown.items() if spellings[name] > 1}
    if not names:
        return labels, ""
    joined = sum(spellings[name] - 1 for name in set(names.values()))
    return [names.get(label, label) for label in labels], (
        f"{len(written):,} labels are taken for {len(written) - joined:,}, as some differ only in blanks at their ends "
        f"or in Unicode normal form (the first is {min(names.values())!r})."
    )


def require_equal_lengths(columns: Mapping[str, Sequence[object]]) -> None:
    """Refuse columns of which one is longer or shorter than the first."""
    (first, length), *others = ((name, len(column)) for name, column in columns.items())
    for name, other in others:
        if other != length:
            raise LengthMismatchError(f"{first} has {length:,} entries and {name} has {other:,}; both need the same.")


@dataclass(frozen=True, slots=True)
class NormalizedTexts:
    """A capture with the normalized texts of both sides."""

    origin: Origin
    segments: SegmentKeys
    _: KW_ONLY
    raw: TextPairs
    normalized: TextPairs  # each text normalized as a whole
    normalized_lines: TextPairs  # each line normalized by itself, so that no step can join lines
    reasons: Sequence[str | None]
    normalizer: str
    run: str = "1"
    further_runs: Sequence[NormalizedTexts] = ()
    annotations: Annotations = field(default_factory=dict)  # that fit the normalized texts

    def take(self, rows: Sequence[int] | IntArray) -> NormalizedTexts:
        """Keep these rows of the first run, in this order, without annotations."""
        return NormalizedTexts(
            self.origin,
            self.segments.take(rows),
            raw=self.raw.take(rows),
            normalized=self.normalized.take(rows),
            normalized_lines=self.normalized_lines.take(rows),
            reasons=take(self.reasons, rows),
            normalizer=self.normalizer,
            run=self.run,
        )


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
        counts = {metric: of[:, rows] for metric, of in self.counts.items()}
        return RunCounts(self.runs, counts, self.same_text[rows])


@dataclass(frozen=True, slots=True)
class Scores:
    """Additive counts of one system on one data set, summed over its runs; mappings are by metric id unless noted."""

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
    runs: RunCounts | None = None  # None where everything was read once


@dataclass(frozen=True, slots=True)
class SegmentAlignments:
    """Alignment of each segment as a string, one letter per operation in reading order; of a system's first run.

    C is correct, S, D and I are errors, T is two neighbours that changed places.
    """

    origin: Origin
    segment_id: Sequence[str]
    characters: Sequence[str]
    words: Sequence[str]
    # By "characters" and "words": id, unit, form of the text and signature of the error rate whose errors these are,
    # and its total errors and length.
    facts: Mapping[str, Mapping[str, str | int]]

    @property
    def operations(self) -> dict[str, Sequence[str]]:
        """Alignments by the id of the error rate that they explain."""
        found = {"characters": self.characters, "words": self.words}
        return {str(facts["metric"]): found[kind] for kind, facts in self.facts.items()}


@dataclass(frozen=True, slots=True)
class Confusion:
    """A reference unit, what was read instead, and how often; <INSERT> and <DELETE> stand for no text."""

    reference: str
    hypothesis: str
    count: int


@dataclass(frozen=True)
class Confusions(Sequence[Confusion]):
    """Confusions, most frequent first, as columns of equal length because a word list may be very long."""

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
    """Confusions of one system on one data set, summed over its runs."""

    origin: Origin
    # By kind: "character" and "word"; "block" and "category" have the errors of characters summed by Unicode block and
    # general category.
    confusions: Mapping[str, Confusions]
    facts: Mapping[str, Mapping[str, str | int]]  # as in `SegmentAlignments`
    # By kind: occurrences of each character, block and category in the references, the denominators of counts.
    reference_units: Mapping[str, Mapping[str, int]]
