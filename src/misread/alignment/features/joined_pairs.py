"""Pairs of texts in which a grapheme may be more than a character."""

import numpy as np

from misread.alignment.encode.graphemes import may_join
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.encode.texts import EncodedTexts
from misread.alignment.kernels.lines import CARRIAGE_RETURN
from misread.types import BoolArray, IntArray


def joined_pairs(texts: PairedTexts) -> BoolArray:
    """Tell which pairs have a character that may be part of a longer grapheme, or equal to another character (NFC).

    The graphemes of all other pairs are their characters, and so are their counts.
    """
    joined = np.zeros(len(texts), np.bool_)
    for batch, pairs in texts.encode("char"):
        for side in (pairs.references, pairs.hypotheses):
            joined[batch][_rows_that_join(side)] = True
    return joined


def _rows_that_join(side: EncodedTexts) -> IntArray:
    # Of the characters of one byte CR joins alone: one comparison instead of a look-up each.
    joins = side.codes == CARRIAGE_RETURN if side.codes.itemsize == 1 else may_join()[side.codes]
    places = np.flatnonzero(joins)
    # The separators between texts do not join.
    rows: IntArray = np.searchsorted(side.spans[:, 0], places, side="right") - 1
    return rows
