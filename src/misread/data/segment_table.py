"""The canonical table of segments: ids, texts, clusters and groups, with what stages and engines take of it."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from misread.errors import InputValueError, LengthMismatchError
from misread.io.json_files import is_number
from misread.provenance.conditions import Conditions, show_conditions
from misread.text.display import shorten_label
from misread.text.lazy_rows import LazyRows

if TYPE_CHECKING:
    from misread.types import IntArray


Column = TypeVar("Column")

MissingPolicy = Literal["error", "drop", "empty"]
"""Policy for segments without a hypothesis: they stop the run, are left out, or count as empty texts."""


NOT_RECORDED = "the data set recorded no output"
"""Prefix of the reason of a hypothesis that nobody tried to read again; other reasons are those of failed readings."""


Annotations = Mapping[str, Sequence[Any]]
"""Annotations of segments by name: a value of JSON for each segment, None where there is none."""


EFFORT: Final = ("latency_seconds", "input_tokens", "output_tokens", "usd")
"""Annotations of hypotheses that say what reading them took."""


def read_effort(value: Any, name: str, segment_id: str) -> float:
    """A value of one of them; NaN where it is not known. Raises InputValueError if it is not a number of 0 or more."""
    if value is None:
        return math.nan
    if not is_number(value) or value < 0:
        raise InputValueError(
            f"segment {shorten_label(segment_id)!r} has {shortened(value)} as {name}, expected a number, 0 or more."
        )
    return float(value)


Area = tuple[tuple[int, int], ...]
"""Polygon in an image: x and y of its corners in pixels, from the upper left."""


@dataclass(frozen=True, slots=True)
class Source:
    """Input of an engine for one segment: image or audio, or recorded outputs by system; never the reference.

    Only a judge is given a question, which has the reference and a hypothesis.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Something doubtful in texts, in a sentence that may quote them and in one that does not.

    Attributes
    ----------
    sentence : str
        The whole, with examples of texts and ids; it becomes a warning of every result.
    brief : str
        The same in few words without any text or id.
    quotes : bool
        Whether the sentence has words of the texts: what has no texts, such as counts in Git, has it in brief.
    is_caution : bool
        Whether it changes how a number may be read: then every table has it, in brief, below its rows.
    """

    sentence: str
    brief: str
    quotes: bool = False
    is_caution: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFacts:
    """Facts on the origin of texts, from their reader to the signature of every number.

    `alternatives` says which side is in the notation of `misread.text.alternatives`: none (""), "references" or "both".
    `notes` are whole sentences on doubtful data (counts and first places); they become warnings of every result, as do
    `doubts`, which may quote texts. `remarks`, which may, too, are on what was left out on purpose: notes of results.
    `empty_cells` says what the empty cells of a table were taken for ("text", "missing"), if its format leaves it open
    and it has any. `resegmented` says that hypotheses were cut at the references' boundaries, and `part` which segments
    were chosen, if not all. `pairing` is a rule of `misread.data.PairingSettings` other than the usual one. `formats`
    are those with settings that say which of the texts are read.
    """

    alternatives: str = ""
    notes: Sequence[str] = ()
    empty_cells: str = ""
    resegmented: bool = False
    part: str = ""
    pairing: str = ""
    formats: str = ""
    doubts: Sequence[Doubt] = ()
    remarks: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "doubts", tuple(self.doubts))
        object.__setattr__(self, "remarks", tuple(self.remarks))

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that is doubtful, as whole sentences."""
        return (*(doubt.sentence for doubt in self.doubts), *self.notes)

    def with_notes(self, *notes: str) -> TextFacts:
        """Add further notes, without repetition."""
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *notes))))

    def with_doubts(self, *doubts: Doubt) -> TextFacts:
        """Add further doubts before the others, without repetition."""
        return replace(self, doubts=tuple(dict.fromkeys((*doubts, *self.doubts))))

    def without_texts(self) -> TextFacts:
        """The same without remarks, and with doubts in brief whose sentences quote texts."""
        doubts = [replace(doubt, sentence=doubt.brief) if doubt.quotes else doubt for doubt in self.doubts]
        return replace(self, doubts=doubts, remarks=())

    def without_ids(self) -> TextFacts:
        """The same without notes and remarks, and with all doubts in brief."""
        return replace(
            self, notes=(), remarks=(), doubts=[replace(doubt, sentence=doubt.brief) for doubt in self.doubts]
        )

    def signed(self, *, chooses_readings: bool) -> dict[str, str]:
        """Facts that tell these texts from others; a metric that chooses among readings aligns them itself."""
        facts = {}
        if self.alternatives:
            facts["alternatives"] = f"{self.alternatives}-{'aligned' if chooses_readings else 'read-by-words'}"
        if self.empty_cells:
            facts["cells"] = f"empty-is-{self.empty_cells}"
        if self.resegmented:
            facts["segments"] = "cut-by-words"
        if self.part:
            facts["part"] = self.part
        if self.pairing == "as-given":
            facts["pairing"] = self.pairing
        if self.formats:
            facts["read"] = self.formats
        return facts


@dataclass(frozen=True, slots=True)
class Origin:
    """Source of the rows of a stage's file.

    `not_applicable` is the reason why the system cannot read the data set at all; such a file has no rows. `signature`
    is what the system's answers depend on: engine, settings, versions. `conditions` are those under which a server
    answered, which its answers may depend on as well.
    """

    dataset: str
    system: str
    data_digest: str = ""
    engine: Mapping[str, str] = field(default_factory=dict)
    cluster_name: str = ""
    not_applicable: str = ""
    facts: TextFacts = field(default_factory=TextFacts)
    signature: str = ""
    conditions: Conditions = field(default_factory=dict)

    @property
    def engine_facts(self) -> dict[str, str]:
        """Versions of the engine and the conditions of its readings, by name."""
        return {**self.engine, **show_conditions(self.conditions)}


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

    A column has one entry per segment. A hypothesis of None is missing, unlike an empty one.
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
    facts: TextFacts = field(default_factory=TextFacts)
    notes_on_hypotheses: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by system
    annotations: Annotations = field(default_factory=dict)  # of the references
    annotations_of: Mapping[str, Annotations] = field(default_factory=dict)  # of the hypotheses, by system
    # Of the hypotheses of each run, by system and run.
    annotations_of_runs: Mapping[str, Mapping[str, Annotations]] = field(default_factory=dict)

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
            **{
                f"annotations[{name!r}][{system!r}][{run!r}]": column
                for system, runs in self.annotations_of_runs.items()
                for run, columns in runs.items()
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
            annotations_of_runs={
                system: {run: {name: of(column) for name, column in columns.items()} for run, columns in by_run.items()}
                for system, by_run in self.annotations_of_runs.items()
            },
        )

    def sources(self, *, recorded: bool = True) -> Sources:
        """What engines read, one source per segment, with recorded outputs only if they are wanted."""
        return Sources(self if recorded else replace(self, hypotheses={}))

    def with_joined_labels(self) -> SegmentTable:
        """Join clusters, and groups, whose labels look alike, with a note that says how many."""
        notes = []

        def join(name: str, labels: Sequence[str]) -> Sequence[str]:
            joined, note = _join_labels(labels)
            if note:
                notes.append(f"{name}: {note}")
            return joined

        cluster = None if self.cluster is None else join(self.cluster_name or "cluster", self.cluster)
        groups = {name: join(name, labels) for name, labels in self.groups.items()}
        return replace(self, cluster=cluster, groups=groups, facts=self.facts.with_notes(*notes)) if notes else self

    def annotations_for(self, system: str, run: str = "1") -> Annotations:
        """Facts of the segments as this system read them in a run, and of their references."""
        of_run = self.annotations_of_runs.get(system, {}).get(run, {})
        return {**self.annotations, **self.annotations_of.get(system, {}), **of_run}

    def captures(self) -> dict[str, Capture]:
        """The hypotheses of every system with the references."""
        captures, table = {}, self.with_joined_labels()
        for system, texts in self.hypotheses.items():
            facts = table.facts.with_notes(*self.notes_on_hypotheses.get(system, ()))
            origin = Origin(self.name, system, self.digest, cluster_name=self.cluster_name, facts=facts)
            first, *further = [
                Capture(
                    origin,
                    table.keys,
                    TextPairs(self.references, outputs),
                    [None] * len(self),
                    run,
                    annotations=self.annotations_for(system, run),
                )
                for run, outputs in self.runs.get(system, {"1": texts}).items()
            ]
            captures[system] = replace(first, further_runs=tuple(further))
        return captures


@dataclass(frozen=True, slots=True)
class Sources(LazyRows[Source]):
    """Sources of a table's segments."""

    table: SegmentTable

    def __len__(self) -> int:
        return len(self.table)

    def row(self, index: int) -> Source:
        """Make one row."""
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


def _join_labels(labels: Sequence[str]) -> tuple[Sequence[str], str]:
    """Join labels that differ only in outer blanks or in normal form; also returns a sentence if there are any."""
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


def take(column: Sequence[Column], rows: Sequence[int] | IntArray) -> Sequence[Column]:
    """Entries of these rows, in this order; texts in Arrow buffers stay there."""
    if hasattr(column, "take"):
        taken: Sequence[Column] = column.take(rows)
        return taken
    return [column[row] for row in (rows if isinstance(rows, Sequence) else rows.tolist())]


def require_equal_lengths(columns: Mapping[str, Sequence[object]]) -> None:
    """Refuse a column that is longer or shorter than the first."""
    (first, length), *others = ((name, len(column)) for name, column in columns.items())
    for name, other in others:
        if other != length:
            raise LengthMismatchError(f"{first} has {length:,} entries and {name} has {other:,}; both need the same.")
