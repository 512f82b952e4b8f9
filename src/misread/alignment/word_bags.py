"""Words that both sides of a pair have, in whatever order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misread.alignment.bag_kernels import count_bags
from misread.alignment.encode import encode_batches
from misread.alignment.inputs import Texts, check_pairs
from misread.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class WordBags:
    """Words of every pair as multisets and as sets: int64 arrays with one entry a pair.

    Matches are the words of the intersection, each as often as on the side that has it less often; the distinct ones
    once each.
    """

    matches: IntArray
    reference_words: IntArray
    hypothesis_words: IntArray
    distinct_matches: IntArray
    distinct_reference_words: IntArray
    distinct_hypothesis_words: IntArray

    def __len__(self) -> int:
        return len(self.matches)


def word_bags(references: Texts, hypotheses: Texts) -> WordBags:
    """Count the words that both sides of every pair have, without their order.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        As in `error_counts`; words are those of its unit "word".

    Returns
    -------
    WordBags
        Arrays of shape (pairs,).

    Raises
    ------
    LengthMismatchError, InputTextError
        As in `error_counts`.

    Examples
    --------
    >>> bags = word_bags("a a b", "b a c a a")
    >>> bags.matches, bags.hypothesis_words, bags.distinct_matches
    (array([3]), array([5]), array([2]))
    """
    texts = check_pairs(references, hypotheses)
    counts = np.empty((6, len(texts[0])), np.int64)
    for batch, pairs in encode_batches(*texts, "char"):
        counts[:, batch] = count_bags(
            pairs.references.codes, pairs.references.spans, pairs.hypotheses.codes, pairs.hypotheses.spans
        )
    return WordBags(*counts)
