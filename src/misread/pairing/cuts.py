"""Segments whose outputs are the references' text, cut elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.pairing.better_references import HALF, LONGEST, PairedSides
from misread.types import IntArray

_TOGETHER: Final = 20  # segments that are joined
_FEWEST: Final = 4
_SHARE_DOUBTFUL: Final = 0.3
_LONGEST_WHOLE: Final = 100_000


@dataclass(frozen=True, slots=True)
class Cut:
    """Rows that fit when they are joined, and their errors as they are cut and joined."""

    rows: IntArray
    errors: int
    errors_joined: int


def fit_joined(sides: PairedSides, errors_otherwise: int) -> bool:
    """Whether all texts, joined, have half of these errors at most; of long ones it is not tried."""
    references, outputs = (" ".join(texts).lower() for texts in (sides.references, sides.outputs))
    if max(len(references), len(outputs)) > _LONGEST_WHOLE:
        return False
    return bool(distances([references], [outputs])[0] <= HALF * errors_otherwise)


def find_cuts(sides: PairedSides, apart: set[int]) -> Cut | None:
    """Join stretches with many doubtful segments, and see whether that removes half of their errors."""
    doubtful = sides.is_doubtful.copy()
    doubtful[[*apart]] = False
    starts = np.arange(0, len(sides), _TOGETHER)
    ends = np.minimum(starts + _TOGETHER, len(sides))
    shares = np.add.reduceat(doubtful, starts, dtype=np.int64) / (ends - starts)
    may_be_cut = (shares >= _SHARE_DOUBTFUL) & (ends - starts >= _FEWEST)
    stretches = [np.arange(*bounds) for bounds in zip(starts[may_be_cut], ends[may_be_cut], strict=True)]
    stretches = [rows for rows in stretches if max(lengths.max() for lengths in sides.measured_lengths(rows)) < LONGEST]
    if not stretches:
        return None
    joined = distances(
        [" ".join(sides.references[row] for row in rows).lower() for rows in stretches],
        [" ".join(sides.outputs[row] for row in rows).lower() for rows in stretches],
    )
    every = np.concatenate(stretches)
    errors = np.zeros(len(sides), np.int64)
    errors[every] = sides.measure(every, every)
    fitting = [
        (rows, int(errors[rows].sum()), int(number))
        for rows, number in zip(stretches, joined, strict=True)
        if number <= HALF * errors[rows].sum() > 0
    ]
    if not fitting:
        return None
    concerned = np.concatenate([rows for rows, _, _ in fitting])
    concerned = concerned[errors[concerned] > 0]
    return Cut(concerned, sum(number for _, number, _ in fitting), sum(number for _, _, number in fitting))
