"""Numbers of pairs of texts that need no alignment."""

import numpy as np

from misread.alignment.encode.graphemes import may_join
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.encode.texts import EncodedTexts
from misread.alignment.kernels.kinds import CARRIAGE_RETURN, EQUAL, HYPOTHESIS, OTHER, REFERENCE
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


def pairs_from(texts: PairedTexts, character: str) -> BoolArray:
    """Tell which pairs have a character from this one on, in the order of code points; shape (pairs,)."""
    have = np.zeros(len(texts), np.bool_)
    for batch, pairs in texts.encode("char"):
        for side in (pairs.references, pairs.hypotheses):
            # What lies between two texts is U+0000.
            have[batch][_rows_of(side, np.flatnonzero(side.codes >= ord(character)))] = True
    return have


def _rows_that_join(side: EncodedTexts) -> IntArray:
    # Of the characters of one byte CR joins alone: one comparison instead of a look-up each.
    joins = side.codes == CARRIAGE_RETURN if side.codes.itemsize == 1 else may_join()[side.codes]
    return _rows_of(side, np.flatnonzero(joins))


def _rows_of(side: EncodedTexts, places: IntArray) -> IntArray:
    """Indexes of the texts that these positions are in."""
    rows: IntArray = np.searchsorted(side.spans[:, 0], places, side="right") - 1
    return rows


def are_single_lines(texts: PairedTexts) -> BoolArray:
    """Compare the texts of all pairs that have one line at most, with or without a line feed at its end.

    Shape (pairs, 4): whether both sides have a line and they are equal; whether the reference has one; whether the
    hypothesis has one; and whether a side has more than one line or a carriage return, so that the first three are
    meaningless.
    """
    from misread.alignment.kernels.lines import compare_lines

    flags = np.empty(len(texts), np.uint8)
    for batch, pairs in texts.encode("char"):
        flags[batch] = compare_lines(pairs.sides)
    kinds = np.array([EQUAL, REFERENCE, HYPOTHESIS, OTHER], np.uint8)
    has_flag: BoolArray = flags & kinds[:, np.newaxis] != 0
    # Each column in one piece, as metrics look at it.
    return has_flag.T


def word_bags(texts: PairedTexts) -> IntArray:
    """Count the words that both sides of every pair have, without their order, and at the same position.

    Shape (pairs, 7): matches, words of the reference and of the hypothesis as multisets, where a match is a word of
    both, as often as on the side that has it less often; then the same as sets, where each word counts once; last the
    words that are equal at their position, counted from the first.
    """
    from misread.alignment.kernels.word_bags import count_bags

    counts = np.empty((len(texts), 7), np.int64)
    for batch, pairs in texts.encode("char"):
        counts[batch] = count_bags(pairs.sides)
    return counts
