"""Evidence that systems recite the reference, as a table and as marks on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from misread.errors import UndefinedResultError
from misread.features.recitation.recitation import find_recitation
from misread.stats import Recitation, RecitedDocument, SystemRecitation
from misread.tables import Cell, Column, MarkKind, SegmentMark, Table, in_files
from misread.tables.number_text import pvalue_text
from misread.tables.view import MarksBySegment, View, ViewInput
from misread.text.display import file_stem

SUSPICIOUS = "suspicious, not proven"


@dataclass(frozen=True)
class RecitedWords(View):
    """Words that a system reads as the reference has them, where all others agree on an unusual misreading.

    Parameters
    ----------
    most : int
        How many documents of a suspicious system are shown; files have those of all systems.
    """

    most: int = 3

    mark_kinds = (
        MarkKind("recited", "perhaps recited", "As in the reference; all other systems agree on another word."),
    )

    def lay_out(self, source: ViewInput) -> Table | None:
        """One row per system, and below a suspicious one its documents."""
        recitation, name, dataset = source.once(_find), source.settings.name, source.dataset
        if isinstance(recitation, Recitation):
            table = show_recitation(recitation, self.most, name)
        else:
            table = _show_reasons(dict.fromkeys(source.scored, recitation), name)
        return replace(
            table,
            stem=file_stem(dataset, self.id),
            caption=f"{source.settings.name(dataset)}. {table.caption}",
            columns=[in_files("dataset", dataset), *table.columns],
        )

    def mark(self, source: ViewInput) -> MarksBySegment:
        """Mark the words that make a system suspicious."""
        recitation = source.once(_find)
        marks: dict[str, dict[str, list[SegmentMark]]] = {}
        for system, described in recitation.systems.items() if isinstance(recitation, Recitation) else ():
            for word in described.words if described.is_suspicious else ():
                mark = SegmentMark("recited", word.start, word.end, f"all others read {word.reading}")
                marks.setdefault(system, {}).setdefault(word.segment_id, []).append(mark)
        return marks


def _find(source: ViewInput) -> Recitation | str:
    """What is found in all systems of a data set, or why nothing can be."""
    try:
        return find_recitation({system: scored.texts for system, scored in source.scored.items()})
    except UndefinedResultError as error:
        return str(error)


class _Row(NamedTuple):
    """A system, or one of its documents."""

    system: str
    described: SystemRecitation
    document: RecitedDocument | None = None

    @property
    def counts(self) -> SystemRecitation | RecitedDocument:
        """What has the counts of the row."""
        return self.document or self.described


def _show_reasons(reasons: Mapping[str, str], name: Callable[[str], str]) -> Table:
    """Of systems of which nothing can be said, why, and no number."""
    return Table(
        caption="Whether a system recites the reference cannot be said.",
        columns=[
            Column("system", itemgetter(0), name, kind="name", name="system"),
            Column("because", itemgetter(1), kind="text", name="reason"),
        ],
        rows=[*reasons.items()],
    )


def show_recitation(recitation: Recitation, most: int, name: Callable[[str], str] = str) -> Table:
    """One row per system, and below a suspicious one the documents with most unparalleled agreements."""
    reasons = {system: described.reason for system, described in recitation.systems.items() if described.reason}
    if len(reasons) == len(recitation.systems):
        return _show_reasons(reasons, name)
    rows = [row for row in _rows(recitation) if not row.described.reason]
    shown: list[_Row] = []
    for system, described in recitation.systems.items():
        of_system = [row for row in rows if row.system == system]
        shown += of_system[: 1 + most if described.is_suspicious else 1]

    def of_whole(value: Callable[[SystemRecitation], float | None]) -> Callable[[_Row], float | None]:
        """A value of a system, which its documents do not have."""
        return lambda row: None if row.document else value(row.described)

    by_reason: dict[str, list[str]] = {}
    for system, reason in reasons.items():
        by_reason.setdefault(reason, []).append(system)
    left_out = f"{recitation.left_out:,} segments are left out, as a system has no hypothesis for them."
    return Table(
        caption="Words that a system reads as the reference has them, where all others agree on another.",
        columns=[
            Column("system", lambda row: row.system, name, kind="name", name="system", keep=6),
            Column(
                recitation.unit,
                lambda row: row.document.document if row.document else None,
                kind="name",
                name="document",
                keep=3,
            ),
            in_files("confirmed", of_whole(lambda described: described.confirmed)),
            Column(
                "departs elsewhere %",
                of_whole(lambda described: described.departures / described.confirmed if described.confirmed else None),
                lambda share: f"{100 * share:.1f}",
                kind="decimal",
                name="departure_rate",
            ),
            Column("disputed", lambda row: row.counts.disputed, name="disputed", keep=4),
            Column("as reference", lambda row: row.counts.agreements, name="agreements", keep=4),
            Column("unparalleled", lambda row: row.counts.unparalleled, name="unparalleled", keep=5),
            Column("expected", lambda row: row.counts.expected, digits=1, kind="decimal", name="expected", keep=5),
            Column("ratio", of_whole(lambda described: described.ratio), digits=2, kind="decimal", name="ratio"),
            in_files("pvalue", of_whole(lambda described: described.pvalue)),
            Column(
                "p (Holm)",
                of_whole(lambda described: described.adjusted_pvalue),
                pvalue_text,
                kind="decimal",
                name="adjusted_pvalue",
                keep=5,
            ),
            Column(
                "",
                lambda row: SUSPICIOUS if row.described.is_suspicious and not row.document else None,
                lambda text: Cell(text),
                kind="text",
                name="finding",
                keep=6,
            ),
        ],
        rows=rows,
        shown=shown,
        notes=[
            *(
                f"{', '.join(map(name, systems))}: too little to tell; {reason}."
                for reason, systems in by_reason.items()
            ),
            *([left_out] if recitation.left_out else []),
            "Unparalleled: none of the others makes the same change at any other word. Expected: as often as among "
            f"misreadings that the others do not share. Suspicious: p below {recitation.alpha:g}; look at the pages.",
        ],
        signature=str(recitation.signature),
        segments=[
            word.segment_id
            for described in recitation.systems.values()
            if described.is_suspicious
            for word in described.words
        ],
    )


def _rows(recitation: Recitation) -> Iterator[_Row]:
    for system, described in recitation.systems.items():
        yield _Row(system, described)
        for document in described.documents:
            yield _Row(system, described, document)
