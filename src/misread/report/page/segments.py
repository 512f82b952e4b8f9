"""Segments of one data set with the outputs and alignments of every system."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from misread.alignment import AlignedAlternatives, AlternativesIn, Unit, align_alternatives, arrange_columns
from misread.data.segment_table import TextPairs
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.report.page.display_grid import DisplayGrid, make_display_grid
from misread.tables import SegmentMark, SegmentMarks
from misread.tally.alignments import SegmentAlignments

View = Literal["characters", "words"]

VIEWS: tuple[View, ...] = ("characters", "words")
"""Units of segments; the first is shown first."""


class OperationCounts(NamedTuple):
    """Errors of one system in one segment; a transposition counts as one substitution."""

    substitutions: int
    deletions: int
    insertions: int

    @property
    def errors(self) -> int:
        return sum(self)


class Aligned(NamedTuple):
    """Grids of all systems; counts are None for a system that was not scored on this segment.

    There is one grid, unless the reference has alternative readings: then there is one for every reading that a system
    was compared with, in which rows of other systems are None.
    """

    grids: tuple[DisplayGrid, ...]
    length: int
    counts: tuple[OperationCounts | None, ...]


@dataclass(frozen=True, slots=True)
class SystemOutput:
    """Output of one system for one segment, raw and as scored by characters, or the reason why there is none."""

    raw: str | None
    scored: str | None
    reason: str
    marks: Sequence[SegmentMark] = ()


@dataclass(frozen=True, slots=True)
class SegmentView:
    """One segment; outputs and rows of grids in the order of the systems of its `SegmentViews`."""

    segment_id: str
    labels: tuple[str, ...]
    raw: str
    scored: str
    outputs: tuple[SystemOutput, ...]
    aligned: Mapping[View, Aligned]

    @property
    def disagreement(self) -> int:
        """Largest minus smallest number of character errors; for a single system its errors."""
        errors = [counts.errors for counts in self.aligned["characters"].counts if counts is not None]
        return max(errors, default=0) - (min(errors) if len(errors) > 1 else 0)

    @property
    def errors(self) -> int:
        """Character errors of all systems together."""
        return sum(counts.errors for counts in self.aligned["characters"].counts if counts is not None)

    @property
    def interest(self) -> tuple[int, int, int]:
        """Sorting key, most interesting first: more disagreement, then more errors, then shorter length."""
        return -self.disagreement, -self.errors, self.aligned["characters"].length


@dataclass(frozen=True, slots=True)
class SegmentViews:
    """Segments of a data set, in its order, with the total number; systems are ids, in the order of rows."""

    systems: tuple[str, ...]
    # Names of the labels of a segment: the cluster's name, then group columns.
    columns: tuple[str, ...]
    segments: tuple[SegmentView, ...]
    total: int
    # Kinds of marks, in the order of display.
    kinds: tuple[str, ...] = ()


def view_segments(
    texts: Mapping[str, NormalizedTexts],
    alignments: Mapping[str, SegmentAlignments],
    systems: Sequence[str],
    marks: SegmentMarks | None = None,
    *,
    total: int | None = None,
) -> SegmentViews:
    """Texts of all systems by segment, for every segment of any system.

    The order is that of the first system, with further segments at the end. `total` is the number of segments in the
    data set, if these are not all.
    """
    marks = marks or SegmentMarks()
    sources = {
        system: _Source(texts[system], alignments[system], marks.by_system.get(system, {})) for system in systems
    }
    owner = {key: system for system in reversed(systems) for key in sources[system].rows}
    ordered = dict.fromkeys(key for source in sources.values() for key in source.rows)
    return SegmentViews(
        tuple(systems),
        sources[systems[0]].columns if systems else (),
        tuple(_view(key, sources[owner[key]], sources) for key in ordered),
        len(ordered) if total is None else total,
        tuple(kind.kind for kind in marks.kinds),
    )


class _Source:
    """Texts and letters of one system, looked up by segment."""

    def __init__(
        self,
        texts: NormalizedTexts,
        alignments: SegmentAlignments,
        marks: Mapping[str, Sequence[SegmentMark]],
    ) -> None:
        self.texts = texts
        self.marks = marks
        self.alignments = alignments
        self.rows = {key: row for row, key in enumerate(texts.segments.segment_id)}
        self.scored = {key: row for row, key in enumerate(alignments.segment_id)}
        self.written = _form(texts, alignments, "characters")
        self.forms = {view: _form(texts, alignments, view) for view in VIEWS}
        self.word_letters: Sequence[str] | None = None
        for view in VIEWS:
            if not texts.origin.facts.alternatives:
                continue
            read = _read(texts, alignments, view)
            before = self.forms[view].hypotheses
            self.forms[view] = TextPairs(
                read.references,
                [None if old is None else text for text, old in zip(read.hypotheses, before, strict=True)],
            )
            if view == "words":
                self.word_letters = read.word_letters()

    @property
    def columns(self) -> tuple[str, ...]:
        keys = self.texts.segments
        cluster = () if keys.cluster is None else (self.texts.origin.cluster_name or "cluster",)
        return (*cluster, *keys.groups)

    def labels(self, key: str) -> tuple[str, ...]:
        keys, row = self.texts.segments, self.rows[key]
        cluster = () if keys.cluster is None else (keys.cluster[row],)
        return (*cluster, *(column[row] for column in keys.groups.values()))

    def output(self, key: str) -> SystemOutput:
        row = self.rows.get(key)
        if row is None:
            return SystemOutput(None, None, "not captured")
        hypothesis = self.forms["characters"].hypotheses[row]
        return SystemOutput(
            self.texts.raw.hypotheses[row], hypothesis, self.texts.reasons[row] or "", self.marks.get(key, ())
        )

    def reference(self, key: str, view: View) -> str:
        return self.forms[view].references[self.rows[key]]

    def hypothesis(self, key: str, view: View) -> str | None:
        return self.forms[view].hypotheses[self.rows[key]] if key in self.rows else None

    def letters(self, key: str, view: View) -> str | None:
        row = self.scored.get(key)
        if row is None:
            return None
        if view == "words" and self.word_letters is not None:
            return self.word_letters[self.rows[key]]
        return (self.alignments.characters if view == "characters" else self.alignments.words)[row]


def _form(texts: NormalizedTexts, alignments: SegmentAlignments, view: View) -> TextPairs:
    """The form of the texts that was aligned."""
    facts = alignments.facts.get(view, {})
    return {"raw": texts.raw, "normalized_lines": texts.normalized_lines}.get(str(facts.get("text")), texts.normalized)


def _facts(alignments: SegmentAlignments, view: View) -> Mapping[str, str]:
    """Facts of the error rate whose alignments these are."""
    signature = alignments.facts.get(view, {}).get("signature")
    return Signature.parse(str(signature)).facts if signature else {}


def _read(texts: NormalizedTexts, alignments: SegmentAlignments, view: View) -> AlignedAlternatives:
    """The readings whose errors were counted: those of least cost, of the metric for words, of 1 for characters."""
    pairs = _form(texts, alignments, view)
    by_sclite = view == "words" and _facts(alignments, view).get("align") == "sclite"
    return align_alternatives(
        pairs.references,
        [text or "" for text in pairs.hypotheses],
        alternatives=cast("AlternativesIn", texts.origin.facts.alternatives),
        alignment="sclite" if by_sclite else "unit",
    )


def _view(key: str, first: _Source, sources: Mapping[str, _Source]) -> SegmentView:
    return SegmentView(
        key,
        first.labels(key),
        first.texts.raw.references[first.rows[key]],
        first.written.references[first.rows[key]],
        tuple(source.output(key) for source in sources.values()),
        {view: _align(key, view, first, sources) for view in VIEWS},
    )


def _align(key: str, view: View, first: _Source, sources: Mapping[str, _Source]) -> Aligned:
    letters = {system: source.letters(key, view) for system, source in sources.items()}
    hypotheses = {system: source.hypothesis(key, view) for system, source in sources.items()}
    unit = cast("Unit", first.alignments.facts.get(view, {}).get("unit", "char" if view == "characters" else "word"))
    readings = dict.fromkeys(
        sources[system].reference(key, view) for system, operations in letters.items() if operations is not None
    )
    grids = [
        arrange_columns(
            reading,
            hypotheses,
            {
                system: operations
                if operations is not None and sources[system].reference(key, view) == reading
                else None
                for system, operations in letters.items()
            },
            unit=unit,
        )
        for reading in readings or [first.reference(key, view)]
    ]
    length = len(grids[0].reference) - grids[0].reference.count(None)
    return Aligned(tuple(map(make_display_grid, grids)), length, tuple(map(_count, letters.values())))


def _count(letters: str | None) -> OperationCounts | None:
    if letters is None:
        return None
    return OperationCounts(letters.count("S") + letters.count("T"), letters.count("D"), letters.count("I"))
