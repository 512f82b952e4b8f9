"""Segments whose outputs are the references' text, cut elsewhere."""

from collections.abc import Sequence
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
_SAMPLE: Final = 200


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
    # Where none of some fits, as where all outputs have chatter, the others are not tried.
    sample = stretches[:: 1 + len(stretches) // _SAMPLE]
    fitting = _fit_joined(sides, sample)
    fitting = _fit_joined(sides, stretches) if fitting and len(sample) < len(stretches) else fitting
    if not fitting:
        return None
    concerned = np.concatenate([rows[errors > 0] for rows, errors, _ in fitting])
    return Cut(concerned, sum(int(errors.sum()) for _, errors, _ in fitting), sum(number for *_, number in fitting))


def _fit_joined(sides: PairedSides, stretches: Sequence[IntArray]) -> list[tuple[IntArray, IntArray, int]]:
    """Stretches that lose half of their errors when joined, with the errors of their segments and those joined."""
    texts = (sides.references, sides.outputs)
    stretches = [rows for rows in stretches if all(len(side[row]) < LONGEST for side in texts for row in rows.tolist())]
    if not stretches:
        return []
    joined = distances(
        [" ".join(sides.references[row] for row in rows).lower() for rows in stretches],
        [" ".join(sides.outputs[row] for row in rows).lower() for rows in stretches],
    )
    every = np.concatenate(stretches)
    errors = np.split(sides.measure(every, every), np.cumsum([*map(len, stretches)])[:-1])
    return [
        (rows, counts, number)
        for rows, counts, number in zip(stretches, errors, joined.tolist(), strict=True)
        if number <= HALF * counts.sum() > 0
    ]
