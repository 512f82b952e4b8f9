"""Whether the outputs of a system are paired with their own references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from misread.features.pairing.better_references import HALF, PairedSides, find_better
from misread.features.pairing.cuts import find_cuts
from misread.features.pairing.exchanges import find_exchanges
from misread.features.pairing.findings import Fault, Mispairing, ProposedPair
from misread.features.pairing.foreign_texts import find_foreign
from misread.features.pairing.shifts import find_shifts

_FEWEST: Final = 2  # segments of a fault: one alone is a slip of the system
_MANY, _SHARE_OF_MANY = 20_000, 0.005  # of so many segments a fault concerns more than a few
_FEWEST_TO_REFUSE: Final = 4
_NEARLY_ALL, _MOSTLY = 0.9, 0.8
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
    def __init__(self, sides: PairedSides, system: str) -> None:
        self.sides = sides
        self.system = system
        self.findings: list[Mispairing] = []
        self._explained: dict[int, int] = {}
        self._improved = 0  # segments that one mapping moves, each to a reference of its own, with half of the errors

    def look_elsewhere(self) -> None:
        """Look for the segments that doubtful outputs are of."""
        sides = self.sides
        better = find_better(sides)
        shifts = find_shifts(sides, better)
        for shift in shifts:
            self._explained |= {row: row + shift.offset for row in shift.rows.tolist()}
        for offset in dict.fromkeys(shift.offset for shift in shifts):
            rows = [row for shift in shifts if shift.offset == offset for row in shift.rows.tolist()]
            self._add("shift", {row: row + offset for row in rows}, offset=offset)
        exchanges = find_exchanges(sides, better, set(self._explained))
        kinds: Mapping[Fault, dict[int, int]] = {
            "swap": exchanges.swapped,
            "permutation": exchanges.permuted,
            "doubled": exchanges.doubled,
        }
        for fault, fits in kinds.items():
            if len(fits) >= _FEWEST:
                self._add(fault, dict(sorted(fits.items())))
                self._explained |= fits
        if cut := find_cuts(sides, set(self._explained)):
            self._add("cut", {row: row for row in cut.rows.tolist()}, errors=(cut.errors, cut.errors_joined))
            self._explained |= {row: row for row in cut.rows.tolist()}
        self._refuse_if_explained()
        foreign = find_foreign(sides, set(self._explained))
        if len(foreign):
            self._add("another_document", {row: row for row in foreign.tolist()}, errors=(0, 0))

    def _add(
        self, fault: Fault, fits: Mapping[int, int], *, offset: int = 0, errors: tuple[int, int] | None = None
    ) -> None:
        ids, rows = self.sides.segment_ids, np.array([*fits], np.int64)
        others = np.array([*fits.values()], np.int64)
        proposes = errors is None
        if errors is None:
            as_paired, as_proposed = self.sides.measure(rows, rows), self.sides.measure(rows, others)
            errors = int(as_paired.sum()), int(as_proposed.sum())
            if fault in _MOVES:
                self._improved += int(np.count_nonzero(as_proposed <= HALF * as_paired))
        self.findings.append(
            Mispairing(
                fault=fault,
                system=self.system,
                segments=len(rows),
                segments_in_all=len(self.sides),
                pairs=tuple(ProposedPair(segment_id=ids[row], fits=ids[other]) for row, other in fits.items())
                if proposes
                else (),
                errors=errors[0],
                errors_as_proposed=errors[1],
                first_segment=ids[int(rows.min())],
                offset=offset,
            )
        )

    def _refuse_if_explained(self) -> None:
        """Mark the faults that move outputs if together they are the one explanation of nearly all segments."""
        moving = [found for found in self.findings if found.fault in _MOVES]
        without_partner = max((abs(found.offset) for found in moving), default=0)
        enough = max(_FEWEST_TO_REFUSE, _NEARLY_ALL * (len(self.sides) - without_partner))
        if sum(found.segments for found in moving) < enough or self._improved < _MOSTLY * enough:
            return
        self.findings = [replace(found, explains_all=found.fault in _MOVES) for found in self.findings]
