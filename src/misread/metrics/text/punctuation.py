"""Punctuation and case: rates without them, and errors of them alone."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

import numpy as np

from misread.alignment import PairedTexts
from misread.metrics.base import Direction, Kind, Metric, ScoredText
from misread.metrics.precision_recall import MatchScore, match_score
from misread.metrics.text.aligned_words import pairs_of, place_words
from misread.metrics.text.error_rate import ErrorRate
from misread.text.words import split_words
from misread.types import FloatArray, IntArray


class Word(NamedTuple):
    """A word without its punctuation, and the marks that it had, with those that stand alone after it."""

    core: str
    marks: tuple[str, ...]


@dataclass(frozen=True)
class PlainErrorRate(Metric):
    """Error rate without punctuation, without case, or without both, which belongs beside the one with them.

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
    kind = Kind.ERROR_RATE
    rate_columns = ("errors", "length")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 6)."""
        references, hypotheses = ([self._strip(text) for text in side] for side in (pairs.references, pairs.hypotheses))
        return ErrorRate(self.id, self.unit).count(ScoredText(references, hypotheses))

    def _strip(self, text: str) -> str:
        if self.without != "case":
            text = " ".join(core for word in split_words(text) if (core := _strip_word(word)[0]))
        return text if self.without == "punctuation" else text.casefold()

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule, what does not count."""
        return {"unit": self.unit, "norm": norm, "align": "unit", "without": self.without, "empty": "null"}


@dataclass(frozen=True)
class PunctuationMatch(Metric):
    """Precision, recall or F1 of punctuation marks, at words that are aligned without punctuation and case.

    A mark is right if the word that it stands at, or after, has it in both texts.

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
        counts = np.zeros((len(pairs.references), 3), np.int64)
        for (row, mark), of in count_marks(pairs).items():
            if not self.mark or mark == self.mark:
                counts[row] += of
        return counts

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 3) -> (...); NaN where neither side has a mark."""
        matches, reference, hypothesis = np.moveaxis(counts, -1, 0)
        scores = match_score(self.score, matches, reference, hypothesis)
        return np.where(reference + hypothesis > 0, scores, np.nan)

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
        counts = np.zeros((len(pairs.references), 2), np.int64)
        for row, one, other in _align(pairs):
            if one is not None and other is not None and one.core.casefold() == other.core.casefold():
                counts[row] += one.core != other.core, 1
        return counts

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "word", "norm": norm, "align": "unit-without-case"}


def count_marks(pairs: ScoredText) -> dict[tuple[int, str], list[int]]:
    """Matches, marks of the reference and of the hypothesis by segment and mark."""
    found: dict[tuple[int, str], list[int]] = {}
    for row, one, other in _align(pairs):
        expected, got = (Counter(word.marks if word else ()) for word in (one, other))
        for mark in expected | got:
            counts = found.setdefault((row, mark), [0, 0, 0])
            counts[0] += min(expected[mark], got[mark])
            counts[1] += expected[mark]
            counts[2] += got[mark]
    return found


def _align(pairs: ScoredText) -> list[tuple[int, Word | None, Word | None]]:
    """Words of both sides side by side, aligned without punctuation and case; None for no word."""
    sides = [[_split(text) for text in side] for side in (pairs.references, pairs.hypotheses)]
    cores = [[" ".join(word.core.casefold() for word in words) for words in side] for side in sides]
    flat = [[word for words in side for word in words] for side in sides]
    places = place_words(PairedTexts(*cores))
    numbers = ([str(number) for number in range(len(words))] for words in flat)
    return [
        (row, flat[0][int(one)] if one else None, flat[1][int(other)] if other else None)
        for row, one, other in pairs_of(places, *numbers)
    ]


# What stands before the first word of a text, which is aligned as a word is.
_NOTHING: Final = "\u2205"


def _split(text: str) -> Sequence[Word]:
    words: list[Word] = []
    for token in split_words(text):
        core, marks = _strip_word(token)
        if core or not words:
            words.append(Word(core or _NOTHING, marks))
        else:
            # A mark that stands alone belongs to the word before it.
            words[-1] = Word(words[-1].core, words[-1].marks + marks)
    return words


@lru_cache(maxsize=1 << 16)
def _strip_word(word: str) -> tuple[str, tuple[str, ...]]:
    """A word without punctuation, and the marks; those between two letters or digits stay."""
    kept: list[str] = []
    marks: list[str] = []
    for place, character in enumerate(word):
        inside = 0 < place < len(word) - 1 and word[place - 1].isalnum() and word[place + 1].isalnum()
        if _is_mark(character) and not inside:
            marks.append(character)
        else:
            kept.append(character)
    return "".join(kept), tuple(marks)


@cache
def _is_mark(character: str) -> bool:
    return unicodedata.category(character).startswith("P")
