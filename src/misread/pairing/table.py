"""Outputs that fit other references, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, NamedTuple

from misread.pairing.findings import Fault, Mispairing
from misread.pairing.guard import find_mispairings
from misread.tables import Column, ReportSettings, SystemView
from misread.tally import ScoredSystem

_NAMES: Final[dict[Fault, str]] = {
    "shift": "shifted",
    "swap": "swapped",
    "permutation": "in another order",
    "doubled": "doubled",
    "ids": "ids as words",
    "cut": "cut elsewhere",
}


class MispairedSegment(NamedTuple):
    """A segment whose output may be of another one, and that one where it is known."""

    fault: Fault
    segment_id: str
    fits: str


@dataclass(frozen=True)
class Pairing(SystemView):
    """Outputs that fit other references than their own, and which."""

    def caption(self, dataset: str) -> str:
        """Caption of the table of a data set."""
        return f"Outputs on {dataset} that may be paired with wrong references."

    def count(self, system: ScoredSystem) -> Sequence[MispairedSegment]:
        """Segments concerned, fault by fault."""
        return [row for finding in system.once(find_mispairings) for row in _rows(finding)]

    def columns(self, settings: ReportSettings) -> Sequence[Column]:  # noqa: ARG002 - all are shown
        """Columns of these rows."""
        return [
            Column("output is", attrgetter("fault"), _NAMES.__getitem__, kind="name", name="fault"),
            Column("of segment", attrgetter("segment_id"), kind="name", name="segment_id"),
            Column("fits", attrgetter("fits"), kind="name", name="fits"),
        ]


def _rows(finding: Mispairing) -> list[MispairedSegment]:
    fits = {pair.segment_id: pair.fits for pair in finding.pairs}
    return [MispairedSegment(finding.fault, key, fits.get(key, "")) for key in finding.segment_ids]
