"""Words that both sides of a pair have, in whatever order."""

import numpy as np

from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.kernels.word_bags import count_bags
from misread.types import IntArray


def word_bags(texts: PairedTexts) -> IntArray:
    """Count the words that both sides of every pair have, without their order, and at the same position.

    Shape (pairs, 7): matches, words of the reference and of the hypothesis as multisets, where a match is a word of
    both, as often as on the side that has it less often; then the same as sets, where each word counts once; last the
    words that are equal at their position, counted from the first.
    """
    counts = np.empty((len(texts), 7), np.int64)
    for batch, pairs in texts.encode("char"):
        counts[batch] = count_bags(pairs.sides)
    return counts
