"""Outputs in each other's places: swapped, in another order, or one for several segments."""

from dataclasses import dataclass, field

import numpy as np

from misread.pairing.better_references import BetterReferences, PairedSides


@dataclass(frozen=True, slots=True)
class Exchanges:
    """Rows by what became of their outputs, with the row whose reference each output fits."""

    swapped: dict[int, int] = field(default_factory=dict)
    permuted: dict[int, int] = field(default_factory=dict)
    doubled: dict[int, int] = field(default_factory=dict)


def find_exchanges(sides: PairedSides, better: BetterReferences, apart: set[int]) -> Exchanges:
    """Sort outputs that fit another reference by what became of the output of that segment.

    An output too short to tell counts only where its own segment has lost its output, and the segment that it fits
    waits for one. Rows `apart` are explained otherwise.
    """
    telling = dict(zip(better.rows[better.is_telling].tolist(), better.others[better.is_telling].tolist(), strict=True))
    weak = dict(zip(better.rows[~better.is_telling].tolist(), better.others[~better.is_telling].tolist(), strict=True))
    fits = {row: other for row, other in telling.items() if row not in apart}
    # Short outputs complete what longer ones have begun, link by link.
    waiting = [row for row in weak if row not in apart]
    taken, added = set(fits.values()), True
    while added:
        free = [row for row in waiting if row in taken and weak[row] not in taken and _lacks(sides, weak[row])]
        links = {row: weak[row] for row in free}
        added = bool(links)
        fits |= links
        taken |= set(links.values())
        waiting = [row for row in waiting if row not in fits]
    sorted_rows = Exchanges()
    claims = np.bincount(np.array([*fits.values()], np.int64), minlength=len(sides))
    for row, other in fits.items():
        if fits.get(other) == row:
            sorted_rows.swapped[row] = other
        elif not _lacks(sides, other) or claims[other] > 1:
            if sides.is_copied[row]:
                sorted_rows.doubled[row] = other
        else:
            sorted_rows.permuted[row] = other
    if len(sorted_rows.permuted) == 1 and apart.isdisjoint(sorted_rows.permuted.values()):
        # Of another order, two outputs at least have changed their place.
        sorted_rows.permuted.clear()
    if len(sorted_rows.permuted) > len(sorted_rows.swapped):
        # A permutation has pairs, too.
        sorted_rows.permuted.update(sorted_rows.swapped)
        sorted_rows.swapped.clear()
    return sorted_rows


def _lacks(sides: PairedSides, row: int) -> bool:
    """Whether the output of a segment is not its own."""
    return bool(sides.is_doubtful[row])
