"""Punctuation and case: rates without them, and errors of them alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from misread.alignment import PairedTexts
from misread.features.punctuation.marked_words import (
    MarkedWords,
    WordPlaces,
    fold_case,
    join_texts,
    place_words,
    split_texts,
    strip_marks,
    take_marks,
)
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.metrics.precision_recall import MatchScore, match_score
from misread.text.words import split_words
from misread.types import FloatArray, IntArray

# Above every code point: a place and a mark as one number.
_MARK_BITS: Final = 21


class Marks(NamedTuple):
    """Marks of aligned words: segment and code point, how many are right, and how many there are on each side."""

    rows: IntArray
    codes: IntArray
    counts: IntArray  # shape (marks, 3)


@dataclass(frozen=True)
class PlainErrorRate(Metric):
    """Error rate without punctuation, without case, or without both; report it with the plain one.

    Parameters
    ----------
    unit : {"char", "word"}
        What is aligned.
    without : {"punctuation", "case", "both"}
        Punctuation: characters of the categories P of Unicode, but those between two letters or digits ("don't",
        "3.5"). Case: texts are compared by their case folding.
    """

    unit: Literal["char", "word"]
    without: Literal["punctuation", "case", "both"]

    columns = ErrorRate("wer", "word").columns
    direction = Direction.LOWER_IS_BETTER
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        references, hypotheses = (self._strip(side) for side in (pairs.references, pairs.hypotheses))
        return ErrorRate(self.id, self.unit).count(ScoredText(references, hypotheses))

    def _strip(self, texts: Sequence[str]) -> Sequence[str]:
        joined = join_texts(texts) if self.without == "case" else strip_marks(texts)
        stripped: Sequence[str] = split_texts(joined if self.without == "punctuation" else fold_case(joined))
        if self.unit == "char" and self.without != "case":
            # Where a mark stood alone, white space is left.
            stripped = [" ".join(split_words(text)) for text in stripped]
        return stripped

    @property
    def counted(self) -> str:
        """Errors in the unit, and what does not count."""
        return f"{super().counted} apart from {'punctuation and case' if self.without == 'both' else self.without}"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, what does not count."""
        return {"unit": self.unit, "norm": norm, "align": "unit", "without": self.without, "empty": "null"}


@dataclass(frozen=True)
class PunctuationMatch(Metric):
    """Precision, recall or F1 of punctuation marks, at words that are aligned without punctuation and case.

    A mark is right if the word that it is at, or after, has it in both texts.

    Parameters
    ----------
    score : {"precision", "recall", "f1"}
        Which of them.
    mark : str, optional
        One mark, such as ","; all by default.
    """

    score: MatchScore = "f1"
    mark: str = ""

    columns = ("matches", "reference_marks", "hypothesis_marks")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 3)."""
        marks = count_marks(pairs)
        wanted = marks.codes == ord(self.mark) if self.mark else np.ones(len(marks.codes), np.bool_)
        rows, segments = marks.rows[wanted], len(pairs.references)
        sums = [np.bincount(rows, column, segments) for column in marks.counts[wanted].T]
        return np.stack(sums, axis=-1).astype(np.int64)

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 3) -> (...); NaN where neither side has a mark."""
        matches, reference, hypothesis = np.moveaxis(counts, -1, 0)
        scores = match_score(self.score, matches, reference, hypothesis)
        return np.where(reference + hypothesis > 0, scores, np.nan)

    @property
    def is_ratio(self) -> bool:
        """Whether its denominator is of the reference alone, and so the same for every system."""
        return self.score == "recall"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": f"mark-{self.mark}" if self.mark else "mark", "norm": norm, "align": "words"}


@dataclass(frozen=True)
class CaseErrorRate(Metric):
    """Share of words with wrong case among those that are otherwise equal, without their punctuation."""

    columns = ("wrong_case", "equal_words")
    direction = Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        references, hypotheses, places = _align(pairs)
        hits, segments = np.flatnonzero(places.hits), len(pairs.references)
        wrong = _differ_in_case(references, hypotheses, places, hits)
        counts = [np.bincount(places.rows[operations], minlength=segments) for operations in (wrong, hits)]
        return np.stack(counts, axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "word", "norm": norm, "align": "unit-without-case"}


def _differ_in_case(references: MarkedWords, hypotheses: MarkedWords, places: WordPlaces, hits: IntArray) -> IntArray:
    """Those of the hits whose words are not equal."""
    sides = (references, places.references), (hypotheses, places.hypotheses)
    capitals = [cased for side, _ in sides if (cased := side.capitals()) is not None]
    if len(capitals) < len(sides):
        import pyarrow.compute as pc

        words, others = (side.take(positions[hits]) for side, positions in sides)
        differing: IntArray = hits[pc.not_equal(words, others).to_numpy(zero_copy_only=False)]
        return differing
    # Words that are equal without case are equal if they have the same capitals at the same places.
    parts = []
    for cased, (_, positions) in zip(capitals, sides, strict=True):
        operation_of = np.full(int(positions.max(initial=-1)) + 1, -1)
        operation_of[positions[hits]] = hits
        operations = operation_of[cased.words]
        parts.append(np.stack([operations, cased.places, cased.codes])[:, operations >= 0])
    return _unpaired(*parts)


def _unpaired(first: IntArray, second: IntArray) -> IntArray:
    """First row of the columns that only one side has, each once, ascending."""
    both = np.concatenate([first, second], axis=1)
    both = both[:, np.lexsort(both[::-1])]
    # Each side has a place once, so that equal columns are a pair.
    is_equal = (both[:, 1:] == both[:, :-1]).all(axis=0)
    is_paired = np.zeros(both.shape[1], np.bool_)
    is_paired[1:] |= is_equal
    is_paired[:-1] |= is_equal
    return np.unique(both[0, ~is_paired])


def count_marks(pairs: ScoredText) -> Marks:
    """Count marks of every aligned word that are right, and those of either side."""
    references, hypotheses, places = _align(pairs)
    keys = [
        _keys(side, words, len(places.rows))
        for side, words in ((references, places.references), (hypotheses, places.hypotheses))
    ]
    every = np.unique(np.concatenate(keys))
    counts = [np.bincount(np.searchsorted(every, side), minlength=len(every)) for side in keys]
    rows = places.rows[every >> _MARK_BITS]
    codes: IntArray = every & ((1 << _MARK_BITS) - 1)
    return Marks(rows, codes, np.stack([np.minimum(*counts), *counts], axis=-1))


def _keys(side: MarkedWords, words: IntArray, operations: int) -> IntArray:
    """Operation and mark of every mark of a side as one number."""
    has_word = words >= 0
    operation_of = np.zeros(int(has_word.sum()), np.int64)
    operation_of[words[has_word]] = np.arange(operations)[has_word]
    keys: IntArray = operation_of[side.mark_words] << _MARK_BITS | side.marks.astype(np.int64)
    return keys


def _align(pairs: ScoredText) -> tuple[MarkedWords, MarkedWords, WordPlaces]:
    """Words of both sides, aligned without punctuation and case."""
    references, hypotheses = (take_marks(side) for side in (pairs.references, pairs.hypotheses))
    return references, hypotheses, place_words(PairedTexts(references.folded, hypotheses.folded))
