"""Tokens (words) recognized: in their order, at their position, or as sets and multisets."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from misread.alignment import Texts, word_bags
from misread.alignment.encode.inputs import check_texts
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.kernels import weighted
from misread.alignment.kernels.weighted import Weighting
from misread.alignment.policies import weigh_pairs
from misread.alignment.unit_costs import count_with_unit_costs
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

    @property
    def is_ratio(self) -> bool:
        """Whether its denominator is of the reference alone, and so the same for every system."""
        return self.score == "recall"

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
    """Word errors that remain when order does not count: (max(N, P) - matches) / N.

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
    """Word errors that vanish when order does not count: word error rate less bag-of-words error.

    The rest of the word error rate are words that were misread, left out or added. A segment without a word read
    has no order, and its words do not count in the length.
    """

    columns = ("out_of_order", "reference_words", "errors", "misplaced")
    direction = Direction.LOWER_IS_BETTER
    bounds = (0.0, math.inf)
    rate_columns = ("out_of_order", "reference_words")
    undefined_reason = "too few words were read"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 4)."""
        errors = ErrorRate(self.id, "word", text=self.text).count(pairs)[:, 0]
        misplaced, words = BagOfWordsError(self.id, text=self.text).count(pairs).T
        has_order = pairs.once(word_bags)[:, 0] > 0
        return np.stack([errors - misplaced, np.where(has_order, words, 0), errors, misplaced], axis=-1)

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether words were read, and their order costs nothing, or there is nothing to read."""
        exact: BoolArray = (counts[:, 0] == 0) & ((counts[:, 1] > 0) | (counts[:, 2] == 0))
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
    >>> hypothesis = "Invoice Number INV-2024-OO1 Total Amount $150.00"
    >>> token_accuracy("Invoice Number INV-2024-001 Total Amount $150.00", hypothesis).token_f1
    0.8333333333333334
    """
    reference_tokens, hypothesis_tokens = _tokens("reference", reference), _tokens("hypothesis", hypothesis)
    correct, reference_set, hypothesis_set = _count_shared(reference_tokens, hypothesis_tokens, "set")
    shared, reference_total, hypothesis_total = _count_shared(reference_tokens, hypothesis_tokens, "multiset")
    equal, positions = _count_equal(reference_tokens, hypothesis_tokens)
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
    equal = sum(token == other_token for token, other_token in zip(reference, hypothesis, strict=False))
    return equal, max(len(reference), len(hypothesis))


_COST: Final = 2
# A substitution costs a deletion and an insertion, so that only hits count.
_HITS_ALONE: Final = Weighting((0, 2 << _COST, 1 << _COST, 1 << _COST, weighted.NEVER), shift=0, strip_prefix=True)


def count_common_words(texts: PairedTexts) -> IntArray:
    """Length of the longest common subsequence of words, and words of both sides, shape (pairs, 3).

    Its length is the number of hits of an alignment without substitutions, which may be above that of the alignment
    with the fewest errors. Raises TooDifferentError, which names the pair, if both texts are too long. Wagner and
    Fischer (1974).
    """
    counts = np.empty((len(texts), 3), np.int64)
    for batch, pairs in texts.encode("word"):
        _, substitutions, deletions, insertions = count_with_unit_costs(pairs)
        budgets = 2 * substitutions + deletions + insertions
        cost = weigh_pairs(pairs, budgets, _HITS_ALONE) >> _COST
        lengths = [side.lengths for side in (pairs.references, pairs.hypotheses)]
        common = (lengths[0] + lengths[1] - cost) // 2
        counts[batch] = np.stack([common, *lengths], axis=-1) + np.asarray(pairs.shared)[..., np.newaxis]
    return counts


@dataclass(frozen=True)
class WordAccuracy(Metric):
    """Share of the words of the reference that are in a longest common subsequence of the words of both sides.

    Words that were added cost nothing, and a word read for another counts as not found: this is not the complement of
    the word error rate.

    References
    ----------
    Rice (1996), Measuring the accuracy of page-reading systems, dissertation, University of Nevada, Las Vegas: the word
    accuracy of ISRI's tools, with the tokens of the regime `isri`.
    """

    columns = ("found", "reference_words")
    unit = "word"

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        return pairs.once(count_common_words)[:, :2]

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule."""
        return {"unit": "word", "norm": norm, "align": "longest-common-subsequence"}
