"""Pairs of texts that are one line each, which need not be split to be compared by lines."""

import numpy as np

from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.kernels import lines as kernels
from misread.types import BoolArray


def are_single_lines(texts: PairedTexts) -> BoolArray:
    """Compare the texts of all pairs that have one line at most, with or without a line feed at its end.

    Shape (pairs, 4): whether both sides have a line and they are equal; whether the reference has one; whether the
    hypothesis has one; and whether a side has more than one line or a carriage return, so that the first three are
    meaningless.
    """
    flags = np.empty(len(texts), np.uint8)
    for batch, pairs in texts.encode("char"):
        flags[batch] = kernels.compare_lines(pairs.sides)
    kinds = np.array([kernels.EQUAL, kernels.REFERENCE, kernels.HYPOTHESIS, kernels.OTHER], np.uint8)
    lines: BoolArray = flags[:, np.newaxis] & kinds != 0
    return lines
