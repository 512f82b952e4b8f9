"""Error rates of recordings with several speakers."""

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
from misread.metrics.base import Direction, InputKind, Metric, ScoredText
from misread.text.words import split_words
from misread.types import BoolArray, FloatArray, IntArray


class Turn(NamedTuple):
    """Words of one speaker; times are in seconds, None if unknown."""

    speaker: str
    words: list[str]
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class Stream:
    """All words of one speaker, in order of time."""

    words: list[str]
    turns: list[Turn]

    def times(self, *, as_points: bool, collar: float) -> FloatArray:
        """Start and end of every word, shape (words, 2), extended by a collar on both sides.

        The time of a turn is divided among its words in proportion to their characters; as points, words have no
        length.
        """
        parts = [np.empty((0, 2))]
        for turn in self.turns:
            start, end = turn.start or 0.0, turn.end or 0.0
            lengths = np.array([len(word) for word in turn.words], np.float64)
            ends = np.cumsum(lengths)
            step = (end - start) / ends[-1]
            times = np.column_stack([start + step * np.concatenate([[0.0], ends[:-1]]), start + step * ends])
            if len(turn.words) == 1:
                times = np.array([[start, end]])
            if as_points:
                times = np.repeat(times.mean(axis=1, keepdims=True), 2, axis=1)
            parts.append(times + np.array([-collar, collar]))
        return np.concatenate(parts)


def read_turns(value: Any, name: str, *, with_times: bool) -> list[Turn]:
    """Turns of an annotation that have words, in order of time if all have one.

    Raises InputValueError, with the name of the segment, if the value is not a list of turns, or needed times are
    missing.
    """
    if not isinstance(value, list):
        raise InputValueError(f"{name} has no turns, expected a list of objects with speaker and words.")
    turns = [_read(turn, f"{name}, turn {index + 1}", with_times) for index, turn in enumerate(value)]
    if all(turn.start is not None for turn in turns):
        turns.sort(key=lambda turn: turn.start or 0.0)
    return [turn for turn in turns if turn.words]


def by_speaker(turns: Sequence[Turn]) -> list[Stream]:
    """One stream per speaker, in the order of their first turns."""
    turns_by_speaker: dict[str, list[Turn]] = {}
    for turn in turns:
        turns_by_speaker.setdefault(turn.speaker, []).append(turn)
    return [
        Stream([word for turn in own_turns for word in turn.words], own_turns)
        for own_turns in turns_by_speaker.values()
    ]


def _read(turn: Any, label: str, with_times: bool) -> Turn:
    if not isinstance(turn, Mapping) or not all(isinstance(turn.get(key), str) for key in ("speaker", "words")):
        raise InputValueError(f"{label}: expected an object with speaker and words, which are texts.")
    start, end = (_seconds(turn.get(key), f"{label}: {key}") for key in ("start_time", "end_time"))
    if with_times and (start is None or end is None):
        raise InputValueError(f"{label} has no start_time and end_time, which this metric needs.")
    if start is not None and end is not None and end < start:
        raise InputValueError(f"{label} ends at {end:g}, before it begins at {start:g}.")
    return Turn(turn["speaker"], split_words(turn["words"]), start, end)


def _seconds(value: Any, label: str) -> float | None:
    """Seconds from a number or a numeric text; None if there are none."""
    if value is None:
        return None
    try:
        number = float(value) if isinstance(value, str | Real) and not isinstance(value, bool) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputValueError(f"{label} is {value!r}, expected seconds.")
    return number


MOST_STATES: Final = 4_000_000
"""Combinations of positions in all streams, above which a session is refused: some seconds per turn, 200 MB."""

_CELL_SECONDS: Final = 2e-6

Places = NDArray[np.int32]
"""Errors by position in every stream, one axis per stream."""


class SpeakerErrors(NamedTuple):
    """Errors of one session."""

    errors: int
    substitutions: int
    deletions: int
    insertions: int


def permute_speakers(references: Sequence[Stream], hypotheses: Sequence[Stream]) -> SpeakerErrors:
    """Errors of the best assignment of speakers between the sides, or to nobody, by the Hungarian method."""
    sides = _pad(references, hypotheses)
    texts = [(" ".join(spoken.words), " ".join(heard.words)) for spoken in sides[0] for heard in sides[1]]
    if not texts:
        return SpeakerErrors(0, 0, 0, 0)
    costs = distances([spoken for spoken, _ in texts], [heard for _, heard in texts], unit="word")
    chosen = _assign(costs.reshape(len(sides[0]), -1)).tolist()
    pairs = [texts[row * len(sides[1]) + column] for row, column in enumerate(chosen)]
    return _sum_errors([spoken for spoken, _ in pairs], [heard for _, heard in pairs])


def _sum_errors(references: Sequence[str], hypotheses: Sequence[str]) -> SpeakerErrors:
    counts = error_counts(references, hypotheses, unit="word")
    kinds = [int(column_counts.sum()) for column_counts in (counts.substitutions, counts.deletions, counts.insertions)]
    return SpeakerErrors(sum(kinds), *kinds)


def permute_with_times(references: Sequence[Stream], hypotheses: Sequence[Stream], collar: float) -> int:
    """As `permute_speakers`, but only the sum, with words aligned only if their times overlap within a collar."""
    expected, heard = _pad(references, hypotheses)
    numbers: dict[str, int] = {}
    codes, other_codes = (
        [np.array([numbers.setdefault(word, len(numbers)) for word in stream.words], np.int64) for stream in streams]
        for streams in (expected, heard)
    )
    times = [stream.times(as_points=False, collar=0.0) for stream in expected]
    other_times = [stream.times(as_points=True, collar=collar) for stream in heard]
    costs = np.zeros((len(expected), len(heard)), np.int64)
    for row, column in np.ndindex(costs.shape):
        with loaded_above(ALIGNING, _CELL_SECONDS * codes[row].size * other_codes[column].size):
            costs[row, column] = _timed_distance(codes[row], other_codes[column], times[row], other_times[column])
    return int(costs[np.arange(len(costs)), _assign(costs)].sum()) if len(costs) else 0


def assign_turns(turns: Sequence[Turn], hypotheses: Sequence[Stream]) -> SpeakerErrors:
    """Errors of the best assignment of reference turns, in order of time, to streams of the hypothesis.

    Raises InputTextError if the streams have too many combined positions. Sklyar, Piunova, Zheng & Liu (2022).
    """
    streams = [stream.words for stream in hypotheses if stream.words]
    if not streams:
        words = sum(len(turn.words) for turn in turns)
        return SpeakerErrors(words, 0, words, 0)
    states = float(np.prod(np.array([len(words) + 1 for words in streams], np.float64)))
    if len(streams) > 1 and states > MOST_STATES:
        raise InputTextError(
            f"{len(streams)} speakers of the hypothesis with {sum(map(len, streams)):,} words have {states:.2g} "
            f"places together, above the limit of {MOST_STATES:,} for this rate; score shorter sessions, or cp_wer."
        )
    numbers: dict[str, int] = {}
    spoken, heard = (
        [np.array([numbers.setdefault(word, len(numbers)) for word in words], np.int64) for words in side]
        for side in ([turn.words for turn in turns], streams)
    )
    said: list[list[str]] = [[] for _ in streams]
    for turn, stream in zip(turns, _choose_streams(spoken, heard), strict=True):
        said[stream] += turn.words
    return _sum_errors(list(map(" ".join, said)), list(map(" ".join, streams)))


def _choose_streams(turns: Sequence[IntArray], streams: Sequence[IntArray]) -> list[int]:
    """Stream of each turn with the fewest errors in total; for a single turn, the first of equally good ones.

    The turns are split recursively into halves, at the stream positions with the fewest errors before and after, as
    Hirschberg (1975) does for two texts: tables of all turns would not fit into memory.
    """
    if not turns or len(streams) == 1:
        return [0] * len(turns)
    if len(turns) == 1:
        rest = [sum(other.size for other in streams if other is not stream) for stream in streams]
        tables = [_say(turns[0], stream, 0, np.arange(stream.size + 1, dtype=np.int32)) for stream in streams]
        return [int(np.argmin([_insert(table)[-1] + more for table, more in zip(tables, rest, strict=True)]))]
    middle = len(turns) // 2
    before = _errors_up_to(turns[:middle], streams)
    after = _errors_up_to([turn[::-1] for turn in reversed(turns[middle:])], [stream[::-1] for stream in streams])
    before += np.flip(after)
    split = np.unravel_index(int(before.argmin()), before.shape)
    first = [stream[:end] for stream, end in zip(streams, split, strict=True)]
    second = [stream[end:] for stream, end in zip(streams, split, strict=True)]
    return _choose_streams(turns[:middle], first) + _choose_streams(turns[middle:], second)


def _errors_up_to(turns: Sequence[IntArray], streams: Sequence[IntArray]) -> Places:
    """Fewest errors of these turns up to each combination of positions in the streams."""
    sizes = [stream.size + 1 for stream in streams]
    # Before the first turn, all words are insertions.
    costs: Places = np.indices(sizes, np.int32).sum(axis=0, dtype=np.int32)
    for turn in turns:
        alternatives = [_say(turn, stream, axis, costs) for axis, stream in enumerate(streams)]
        costs = np.minimum.reduce(alternatives)
    for axis in range(len(sizes)):
        costs = np.moveaxis(_insert(np.moveaxis(costs, axis, -1)), -1, axis)
    return costs


def _say(turn: IntArray, stream: IntArray, axis: int, costs: Places) -> Places:
    """Fewest errors up to each position after assigning a turn to one stream."""
    errors = np.moveaxis(costs, axis, -1)
    for word in turn:
        following = errors + np.int32(1)
        following[..., 1:] = np.minimum(following[..., 1:], errors[..., :-1] + (stream != word).astype(np.int32))
        errors = _insert(following)
    return np.moveaxis(errors, -1, axis)


def _insert(costs: Places) -> Places:
    """Allow insertions of words along the last axis."""
    places = np.arange(costs.shape[-1], dtype=np.int32)
    inserted: Places = np.minimum.accumulate(costs - places, axis=-1) + places
    return inserted


def _pad(references: Sequence[Stream], hypotheses: Sequence[Stream]) -> tuple[list[Stream], list[Stream]]:
    """Streams of both sides, padded with empty streams to equal numbers."""
    most = max(len(references), len(hypotheses))
    expected, heard = ([*side, *[Stream([], [])] * (most - len(side))] for side in (references, hypotheses))
    return expected, heard


def _assign(costs: IntArray) -> IntArray:
    """Column of each row with the least sum of costs."""
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
        "permutation" (cpWER): each speaker's words form one text, and speakers of both sides are matched for the fewest
        errors. "timed_permutation" (tcpWER): the same, but words are aligned only if their times overlap. "turns"
        (ORC-WER): each turn may be in any stream of the hypothesis, regardless of the speaker, which leaves errors of
        recognition. "attribution": cpWER minus ORC-WER, errors from words attributed to another speaker; a session of
        which nothing was heard attributes nothing, and its words do not count in the length.
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
    rate_columns = ("errors", "length")
    reference_annotations = ("reference_turns",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.collar < float("inf"):
            raise ConfigurationError(f"collar of {self.id} is {self.collar}, expected seconds from 0.")

    input_kind: ClassVar[InputKind] = "sessions"

    @property
    def columns(self) -> tuple[str, ...]:
        """Errors and words, and kinds of errors if words are aligned individually."""
        kinds = ("substitutions", "deletions", "insertions") if self.rate_of in ("permutation", "turns") else ()
        return ("errors", "length", *kinds, "reference_speakers", "speakers")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every session, shape (sessions, columns)."""
        with_times = self.rate_of == "timed_permutation"
        rows = []
        values = (pairs.annotation(name, self.id) for name in ("reference_turns", "turns"))
        for row, (expected, heard) in enumerate(zip(*values, strict=True)):
            name = pairs.name(row)
            references = read_turns(expected, f"the reference of {name}", with_times=with_times)
            # A session that was not read has no turns, whatever the policy for missing texts.
            hypotheses = read_turns(
                [] if heard is None and not pairs.hypotheses[row] else heard, name, with_times=with_times
            )
            length = sum(len(turn.words) for turn in references)
            speakers, others = by_speaker(references), by_speaker(hypotheses)
            kinds: Sequence[int] = ()
            try:
                if self.rate_of == "timed_permutation":
                    errors = permute_with_times(speakers, others, self.collar)
                elif self.rate_of == "attribution":
                    errors = permute_speakers(speakers, others).errors - assign_turns(references, others).errors
                    length = length if others else 0
                else:
                    by_turns = self.rate_of == "turns"
                    errors, *kinds = (
                        assign_turns(references, others) if by_turns else permute_speakers(speakers, others)
                    )
            except InputTextError as error:
                raise InputTextError(f"{self.id}, {name}: {error}") from None
            rows.append((errors, length, *kinds, len(speakers), len(others)))
        return np.array(rows, np.int64).reshape(len(rows), len(self.columns))

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether a session has no error, and was heard if anybody spoke."""
        spoken, heard = counts[:, -2] > 0, counts[:, -1] > 0
        exact: BoolArray = super().is_exact(counts) & (heard | ~spoken)
        return exact

    @property
    def counted(self) -> str:
        """Errors of words, or of speakers alone."""
        return "errors of attribution" if self.rate_of == "attribution" else super().counted

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, assignment of speakers."""
        collar = f"-collar-{self.collar:g}" if self.rate_of == "timed_permutation" else ""
        return {"unit": "word", "norm": norm, "align": "unit", "speakers": f"{self.rate_of}{collar}", "empty": "null"}


@jit
def _timed_distance(reference: IntArray, hypothesis: IntArray, times: FloatArray, other_times: FloatArray) -> int:
    """Fewest errors; only overlapping words can match or be substituted; `times` has start and end of each."""
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
