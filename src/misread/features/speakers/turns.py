"""What speakers say, turn by turn."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from misread.errors import InputValueError
from misread.text.words import split_words
from misread.types import FloatArray


class Turn(NamedTuple):
    """Words of one speaker; times are in seconds, None where they are not known."""

    speaker: str
    words: list[str]
    begin: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class Stream:
    """All words of one speaker, in order of time."""

    words: list[str]
    turns: list[Turn]

    def times(self, *, as_points: bool, collar: float) -> FloatArray:
        """Begin and end of every word, shape (words, 2), extended by a collar on both sides.

        A turn is shared out among its words in proportion to their characters; as points, words have no length.
        """
        parts = [np.empty((0, 2))]
        for turn in self.turns:
            begin, end = turn.begin or 0.0, turn.end or 0.0
            lengths = np.array([len(word) for word in turn.words], np.float64)
            ends = np.cumsum(lengths)
            step = (end - begin) / ends[-1]
            of_words = np.column_stack([begin + step * np.concatenate([[0.0], ends[:-1]]), begin + step * ends])
            if len(turn.words) == 1:
                of_words = np.array([[begin, end]])
            if as_points:
                of_words = np.repeat(of_words.mean(axis=1, keepdims=True), 2, axis=1)
            parts.append(of_words + np.array([-collar, collar]))
        return np.concatenate(parts)


def read_turns(value: Any, name: str, *, with_times: bool) -> list[Turn]:
    """Turns of an annotation in order of time, where all have one, without those that have no word.

    Raises InputValueError, with the name of the segment, for what is not a list of turns, or turns without times where
    these are needed.
    """
    if not isinstance(value, list):
        raise InputValueError(f"{name} has no turns, expected a list of objects with speaker and words.")
    turns = [_read(turn, f"{name}, turn {place + 1}", with_times) for place, turn in enumerate(value)]
    if all(turn.begin is not None for turn in turns):
        turns.sort(key=lambda turn: turn.begin or 0.0)
    return [turn for turn in turns if turn.words]


def by_speaker(turns: Sequence[Turn]) -> list[Stream]:
    """One stream for each speaker, in the order in which they begin."""
    found: dict[str, list[Turn]] = {}
    for turn in turns:
        found.setdefault(turn.speaker, []).append(turn)
    return [Stream([word for turn in of for word in turn.words], of) for of in found.values()]


def _read(turn: Any, place: str, with_times: bool) -> Turn:
    if not isinstance(turn, Mapping) or not all(isinstance(turn.get(key), str) for key in ("speaker", "words")):
        raise InputValueError(f"{place}: expected an object with speaker and words, which are texts.")
    begin, end = (_seconds(turn.get(key), f"{place}: {key}") for key in ("start_time", "end_time"))
    if with_times and (begin is None or end is None):
        raise InputValueError(f"{place} has no start_time and end_time, which this metric needs.")
    if begin is not None and end is not None and end < begin:
        raise InputValueError(f"{place} ends at {end:g}, before it begins at {begin:g}.")
    return Turn(turn["speaker"], split_words(turn["words"]), begin, end)


def _seconds(value: Any, place: str) -> float | None:
    """Seconds as a number, or as one in a text."""
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, str | Real) and not isinstance(value, bool) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputValueError(f"{place} is {value!r}, expected seconds.")
    return number
