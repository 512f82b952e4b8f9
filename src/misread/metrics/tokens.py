"""Tokens (words) found, whatever their order or how often."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from misread.alignment import Texts, word_bags
from misread.alignment.encode.inputs import check_texts
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.metrics.precision_recall import MatchScore, match_score, precision_recall_f1
from misread.named_result import Record
from misread.text.words import split_words
from misread.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class TokenMatch(Metric):
    """Precision, recall or F1 of the tokens of a segment, as a set or as a multiset; order does not count.

    OCR Benchmarking Metrics Specification, section 1.4 (sets).
    """

    score: MatchScore = "f1"
    repeats: Literal["set", "multiset"] = "set"

    columns = ("matches", "reference_tokens", "hypothesis_tokens")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 3)."""
        bags = pairs.once(word_bags)
        return bags[:, 3:6] if self.repeats == "set" else bags[:, :3]

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 3) -> (...); 0 where a side without tokens leaves it undefined."""
        return match_score(self.score, *np.moveaxis(counts, -1, 0))

    def quotient(self, counts: IntArray) -> tuple[IntArray, IntArray] | None:
        """Recall alone has a denominator that is the same for every system, that of the reference."""
        return (counts[..., 0], counts[..., 1]) if self.score == "recall" else None

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "word", "norm": norm, "align": self.repeats}


@dataclass(frozen=True)
class TokenPositions(Metric):
    """Share of positions at which the tokens are equal; there are as many as the longer side has tokens.

    OCR Benchmarking Metrics Specification, section 1.4 ("Exact Match Rate").
    """

    columns = ("equal", "positions")
    # Neither side has a token.
    undefined = 0.0

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        bags = pairs.once(word_bags)
        return np.stack([bags[:, 6], np.maximum(bags[:, 1], bags[:, 2])], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "word", "norm": norm, "align": "first"}


@dataclass(frozen=True)
class BagOfWordsError(Metric):
    """Word errors that are left when order does not count: (max(N, P) - matches) / N.

    With N words of the reference, P of the hypothesis, and matches of their multisets; never above the word error
    rate. The difference of the two is what reading order costs. Clausner, Pletschacher & Antonacopoulos (2020),
    Flexible character accuracy measure for reading-order-independent evaluation.
    """

    columns = ("misplaced", "reference_words")
    direction = Direction.LOWER_IS_BETTER
    # Words that are too many.
    bounds = (0.0, math.inf)

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        bags = pairs.once(word_bags)
        misplaced = np.maximum(bags[:, 1], bags[:, 2]) - bags[:, 0]
        return np.stack([misplaced, bags[:, 1]], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "word", "norm": norm, "align": "multiset"}


@dataclass(frozen=True)
class OrderErrorRate(Metric):
    """Word errors that are gone where order does not count: word error rate less bag-of-words error.

    What it leaves of the word error rate are words that were misread, left out or added.
    """

    columns = ("out_of_order", "reference_words", "errors", "misplaced")
    direction = Direction.LOWER_IS_BETTER
    bounds = (0.0, math.inf)
    rate_columns = ("out_of_order", "reference_words")

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 4)."""
        errors = ErrorRate(self.id, "word", text=self.text).count(pairs)
        bag = BagOfWordsError(self.id, text=self.text).count(pairs)
        return np.stack([errors[:, 0] - bag[:, 0], bag[:, 1], errors[:, 0], bag[:, 0]], axis=-1)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether order costs nothing."""
        exact: BoolArray = counts[:, 0] == 0
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, pairing."""
        return {"unit": "word", "norm": norm, "align": "unit-less-multiset"}


@dataclass(frozen=True, slots=True)
class TokenAccuracy(Record):
    """Token scores of one pair, all fractions; `multiset_*` count repeats, the others are on sets."""

    exact_match_rate: float
    token_precision: float
    token_recall: float
    token_f1: float
    correct_tokens: int
    total_gt_tokens: int
    total_pred_tokens: int
    multiset_precision: float
    multiset_recall: float
    multiset_f1: float


def token_accuracy(reference: Texts, hypothesis: Texts) -> TokenAccuracy:
    """Precision, recall and F1 of tokens, and the share of positions with equal tokens.

    Parameters
    ----------
    reference, hypothesis : str or iterable of str
        Texts, split at white space, or tokens.

    Returns
    -------
    TokenAccuracy
        `correct_tokens` are distinct tokens on both sides, the totals count repeats; a score without a denominator
        is 0.

    Raises
    ------
    InputTypeError
        If a side is neither a text nor a list of tokens; names the side and the index.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 1.4 (whose printed 0.857 is 5/6).

    Examples
    --------
    >>> found = "Invoice Number INV-2024-OO1 Total Amount $150.00"
    >>> token_accuracy("Invoice Number INV-2024-001 Total Amount $150.00", found).token_f1
    0.8333333333333334
    """
    expected, found = _tokens("reference", reference), _tokens("hypothesis", hypothesis)
    correct, reference_set, hypothesis_set = _count_shared(expected, found, "set")
    shared, reference_total, hypothesis_total = _count_shared(expected, found, "multiset")
    equal, positions = _count_equal(expected, found)
    as_set = precision_recall_f1(correct, hypothesis_set - correct, reference_set - correct)
    as_multiset = precision_recall_f1(shared, hypothesis_total - shared, reference_total - shared)
    return TokenAccuracy(
        equal / positions if positions else 0.0, *as_set, correct, reference_total, hypothesis_total, *as_multiset
    )


def _tokens(name: str, side: Texts) -> Sequence[str]:
    return split_words(side) if isinstance(side, str) else check_texts(name, side)


def _count_shared(
    reference: Sequence[str], hypothesis: Sequence[str], repeats: Literal["set", "multiset"]
) -> tuple[int, int, int]:
    """Count shared tokens, tokens of the reference and tokens of the hypothesis."""
    if repeats == "set":
        return len({*reference} & {*hypothesis}), len({*reference}), len({*hypothesis})
    return sum((Counter(reference) & Counter(hypothesis)).values()), len(reference), len(hypothesis)


def _count_equal(reference: Sequence[str], hypothesis: Sequence[str]) -> tuple[int, int]:
    """Count positions with equal tokens, and all positions."""
    equal = sum(one == other for one, other in zip(reference, hypothesis, strict=False))
    return equal, max(len(reference), len(hypothesis))
