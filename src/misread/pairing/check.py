"""Whether the outputs of a system are paired with their own references."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

import numpy as np

from misread.pairing.better_references import HALF, PairedSides, find_better
from misread.pairing.cuts import find_cuts, fit_joined
from misread.pairing.exchanges import find_exchanges
from misread.pairing.findings import NEARLY_ALL, Fault, Mispairing, ProposedPair
from misread.pairing.habits import are_written_otherwise
from misread.pairing.shifts import find_shifts
from misread.types import IntArray

_FEWEST: Final = 2  # segments of a fault: one alone is a slip of the system
_MANY, _SHARE_OF_MANY = 20_000, 0.005  # in a set of this size a fault concerns more than a few
_FEWEST_TO_REFUSE: Final = 4
_MOVES: Final[frozenset[Fault]] = frozenset({"shift", "swap", "permutation"})
"""Faults in which every output has one reference: there is one way to mend them."""


def check_pairing(sides: PairedSides, system: str) -> list[Mispairing]:
    """Look for faults in the pairing of one system; a look at its doubtful outputs decides how far it goes."""
    checked = _Checked(sides, system)
    fewest = _FEWEST if len(sides) < _MANY else _SHARE_OF_MANY * len(sides)
    if len(sides.doubtful) >= fewest:
        checked.look_elsewhere()
    return checked.findings


class _Checked:
    """The faults of one system as far as they are known, and the rows that they explain."""

    def __init__(self, sides: PairedSides, system: str) -> None:
        self.sides = sides
        self.system = system
        self.findings: list[Mispairing] = []
        self._explained: set[int] = set()

    def look_elsewhere(self) -> None:
        """Look for the segments that doubtful outputs are of."""
        sides = self.sides
        better = find_better(sides)
        better = better.take(~are_written_otherwise(sides, better))
        rows_by_offset: dict[int, list[int]] = {}
        for shift in find_shifts(sides, better):
            rows_by_offset.setdefault(shift.offset, []).extend(shift.rows.tolist())
        for offset, rows in rows_by_offset.items():
            self._add_moved("shift", {row: row + offset for row in rows}, offset)
        exchanges = find_exchanges(sides, better, self._explained)
        kinds: Mapping[Fault, dict[int, int]] = {
            "swap": exchanges.swapped,
            "permutation": exchanges.permuted,
            "doubled": exchanges.doubled,
        }
        if len(self._explained) + sum(map(len, kinds.values())) >= _FEWEST:
            for fault, fits in kinds.items():
                if fits:
                    self._add_moved(fault, dict(sorted(fits.items())))
        if self.findings and fit_joined(sides, self._errors_left()):
            # Lines that are wrapped differently drift apart, and parts of them fit other lines.
            self.findings, self._explained = [], set()
        self._refuse_if_explained()
        if cut := find_cuts(sides, self._explained):
            self._add("cut", cut.rows, errors=cut.errors, errors_as_proposed=cut.errors_joined)

    def _errors_left(self) -> int:
        """Errors of the doubtful outputs once those that move are paired as proposed."""
        others = np.setdiff1d(self.sides.doubtful, np.array([*self._explained], np.int64))
        return int(self.sides.measure(others, others).sum()) + sum(
            finding.errors_as_proposed for finding in self.findings
        )

    def _add_moved(self, fault: Fault, fits: Mapping[int, int], offset: int = 0) -> None:
        """Add a fault with the pairing that mends it."""
        ids, rows = self.sides.segment_ids, np.array([*fits], np.int64)
        errors = self.sides.measure(rows, rows)
        errors_as_proposed = self.sides.measure(rows, np.array([*fits.values()], np.int64))
        self._add(
            fault,
            rows,
            pairs=tuple(ProposedPair(segment_id=ids[row], fits=ids[other]) for row, other in fits.items()),
            errors=int(errors.sum()),
            errors_as_proposed=int(errors_as_proposed.sum()),
            offset=offset,
        )

    def _add(self, fault: Fault, rows: IntArray, **facts: Any) -> None:
        ids = tuple(self.sides.segment_ids[row] for row in rows.tolist())
        self.findings.append(Mispairing(fault=fault, system=self.system, segment_ids=ids, **facts))
        self._explained.update(rows.tolist())

    def _refuse_if_explained(self) -> None:
        """Mark the faults that move outputs if together they are the one explanation of nearly all segments."""
        moving = [finding for finding in self.findings if finding.fault in _MOVES]
        without_partner = max((abs(finding.offset) for finding in moving), default=0)
        enough = max(_FEWEST_TO_REFUSE, NEARLY_ALL * (len(self.sides) - without_partner))
        errors, errors_left = (sum(map(attrgetter(count), moving)) for count in ("errors", "errors_as_proposed"))
        if sum(finding.segments for finding in moving) >= enough and errors_left <= HALF * errors:
            self.findings = [replace(finding, explains_all=finding.fault in _MOVES) for finding in self.findings]
