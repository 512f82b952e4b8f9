"""Words of both sides side by side, operation by operation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from misread.alignment import PairedTexts, paired_operations
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.types import BoolArray, IntArray


class WordPlaces(NamedTuple):
    """Of each operation of an alignment of words: its pair, its word of either side (-1 for none), whether it is a hit.

    Words are counted over all texts of a side.
    """

    rows: IntArray
    references: IntArray
    hypotheses: IntArray
    hits: BoolArray


def place_words(texts: PairedTexts) -> WordPlaces:
    """Places of all operations of the alignment with unit costs."""
    found = paired_operations(texts, unit="word")
    codes = found.codes
    rows = np.repeat(np.arange(len(found)), np.diff(found.offsets))
    sides = []
    for missing in (INSERTION, DELETION):
        is_there = codes != missing
        sides.append(np.where(is_there, np.cumsum(is_there) - 1, -1))
    return WordPlaces(rows, sides[0], sides[1], codes == HIT)
