"""Which speaker of a reference is which of a hypothesis, and how many errors that leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment import distances, error_counts
from misread.alignment.kernels.timed import timed_distance
from misread.compiled.budget import ALIGNING, loaded_above
from misread.errors import InputTextError
from misread.features.speakers.turns import Stream, Turn
from misread.types import IntArray

MOST_STATES: Final = 4_000_000
"""Places in all streams of a hypothesis at once, above which a session is refused: some seconds per turn, 200 MB."""

_CELL_SECONDS: Final = 2e-6

Places = NDArray[np.int32]
"""Errors by place in every stream, one axis for each."""


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


def assign_turns(turns: Sequence[Turn], hypotheses: Sequence[Stream]) -> SpeakerErrors:
    """The fewest errors if each turn of the reference may be in any stream of the hypothesis, in order of time.

    Raises InputTextError if the streams have too many places together. Sklyar, Piunova, Zheng & Liu (2022).
    """
    streams = [stream.words for stream in hypotheses if stream.words]
    if not streams:
        words = sum(len(turn.words) for turn in turns)
        return SpeakerErrors(words, 0, words, 0)
    states = float(np.prod(np.array([len(words) + 1 for words in streams], np.float64)))
    if len(streams) > 1 and states > MOST_STATES:
        raise InputTextError(
            f"{len(streams)} speakers of the hypothesis with {sum(map(len, streams)):,} words have {states:.2g} places "
            f"together, above the limit of {MOST_STATES:,} of this rate; shorter sessions, or cp_wer, can be counted."
        )
    numbers: dict[str, int] = {}
    spoken, heard = (
        [np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64) for words in side]
        for side in ([turn.words for turn in turns], streams)
    )
    said: list[list[str]] = [[] for _ in streams]
    for turn, stream in zip(turns, _choose_streams(spoken, heard), strict=True):
        said[stream] += turn.words
    counts = error_counts(list(map(" ".join, said)), list(map(" ".join, streams)), unit="word")
    kinds = [int(each.sum()) for each in (counts.substitutions, counts.deletions, counts.insertions)]
    return SpeakerErrors(sum(kinds), *kinds)


def _choose_streams(turns: Sequence[IntArray], streams: Sequence[IntArray]) -> list[int]:
    """Stream of each turn, with the fewest errors of all; the first of equally good ones of a single turn.

    The turns are cut into halves where errors before and after are fewest together, and so are these, as Hirschberg
    (1975) does for two texts: tables of all turns would not fit into memory.
    """
    if not turns or len(streams) == 1:
        return [0] * len(turns)
    if len(turns) == 1:
        rest = [sum(other.size for other in streams if other is not stream) for stream in streams]
        tables = [_say(turns[0], stream, 0, np.arange(stream.size + 1, dtype=np.int32)) for stream in streams]
        return [int(np.argmin([_insert(table)[-1] + more for table, more in zip(tables, rest, strict=True)]))]
    middle = len(turns) // 2
    before = _errors_up_to(turns[:middle], streams)
    after = _errors_up_to([turn[::-1] for turn in reversed(turns[middle:])], [of[::-1] for of in streams])
    before += np.flip(after)
    place = np.unravel_index(int(before.argmin()), before.shape)
    first = [of[:at] for of, at in zip(streams, place, strict=True)]
    second = [of[at:] for of, at in zip(streams, place, strict=True)]
    return _choose_streams(turns[:middle], first) + _choose_streams(turns[middle:], second)


def _errors_up_to(turns: Sequence[IntArray], streams: Sequence[IntArray]) -> Places:
    """Fewest errors of all these turns up to each place in all streams."""
    sizes = [stream.size + 1 for stream in streams]
    # Before the first turn all words are insertions.
    costs: Places = np.indices(sizes, np.int32).sum(axis=0, dtype=np.int32)
    for turn in turns:
        each = [_say(turn, stream, axis, costs) for axis, stream in enumerate(streams)]
        costs = np.minimum.reduce(each)
    for axis in range(len(sizes)):
        costs = np.moveaxis(_insert(np.moveaxis(costs, axis, -1)), -1, axis)
    return costs


def _say(turn: IntArray, stream: IntArray, axis: int, costs: Places) -> Places:
    """Errors up to each place once a turn was said in one stream."""
    found = np.moveaxis(costs, axis, -1)
    for word in turn:
        following = found + np.int32(1)
        following[..., 1:] = np.minimum(following[..., 1:], found[..., :-1] + (stream != word).astype(np.int32))
        found = _insert(following)
    return np.moveaxis(found, -1, axis)


def _insert(costs: Places) -> Places:
    """Let words of the last axis be insertions."""
    places = np.arange(costs.shape[-1], dtype=np.int32)
    inserted: Places = np.minimum.accumulate(costs - places, axis=-1) + places
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
