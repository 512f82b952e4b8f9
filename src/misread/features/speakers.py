"""Error rates of recordings with several speakers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from misread.alignment import distances, error_counts
from misread.compiled.budget import ALIGNING, loaded_above
from misread.compiled.jit import jit
from misread.errors import ConfigurationError, InputTextError, InputValueError
from misread.metrics.base import Direction, InputKind, Kind, Metric, ScoredText
from misread.text.words import split_words
from misread.types import FloatArray, IntArray


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
            costs[row, column] = _timed_distance(codes[row], other_codes[column], times[row], other_times[column])
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


SpeakerRate = Literal["permutation", "timed_permutation", "turns", "attribution"]


@dataclass(frozen=True)
class SpeakerErrorRate(Metric):
    """Word errors of a session with several speakers over all words of the reference.

    Segments are sessions, whose turns are the annotations "reference_turns" and "turns": lists of objects with speaker,
    words, start_time and end_time.

    Parameters
    ----------
    rate_of : {"permutation", "timed_permutation", "turns", "attribution"}
        "permutation" (cpWER): what each speaker says is one text; speakers are those of the other side that leave the
        fewest errors. "timed_permutation" (tcpWER): the same, where words are aligned only if their times overlap.
        "turns" (ORC-WER): each turn may be in any stream of the hypothesis, whoever speaks: errors of recognition.
        "attribution": what cpWER has beyond that, words that were given to somebody else.
    collar : float
        Seconds by which words of the hypothesis may be early or late in tcpWER.

    References
    ----------
    Watanabe et al. (2020), CHiME-6 challenge; von Neumann et al. (2023), MeetEval: a toolkit for computation of word
    error rates for meeting transcription systems; Sklyar et al. (2022), Multi-turn RNN-T for streaming recognition of
    multi-party speech.
    """

    rate_of: SpeakerRate = "permutation"
    collar: float = 5.0

    direction = Direction.LOWER_IS_BETTER
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")
    reference_annotations = ("reference_turns",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.collar < float("inf"):
            raise ConfigurationError(f"collar of {self.id} is {self.collar}, expected seconds from 0.")

    input_kind: ClassVar[InputKind] = "sessions"

    @property
    def columns(self) -> tuple[str, ...]:
        """Errors and words; kinds of errors where it is known which word was read for which."""
        kinds = ("substitutions", "deletions", "insertions") if self.rate_of in ("permutation", "turns") else ()
        return ("errors", "length", *kinds, "reference_speakers", "speakers")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every session, shape (sessions, columns)."""
        with_times = self.rate_of == "timed_permutation"
        rows = []
        values = (pairs.annotation(name, self.id) for name in ("reference_turns", "turns"))
        for row, (expected, found) in enumerate(zip(*values, strict=True)):
            name = pairs.name(row)
            references = read_turns(expected, f"the reference of {name}", with_times=with_times)
            # A session that was not read has no turns, whatever the policy for missing texts says of it.
            hypotheses = read_turns(
                [] if found is None and not pairs.hypotheses[row] else found, name, with_times=with_times
            )
            length = sum(len(turn.words) for turn in references)
            speakers, others = by_speaker(references), by_speaker(hypotheses)
            kinds: Sequence[int] = ()
            try:
                if self.rate_of == "timed_permutation":
                    errors = permute_with_times(speakers, others, self.collar)
                elif self.rate_of == "attribution":
                    errors = permute_speakers(speakers, others).errors - assign_turns(references, others).errors
                else:
                    of_turns = self.rate_of == "turns"
                    errors, *kinds = (
                        assign_turns(references, others) if of_turns else permute_speakers(speakers, others)
                    )
            except InputTextError as error:
                raise InputTextError(f"{self.id}, {name}: {error}") from None
            rows.append((errors, length, *kinds, len(speakers), len(others)))
        return np.array(rows, np.int64).reshape(len(rows), len(self.columns))

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, how speakers are assigned."""
        collar = f"-collar-{self.collar:g}" if self.rate_of == "timed_permutation" else ""
        return {"unit": "word", "norm": norm, "align": "unit", "speakers": f"{self.rate_of}{collar}", "empty": "null"}


@jit
def _timed_distance(reference: IntArray, hypothesis: IntArray, times: FloatArray, other_times: FloatArray) -> int:
    """Least errors; a hit or substitution needs two words that overlap, `times` have begin and end of each."""
    size = hypothesis.size
    costs = np.arange(size + 1)
    for row in range(reference.size):
        diagonal = costs[0]
        costs[0] += 1
        for column in range(size):
            cost = min(costs[column], costs[column + 1]) + 1
            overlap = times[row, 0] < other_times[column, 1] and times[row, 1] > other_times[column, 0]
            if overlap:
                cost = min(cost, diagonal + (reference[row] != hypothesis[column]))
            diagonal = costs[column + 1]
            costs[column + 1] = cost
    return int(costs[size])
