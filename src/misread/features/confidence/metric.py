"""Confidences of words: whether a system knows what it has misread."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from numbers import Real
from reprlib import repr as shortened
from typing import Any, Final, Literal, NamedTuple, cast

import numpy as np

from misread.alignment import AlignmentPolicy, align_readings, find_operations, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, LETTERS, TRANSPOSITION
from misread.errors import ConfigurationError, InputValueError, LengthMismatchError, UndefinedResultError
from misread.io.checks.numbers import check_flags, check_row, check_whole
from misread.metrics.base import Direction, Kind, Metric, ScoredText, divide
from misread.named_result import Record
from misread.text.alternatives import Choice, Items, Word, list_words
from misread.text.words import split_words
from misread.types import BoolArray, FloatArray, IntArray

CalibrationScore = Literal["normalized_cross_entropy", "brier", "expected_error", "maximum_error"]

ANNOTATION: Final = "confidence"

# Confidences and their sums are whole billionths, so that counts add exactly.
_UNIT: Final = 1_000_000_000
# A confidence of 0 or 1 that was wrong would cost without end; NIST's tool takes this for 0.
_SMALLEST: Final = 1e-7
# Logarithm of the likelihood of a right word that is not in doubt, in the unit of counts.
_CERTAIN: Final = round(math.log2(1 - _SMALLEST) * _UNIT)


class WordConfidences(NamedTuple):
    """Words of all hypotheses, one after the other."""

    rows: IntArray  # segment of each
    confidences: IntArray  # in billionths
    correct: BoolArray


@dataclass(frozen=True)
class Calibration(Metric):
    """How well confidences of words agree with right and wrong: the annotation "confidence" of the hypotheses.

    A word is right if it is a hit of the alignment; substitutions and insertions are wrong.

    Parameters
    ----------
    score : {"normalized_cross_entropy", "brier", "expected_error", "maximum_error"}
        Share of the entropy of being right that the confidences take away, as NIST's tools compute it: 1 is perfect, 0
        no better than always saying the share of right words, below 0 worse. Brier score: mean square of confidence
        less outcome. Expected and maximum calibration error: difference of mean confidence and share of right words in
        bins of equal width, their mean over words, or the largest.
    bins : int
        Number of bins from 0 to 1, of the last two; a confidence between two belongs to the lower one.
    alignment : {"unit", "sclite"}
        By which costs words are aligned.

    References
    ----------
    Siu, Gish & Richardson (1997), Improved estimation, evaluation and applications of confidence measures for speech
    recognition; Brier (1950); Naeini, Cooper & Hauskrecht (2015).
    """

    score: CalibrationScore
    bins: int = 10
    alignment: AlignmentPolicy = "unit"

    def __post_init__(self) -> None:
        super().__post_init__()
        if check_whole("bins", self.bins) < 1:
            raise ConfigurationError(f"bins of {self.id} is {self.bins}, expected 1 or more.")

    @property
    def columns(self) -> tuple[str, ...]:
        """Words and right words, then sums in billionths; by bin for calibration errors."""
        if self.score == "normalized_cross_entropy":
            return ("words", "correct", "log2_likelihood")
        if self.score == "brier":
            return ("squared_error", "words")
        return tuple(f"{name}_{number}" for number in range(self.bins) for name in ("words", "correct", "confidence"))

    @property
    def size_columns(self) -> tuple[str, ...]:
        """Words."""
        return tuple(name for name in self.columns if name.startswith("words"))

    @property
    def direction(self) -> Direction:
        """Higher is better for cross entropy; all other scores are errors."""
        better_high = self.score == "normalized_cross_entropy"
        return Direction.HIGHER_IS_BETTER if better_high else Direction.LOWER_IS_BETTER

    kind = Kind.OTHER

    @property
    def bounds(self) -> tuple[float, float]:
        return -math.inf if self.score == "normalized_cross_entropy" else 0.0, 1.0

    @property
    def undefined_reason(self) -> str:
        """Why there is no score: no words, or for cross entropy only right or only wrong ones."""
        return "all words are right, or all wrong" if self.score == "normalized_cross_entropy" else "there are no words"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, columns)."""
        words = words_of(pairs, self.id, self.alignment)
        return self.count_words(words, len(pairs.references))

    def count_words(self, words: WordConfidences, segments: int) -> IntArray:
        """Counts of every segment from its words, shape (segments, columns)."""
        rows, confidences, correct = words
        if self.score == "normalized_cross_entropy":
            share = np.clip(confidences / _UNIT, _SMALLEST, 1 - _SMALLEST)
            likelihood = np.rint(np.log2(np.where(correct, share, 1 - share)) * _UNIT).astype(np.int64)
            return _sum_up(rows, segments, [np.ones_like(rows), correct, likelihood])
        if self.score == "brier":
            # At most a billion squared.
            squared = (confidences - correct * _UNIT) ** 2 // _UNIT
            return _sum_up(rows, segments, [squared, np.ones_like(rows)])
        places = place_in(confidences, self.bins)
        counts = _sum_up(rows * self.bins + places, segments * self.bins, [np.ones_like(rows), correct, confidences])
        return counts.reshape(segments, 3 * self.bins)

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., columns) -> (...); NaN without words.

        Cross entropy is also undefined where all words are right, or all wrong: there is nothing to tell apart.
        """
        if self.score == "normalized_cross_entropy":
            words, correct, likelihood = np.moveaxis(counts, -1, 0)
            share = divide(correct, words, undefined=np.nan)
            with np.errstate(divide="ignore", invalid="ignore"):
                entropy = -words * (share * np.log2(share) + (1 - share) * np.log2(1 - share))
                score: FloatArray = 1 + likelihood / _UNIT / entropy
            return np.where((correct > 0) & (correct < words), score, np.nan)
        if self.score == "brier":
            return divide(counts[..., 0], counts[..., 1] * _UNIT, undefined=np.nan)
        words, correct, confidences = np.moveaxis(counts.reshape(*counts.shape[:-1], self.bins, 3), -1, 0)
        gaps = np.abs(confidences / _UNIT - correct)
        if self.score == "expected_error":
            total = words.sum(axis=-1)
            return np.where(total > 0, gaps.sum(axis=-1) / np.maximum(total, 1), np.nan)
        largest = np.where(words > 0, gaps / np.maximum(words, 1), -1).max(axis=-1)
        return np.where(largest < 0, np.nan, largest)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether every word of a segment is right and has full confidence."""
        if self.score == "normalized_cross_entropy":
            exact: BoolArray = (counts[:, 0] == counts[:, 1]) & (counts[:, 2] >= counts[:, 0] * _CERTAIN)
            return exact
        if self.score == "brier":
            certain: BoolArray = counts[:, 0] == 0
            return certain
        words, correct, confidences = np.moveaxis(counts.reshape(len(counts), self.bins, 3), -1, 0)
        perfect: BoolArray = ((correct == words) & (confidences == words * _UNIT)).all(axis=-1)
        return perfect

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives itself: as sclite does."""
        return self.alignment == "sclite"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, bins."""
        bins = {"bins": str(self.bins)} if self.score.endswith("_error") else {}
        return {"unit": "word", "norm": norm, "align": self.alignment, **bins}


@dataclass(frozen=True)
class ReviewShare(Metric):
    """Share of the words that must be checked by hand, the least sure ones first, until few enough wrong ones are left.

    Words are put into `levels` levels of confidence and checked level by level; checked words are right.

    Parameters
    ----------
    target : float
        Wrong words that may be left, as a share of all words of the hypotheses.
    levels : int
        Number of levels of equal width from 0 to 1.
    alignment : {"unit", "sclite"}
        By which costs words are aligned.
    """

    target: float = 0.01
    levels: int = 100
    alignment: AlignmentPolicy = "unit"

    direction = Direction.LOWER_IS_BETTER

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.target < 1:
            raise ConfigurationError(f"target of {self.id} is {self.target}, expected a share from 0 to below 1.")
        if check_whole("levels", self.levels) < 1:
            raise ConfigurationError(f"levels of {self.id} is {self.levels}, expected 1 or more.")

    @property
    def columns(self) -> tuple[str, ...]:
        """Words and wrong words at each level of confidence."""
        return tuple(f"{name}_{level}" for level in range(self.levels) for name in ("words", "wrong"))

    is_smooth = False

    @property
    def size_columns(self) -> tuple[str, ...]:
        """Words."""
        return self.columns[::2]

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2 levels)."""
        return self.count_words(words_of(pairs, self.id, self.alignment), len(pairs.references))

    def count_words(self, words: WordConfidences, segments: int) -> IntArray:
        """Counts of every segment from its words."""
        rows, confidences, correct = words
        places = place_in(confidences, self.levels)
        # Right and wrong ones of each level first: one array, for these are many columns.
        cells = 2 * (rows * self.levels + places) + ~correct
        counts = np.bincount(cells, minlength=2 * segments * self.levels).reshape(segments, 2 * self.levels)
        counts[:, ::2] += counts[:, 1::2]
        return counts

    is_ratio = False

    def rate(self, counts: IntArray) -> FloatArray:
        """Share of summed counts, shape (..., columns) -> (...); NaN without words."""
        words, wrong = np.moveaxis(counts.reshape(*counts.shape[:-1], self.levels, 2), -1, 0)
        total = words.sum(axis=-1)
        left = wrong.sum(axis=-1, keepdims=True) - np.cumsum(wrong, axis=-1)
        # How many levels are checked: none, where few enough are wrong as it is.
        is_enough = np.concatenate([wrong.sum(axis=-1, keepdims=True), left], axis=-1) <= self.target * total[..., None]
        checked = np.concatenate([np.zeros_like(words[..., :1]), np.cumsum(words, axis=-1)], axis=-1)
        needed = np.take_along_axis(checked, is_enough.argmax(axis=-1)[..., None], axis=-1)[..., 0]
        return divide(needed, total, undefined=np.nan)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether no word of a segment is wrong."""
        exact: BoolArray = counts[:, 1::2].sum(axis=1) == 0
        return exact

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives itself: as sclite does."""
        return self.alignment == "sclite"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, target, levels."""
        rules = {"target": f"{self.target:g}", "levels": str(self.levels)}
        return {"unit": "word", "norm": norm, "align": self.alignment, **rules}


@dataclass(frozen=True, slots=True)
class ConfidenceScores(Record):
    """Scores of the confidences of some words; None where a score is undefined."""

    words: int
    correct: int
    normalized_cross_entropy: float | None
    brier: float
    expected_error: float
    maximum_error: float


def confidence_scores(confidences: Iterable[float], correct: Iterable[bool], *, bins: int = 10) -> ConfidenceScores:
    """Score confidences against whether the words were right.

    Parameters
    ----------
    confidences : iterable of float
        From 0 to 1, one for each word.
    correct : iterable of bool
        Whether the word is right.
    bins : int
        Number of bins of the two calibration errors.

    Returns
    -------
    ConfidenceScores
        See `misread.features.confidence.Calibration`.

    Raises
    ------
    InputTypeError
        If a side holds something else.
    LengthMismatchError
        If the two differ in number.
    InputValueError
        If a confidence is not from 0 to 1; names its position.
    UndefinedResultError
        If there is no word.

    Examples
    --------
    >>> scores = confidence_scores([0.9, 0.8, 0.6, 0.3], [True, True, False, False])
    >>> round(scores.normalized_cross_entropy, 3), round(scores.brier, 3), round(scores.expected_error, 3)
    (0.422, 0.125, 0.3)
    """
    values, outcomes = check_row("confidences", confidences), check_flags("correct", correct)
    if len(values) != len(outcomes):
        raise LengthMismatchError(f"{len(values):,} confidences and {len(outcomes):,} outcomes: every word needs both.")
    if not len(values):
        raise UndefinedResultError("there is no word to score.")
    if not np.all((values >= 0) & (values <= 1)):
        row = int(np.argmin((values >= 0) & (values <= 1)))
        raise InputValueError(f"confidences[{row}] is {values[row]:g}, expected a number from 0 to 1.")
    words = WordConfidences(np.zeros(len(values), np.int64), np.rint(values * _UNIT).astype(np.int64), outcomes)
    scores: dict[str, float | None] = {}
    for score in ("normalized_cross_entropy", "brier", "expected_error", "maximum_error"):
        metric = Calibration(score, score, bins)
        value = float(metric.rate(metric.count_words(words, 1)[0]))
        scores[score] = None if math.isnan(value) else value
    return ConfidenceScores(len(values), int(outcomes.sum()), **scores)  # type: ignore[arg-type]


def words_of(pairs: ScoredText, metric: str, alignment: AlignmentPolicy) -> WordConfidences:
    """Confidences of all words of the hypotheses, and whether they are hits.

    Raises InputValueError if a segment has no confidences, or not one from 0 to 1 for each of its words; a single
    number holds for all of them.
    """
    values = pairs.annotation(ANNOTATION, metric)
    hypotheses, hits, sizes = _find_hits(pairs, alignment)
    if pairs.written is not None and pairs.written.sides == "both":
        values = [
            _of_reading(value, items, split_words(read)) if isinstance(value, list) else value
            for value, items, read in zip(values, pairs.written.hypotheses, hypotheses, strict=True)
        ]
    rows = np.repeat(np.arange(len(sizes)), sizes)
    return WordConfidences(rows, np.rint(_join(values, sizes, pairs) * _UNIT).astype(np.int64), hits)


def _join(values: Sequence[Any], sizes: IntArray, pairs: ScoredText) -> FloatArray:
    """Confidences of the words of all segments, one after the other."""
    if {*map(type, values)} <= {float, int} and all(0 <= value <= 1 for value in values):
        return np.repeat(np.array(values, np.float64), sizes)
    listed = [
        value if isinstance(value, list) else [value] * size
        for value, size in zip(values, sizes.tolist(), strict=True)
        if size
    ]
    flat = list(chain.from_iterable(listed))
    are_numbers = {*map(type, flat)} <= {float, int} and all(0 <= value <= 1 for value in flat)
    if not are_numbers or not np.array_equal([*map(len, listed)], sizes[sizes > 0]):
        for row, (value, size) in enumerate(zip(values, sizes.tolist(), strict=True)):
            _check(value, size, pairs.name(row))
    return np.array(flat, np.float64)


def place_in(confidences: IntArray, bins: int) -> IntArray:
    """Bin of each confidence; a confidence on the edge of two bins belongs to the lower one."""
    places: IntArray = np.maximum(-(-confidences * bins // _UNIT) - 1, 0)
    return places


def _of_reading(values: list[Any], items: Items, words: Sequence[str]) -> list[Any]:
    """Confidences of the words chosen from a hypothesis with alternatives, given as lists of lists.

    As they are where there are others than words.
    """
    if len(values) != len(items):
        return values
    # How far the words are read, with the confidences up to there.
    ways: dict[int, list[Any]] = {0: []}
    for value, item in zip(values, items, strict=True):
        further: dict[int, list[Any]] = {}
        for position, known in ways.items():
            for read, confidences in _ways_to_read(item, value):
                if list(words[position : position + len(read)]) == read:
                    further.setdefault(position + len(read), [*known, *confidences])
        ways = further
    return ways.get(len(words), values)


def _ways_to_read(item: Word | Choice, value: Any) -> list[tuple[list[str], list[Any]]]:
    if isinstance(item, Choice):
        values = (
            value if isinstance(value, list) and len(value) == len(item.alternatives) else [[]] * len(item.alternatives)
        )
        return [
            (list_words(words), list(confidences)) for words, confidences in zip(item.alternatives, values, strict=True)
        ]
    return [([item.text], [value]), *([([], [])] if item.optional else [])]


def _find_hits(pairs: ScoredText, alignment: AlignmentPolicy) -> tuple[Sequence[str], BoolArray, IntArray]:
    """Hypotheses as read, whether each of their words is a hit, and the number of words of each."""
    hypotheses, letters_of = pairs.hypotheses, {}
    if pairs.written is not None and alignment == "sclite":
        read = align_readings(pairs.written.references, pairs.written.hypotheses, alignment="sclite")
        hypotheses, letters_of = read.hypotheses, dict(read.letters_of)
        operations = find_operations(read.references, hypotheses, unit="word", alignment="sclite")
    else:
        operations = paired_operations(pairs.paired, unit="word", alignment=alignment)
    codes, offsets = operations.codes, operations.offsets
    if letters_of:
        parts = np.split(codes, offsets[1:-1])
        for row, letters in letters_of.items():
            parts[row] = np.array([LETTERS.index(letter) for letter in letters], np.uint8)
        codes, offsets = np.concatenate(parts), np.concatenate([[0], np.cumsum([*map(len, parts)])])
    # One operation for each word of a hypothesis; two words that changed places are one of two words.
    words = np.where(codes == TRANSPOSITION, 2, codes != DELETION)
    before = np.concatenate([[0], np.cumsum(words)])
    return hypotheses, np.repeat(codes == HIT, words), np.diff(before[offsets])


def _check(value: Any, words: int, name: str) -> None:
    """Refuse confidences that do not fit the words of a segment."""
    if words == 0:
        return
    if value is None:
        raise InputValueError(
            f"{name} has no confidences, expected one for each of its {words:,} words, or one for all."
        )
    listed: Sequence[Any] = [value] * words if isinstance(value, Real) else value
    if not isinstance(listed, list) or len(listed) != words:
        number = f"{len(listed):,} confidences" if isinstance(listed, list) else repr(value)
        raise InputValueError(
            f"{name} has {number} for the {words:,} words of its normalized hypothesis; give one for each word, and "
            "use a normalizer that neither joins nor drops words."
        )
    for position, confidence in enumerate(listed):
        if not isinstance(confidence, Real) or isinstance(confidence, bool) or not 0 <= cast("float", confidence) <= 1:
            shown = "missing" if confidence is None else shortened(confidence)
            raise InputValueError(
                f"{name}: the confidence of word {position + 1} is {shown}, expected a number from 0 to 1."
            )


def _sum_up(rows: IntArray, segments: int, columns: Sequence[np.ndarray[Any, Any]]) -> IntArray:
    """Sum columns by row, exactly, shape (segments, columns)."""
    # Floating-point sums of whole numbers are exact up to 2^53, some hundred thousand words of one segment.
    sums = np.empty((segments, len(columns)), np.int64)
    for index, column in enumerate(columns):
        sums[:, index] = np.bincount(rows, weights=column, minlength=segments)
    return sums
