"""Words that both sides have in the same order."""

from __future__ import annotations

from typing import Final

import numpy as np

from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.kernels import weighted
from misread.alignment.kernels.weighted import Weighting
from misread.alignment.policies import weigh_pairs
from misread.alignment.unit_costs import count_with_unit_costs
from misread.types import IntArray

_COST: Final = 2
# A substitution costs a deletion and an insertion, so that only hits count.
_HITS_ALONE: Final = Weighting((0, 2 << _COST, 1 << _COST, 1 << _COST, weighted.NEVER), shift=0, strip_prefix=True)


def count_common_words(texts: PairedTexts) -> IntArray:
    """Length of the longest common subsequence of words, and words of both sides, shape (pairs, 3).

    It has as many words as an alignment without substitutions has hits, which may be more than the one with the fewest
    errors has. Raises TooDifferentError, which names the pair, if both texts are too long. Wagner and Fischer (1974).
    """
    found = np.empty((len(texts), 3), np.int64)
    for batch, pairs in texts.encode("word"):
        _, substitutions, deletions, insertions = count_with_unit_costs(pairs)
        budgets = 2 * substitutions + deletions + insertions
        cost = weigh_pairs(pairs, budgets, _HITS_ALONE) >> _COST
        lengths = [side.lengths for side in (pairs.references, pairs.hypotheses)]
        common = (lengths[0] + lengths[1] - cost) // 2
        found[batch] = np.stack([common, *lengths], axis=-1) + np.asarray(pairs.shared)[..., np.newaxis]
    return found
