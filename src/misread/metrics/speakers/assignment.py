"""Which speaker of a reference is which of a hypothesis, and how many errors that leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from misread.alignment import distances, error_counts
from misread.alignment.kernels.timed import timed_distance
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import InputTextError
from misread.metrics.speakers.turns import Stream, Turn
from misread.types import IntArray

MOST_STATES: Final = 4_000_000
"""Places in all streams of a hypothesis at once, above which a session is refused: some seconds per turn."""

_CELL_SECONDS: Final = 2e-6


class SpeakerErrors(NamedTuple):
    """Errors of one session."""

    errors: int
    substitutions: int
    deletions: int
    insertions: int


def permute_speakers(references: Sequence[Stream], hypotheses: Sequence[Stream]) -> SpeakerErrors:
    """The fewest errors if each speaker of one side is one of the other, or nobody: by the Hungarian method."""
    sides = _pad(references, hypotheses)
    texts = [(" ".join(one.words), " ".join(other.words)) for one in sides[0] for other in sides[1]]
    if not texts:
        return SpeakerErrors(0, 0, 0, 0)
    costs = distances([one for one, _ in texts], [other for _, other in texts], unit="word")
    chosen = _assign(costs.reshape(len(sides[0]), -1)).tolist()
    pairs = [texts[row * len(sides[1]) + column] for row, column in enumerate(chosen)]
    counts = error_counts([one for one, _ in pairs], [other for _, other in pairs], unit="word")
    kinds = [int(each.sum()) for each in (counts.substitutions, counts.deletions, counts.insertions)]
    return SpeakerErrors(sum(kinds), *kinds)


def permute_with_times(references: Sequence[Stream], hypotheses: Sequence[Stream], collar: float) -> int:
    """As `permute_speakers`, errors alone, where words are aligned only if their times overlap within a collar."""
    expected, found = _pad(references, hypotheses)
    numbers: dict[str, int] = {}
    codes, other_codes = (
        [np.array([numbers.setdefault(word, len(numbers)) for word in of.words], np.int64) for of in streams]
        for streams in (expected, found)
    )
    times = [of.times(as_points=False, collar=0.0) for of in expected]
    other_times = [of.times(as_points=True, collar=collar) for of in found]
    costs = np.zeros((len(expected), len(found)), np.int64)
    for row, column in np.ndindex(costs.shape):
        with loaded_above(ALIGNING, _CELL_SECONDS * codes[row].size * other_codes[column].size):
            costs[row, column] = timed_distance(codes[row], other_codes[column], times[row], other_times[column])
    return int(costs[np.arange(len(costs)), _assign(costs)].sum()) if len(costs) else 0


def assign_turns(turns: Sequence[Turn], hypotheses: Sequence[Stream]) -> int:
    """The fewest errors if each turn of the reference may be in any stream of the hypothesis, in order of time.

    Raises InputTextError if the streams have too many places together. Sklyar, Piunova, Zheng & Liu (2022).
    """
    sizes = [len(stream.words) + 1 for stream in hypotheses]
    if not sizes:
        return sum(len(turn.words) for turn in turns)
    states = float(np.prod(np.array(sizes, np.float64)))
    if states > MOST_STATES:
        raise InputTextError(
            f"{len(sizes)} speakers of the hypothesis with {sum(sizes) - len(sizes):,} words have {states:.2g} places "
            f"together, above the limit of {MOST_STATES:,} of this rate; shorter sessions, or cp_wer, can be counted."
        )
    # Errors up to each place in all streams; before the first turn all words are insertions.
    costs: IntArray = np.indices(sizes).sum(axis=0)
    for turn in turns:
        best = None
        for axis, stream in enumerate(hypotheses):
            found = np.moveaxis(costs, axis, -1).copy()
            for word in turn.words:
                differs = np.array([word != other for other in stream.words], np.int64)
                following = found + 1
                following[..., 1:] = np.minimum(following[..., 1:], found[..., :-1] + differs)
                found = _insert(following)
            found = np.moveaxis(found, -1, axis)
            best = found if best is None else np.minimum(best, found)
        costs = costs if best is None else best
    for axis in range(len(sizes)):
        costs = np.moveaxis(_insert(np.moveaxis(costs, axis, -1)), -1, axis)
    return int(costs[(-1,) * len(sizes)])


def _insert(costs: IntArray) -> IntArray:
    """Let words of the last axis be insertions."""
    places = np.arange(costs.shape[-1])
    inserted: IntArray = np.minimum.accumulate(costs - places, axis=-1) + places
    return inserted


def _pad(references: Sequence[Stream], hypotheses: Sequence[Stream]) -> tuple[list[Stream], list[Stream]]:
    """As many streams on both sides: nobody says nothing."""
    most = max(len(references), len(hypotheses))
    expected, found = ([*of, *[Stream([], [])] * (most - len(of))] for of in (references, hypotheses))
    return expected, found


def _assign(costs: IntArray) -> IntArray:
    """Column of each row, so that the sum is least."""
    from scipy.optimize import linear_sum_assignment

    columns: IntArray = linear_sum_assignment(costs)[1]
    return columns
