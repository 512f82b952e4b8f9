"""A flag of a segment: its kind, the characters that are suspect, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

MadeUpKind = Literal["loop", "insertions", "compression", "long", "unrelated"]
LeftOutKind = Literal["omission", "cut", "seam", "silence"]
FlagKind = Literal[MadeUpKind, LeftOutKind]

MADE_UP_KINDS: Final[tuple[MadeUpKind, ...]] = get_args(MadeUpKind)
LEFT_OUT_KINDS: Final[tuple[LeftOutKind, ...]] = get_args(LeftOutKind)


@dataclass(frozen=True, slots=True)
class Flag:
    """Reason why a segment is suspect, and the suspect characters of its hypothesis.

    Where text is missing, these are the place where it should be, and `missing` has its characters in the
    reference.
    """

    kind: FlagKind
    start: int
    end: int  # one past the last
    reason: str
    missing: tuple[int, int] | None = None

    def suspect_text(self, reference: str, hypothesis: str) -> str:
        """Characters that are suspect, or those of the reference that are missing."""
        if self.missing is None:
            return hypothesis[self.start : self.end]
        return reference[self.missing[0] : self.missing[1]]


Flags = tuple[Flag, ...]


def collect_flags(flags: Iterable[tuple[int, Flag]]) -> dict[int, Flags]:
    """Flags by row, in ascending order of rows; those of one row as they come."""
    by_row: dict[int, list[Flag]] = {}
    for row, flag in flags:
        by_row.setdefault(row, []).append(flag)
    return {row: tuple(by_row[row]) for row in sorted(by_row)}
