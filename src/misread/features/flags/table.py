"""Tables of suspect segments."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import itemgetter
from typing import Final

from misread.errors import ConfigurationError
from misread.features.flags.flagged import FlaggedSystem, SegmentFlag, flag_segments
from misread.provenance.signature import Signature
from misread.tables import Column, MarkKind, ReportSettings, SegmentMark, SystemView, Table, ViewInput
from misread.tables.view import MarksBySegment
from misread.tally import ScoredSystem

_LONGEST: Final = 60


@dataclass(frozen=True)
class Flags(SystemView):
    """Flagged segments, and below them the rates of every system with and without them, side by side.

    Parameters
    ----------
    most : int
        How many flags of each system are shown; files have all.
    """

    most: int = 20

    mark_kinds = (
        MarkKind("loop", "loops", "The output repeats what the reference does not."),
        MarkKind("insertions", "runs of insertions", "Many words in a row that the reference does not have."),
        MarkKind("compression", "too repetitive", "The output compresses far better than the reference."),
        MarkKind("long", "too long", "The output is much longer than the reference."),
        MarkKind("unrelated", "unrelated text", "The output is no nearer to the reference than chance."),
        MarkKind("omission", "omissions", "Many characters in a row of the reference are missing."),
        MarkKind("cut", "cut short", "The end of the reference is missing."),
        MarkKind("seam", "doubled text", "The output has text twice in a row that the reference has once."),
        MarkKind("silence", "speech without words", "Somebody speaks for seconds, and the output has no word."),
    )

    def __post_init__(self) -> None:
        if self.most < 0:
            raise ConfigurationError(f"flags.most is {self.most}, expected 0 or more.")

    def caption(self, dataset: str) -> str:
        """Segments with a flag."""
        return f"Segments on {dataset} with text that was made up, is missing or is doubled."

    def count(self, system: ScoredSystem) -> Sequence[SegmentFlag]:
        """One row per flag."""
        return system.once(flag_segments).flags

    def columns(self, settings: ReportSettings) -> Sequence[Column]:  # noqa: ARG002 - there is no rate
        """The segment, its flag, and the text that is suspect or missing."""
        return [
            Column("segment", lambda row: row.segment_id, kind="name", name="segment_id"),
            Column("flag", lambda row: row.flag.kind, kind="name", name="flag"),
            Column(
                "characters",
                lambda row: (row.flag.start, row.flag.end, *(row.flag.missing or (None, None))),
                _show_span,
                kind="text",
                name=("start", "end", "missing_start", "missing_end"),
            ),
            Column("reason", lambda row: row.flag.reason, kind="text", name="reason"),
            Column("text", lambda row: row.text, _shorten, kind="text", name="text", keep=1),
        ]

    def notes(self, source: ViewInput) -> Sequence[str]:
        """Rates of every system with and without flagged segments."""
        settings = source.settings
        return [
            _sum_up(settings.name(system), flagged, settings, self.most) for system, flagged in _flag(source).items()
        ]

    def lay_out(self, source: ViewInput) -> Table | None:
        """The first flags of every system; None if nothing is flagged."""
        table = super().lay_out(source)
        if table is None:
            return None
        by_system = groupby(table.rows, key=itemgetter(0))
        shown = [row for _, rows in by_system for row in islice(rows, self.most)]
        rules = next(iter(_flag(source).values())).rules
        segments = [flag.segment_id for _, flag in shown]
        signature = str(Signature.of("flags", {"flags": rules.fact}))
        return replace(table, shown=shown, segments=segments, signature=signature)

    def mark(self, source: ViewInput) -> MarksBySegment:
        """Mark flagged text."""
        marks: dict[str, dict[str, list[SegmentMark]]] = {}
        for system, flagged in _flag(source).items():
            by_segment = marks[system] = {}
            for row in flagged.flags:
                mark = SegmentMark(row.flag.kind, row.flag.start, row.flag.end, row.flag.reason)
                by_segment.setdefault(row.segment_id, []).append(mark)
        return marks


def _show_span(span: tuple[int, int, int | None, int | None]) -> str:
    start, end, missing_start, missing_end = span
    if missing_start is None:
        return f"{start:,} to {end:,}"
    return f"reference {missing_start:,} to {missing_end:,}"


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …"


def _flag(source: ViewInput) -> dict[str, FlaggedSystem]:
    return {system: scored.once(flag_segments) for system, scored in source.scored.items()}


def _sum_up(name: str, system: FlaggedSystem, settings: ReportSettings, most: int) -> str:
    if not system.flags:
        return f"{name}: nothing flagged in {system.segments:,} segments."
    kinds = Counter(flag.flag.kind for flag in system.flags)
    numbers = ", ".join(f"{kind} {count:,}" for kind, count in kinds.items())
    rates = settings.rates
    shares = [
        f"CER {_shown(system.rate, settings)} with them, {_shown(system.rate_without, settings)} without",
        f"{_shown(system.in_loops, settings)} of the errors lie in loops, {_shown(system.in_omissions, settings)} in "
        "omissions",
    ]
    more = f" {len(system.flags) - most:,} further flags not shown." if len(system.flags) > most else ""
    unit = " (in per cent)" if rates.sign else ""
    flagged = f"{system.flagged:,} of {system.segments:,} segments flagged ({numbers})"
    return f"{name}: {flagged}; {'; '.join(shares)}{unit}.{more}"


def _shown(value: float | None, settings: ReportSettings) -> str:
    return "undefined" if value is None else settings.rates.rate(value)
