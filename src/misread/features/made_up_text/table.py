"""Tables of the segments whose text was made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from misread.features.made_up_text.flagged import FlaggedSystem
from misread.tables import Cell, Column, ReportSettings, Table
from misread.tally import ScoredSystem
from misread.text.display import file_stem

_LONGEST: Final = 60


def lay_out_flags(dataset: str, scored: Mapping[str, ScoredSystem], settings: ReportSettings) -> Table | None:
    """Flagged segments of all systems on a data set, the first ones of each; None if nothing is flagged.

    Below it the rates of every system with and without them, side by side.
    """
    most, flagged = settings.view_rows, {system: of.flagged for system, of in scored.items()}
    if not any(of.flags for of in flagged.values()):
        return None
    rows: list[list[Cell]] = []
    records: list[tuple[str | float | None, ...]] = []
    for system, of in flagged.items():
        for place, each in enumerate(of.flags):
            flag = each.flag
            records.append((dataset, system, each.segment_id, flag.kind, flag.start, flag.end, flag.reason, each.text))
            if place >= most:
                continue
            shown = each.text if len(each.text) <= _LONGEST else f"{each.text[: _LONGEST - 2]} …"
            span = f"{flag.start:,} to {flag.end:,}"
            cells = (settings.name(system), each.segment_id, flag.kind, span, flag.reason, shown)
            rows.append([Cell(text) for text in cells])
    return Table(
        stem=file_stem(dataset, "flags"),
        caption=f"Segments on {settings.name(dataset)} whose text was made up, in whole or in part.",
        columns=[
            Column("system", kind="name"),
            Column("segment", kind="name"),
            Column("flag", kind="name"),
            Column("characters", kind="text"),
            Column("reason", kind="text"),
            Column("text", kind="text", keep=1),
        ],
        rows=rows,
        notes=[_sum_up(settings.name(system), of, settings, most) for system, of in flagged.items()],
        signature=f"flags:{next(iter(flagged.values())).rules.fact}",
        record_names=("dataset", "system", "segment_id", "flag", "start", "end", "reason", "text"),
        records=records,
    )


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
