"""Tables of the segments whose text was made up."""

from __future__ import annotations

from collections import Counter
from typing import Final

from misread.features.made_up_text.flagged import FlaggedSystem, flag_segments
from misread.tables import Column, ReportSettings, Table, in_files
from misread.tables.view import MarkKind, MarksBySegment, SegmentMark, View, ViewInput
from misread.text.display import file_stem

_LONGEST: Final = 60


def lay_out_flags(source: ViewInput) -> Table | None:
    """Flagged segments of all systems on a data set, the first ones of each; None if nothing is flagged.

    Below it the rates of every system with and without them, side by side.
    """
    dataset, settings = source.dataset, source.settings
    most, flagged = settings.view_rows, _flag(source)
    if not any(flagged_system.flags for flagged_system in flagged.values()):
        return None
    rows = [(system, flag) for system, flagged_system in flagged.items() for flag in flagged_system.flags]
    shown = [(system, flag) for system, flagged_system in flagged.items() for flag in flagged_system.flags[:most]]
    return Table(
        stem=file_stem(dataset, "flags"),
        caption=f"Segments on {settings.name(dataset)} whose text was made up, in whole or in part.",
        columns=[
            in_files("dataset", dataset),
            Column("system", lambda row: row[0], settings.name, kind="name", name="system"),
            Column("segment", lambda row: row[1].segment_id, kind="name", name="segment_id"),
            Column("flag", lambda row: row[1].flag.kind, kind="name", name="flag"),
            Column(
                "characters",
                lambda row: (row[1].flag.start, row[1].flag.end),
                lambda span: f"{span[0]:,} to {span[1]:,}",
                kind="text",
                name=("start", "end"),
            ),
            Column("reason", lambda row: row[1].flag.reason, kind="text", name="reason"),
            Column("text", lambda row: row[1].text, _shorten, kind="text", name="text", keep=1),
        ],
        rows=rows,
        shown=shown,
        notes=[
            _sum_up(settings.name(system), flagged_system, settings, most) for system, flagged_system in flagged.items()
        ],
        signature=f"flags:{next(iter(flagged.values())).rules.fact}",
        segments=[flag.segment_id for _, flag in shown],
    )


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …"


def mark_flags(source: ViewInput) -> MarksBySegment:
    """Mark what is flagged."""
    marks: dict[str, dict[str, list[SegmentMark]]] = {}
    for system, of in _flag(source).items():
        by_segment = marks[system] = {}
        for segment_id, flag in ((each.segment_id, each.flag) for each in of.flags):
            mark = SegmentMark(flag.kind, flag.start, flag.end, flag.reason)
            by_segment.setdefault(segment_id, []).append(mark)
    return marks


def _flag(source: ViewInput) -> dict[str, FlaggedSystem]:
    return {system: scored.once(flag_segments) for system, scored in source.scored.items()}


def _sum_up(name: str, of: FlaggedSystem, settings: ReportSettings, most: int) -> str:
    if not of.flags:
        return f"{name}: nothing flagged in {of.segments:,} segments."
    kinds = Counter(each.flag.kind for each in of.flags)
    named = ", ".join(f"{kind} {count:,}" for kind, count in kinds.items())
    rates = settings.rates
    shares = [
        f"CER {_shown(of.rate, settings)} with them, {_shown(of.rate_without, settings)} without",
        f"{_shown(of.in_loops, settings)} of the errors lie in loops",
    ]
    more = f" {len(of.flags) - most:,} further flags not shown." if len(of.flags) > most else ""
    unit = " (in per cent)" if rates.sign else ""
    return f"{name}: {of.flagged:,} of {of.segments:,} segments flagged ({named}); {'; '.join(shares)}{unit}.{more}"


def _shown(value: float | None, settings: ReportSettings) -> str:
    return "undefined" if value is None else settings.rates.rate(value)


FLAGS: Final = View(
    lay_out_flags,
    mark=mark_flags,
    mark_kinds=(
        MarkKind("loop", "loops", "The output repeats what the reference does not."),
        MarkKind("insertions", "runs of insertions", "Many words in a row that the reference does not have."),
        MarkKind("compression", "too repetitive", "The output compresses far better than the reference."),
        MarkKind("long", "too long", "The output is much longer than the reference."),
        MarkKind("unrelated", "unrelated text", "The output is no nearer to the reference than chance."),
    ),
)
