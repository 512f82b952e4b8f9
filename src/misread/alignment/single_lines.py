"""Pairs of texts that are one line each, which need not be split to be compared by lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from misread.alignment import line_kernels as kernels
from misread.alignment.encode import encode_batches
from misread.alignment.inputs import Texts, check_pairs
from misread.arrays import BoolArray


@dataclass(frozen=True, slots=True, eq=False)
class SingleLines:
    """Lines of every pair: bool arrays with one entry a pair, which mean nothing where `others` is set.

    Attributes
    ----------
    references, hypotheses : bool array, shape (pairs,)
        Whether that side has a line.
    equal : bool array, shape (pairs,)
        Whether both sides have one and they are equal.
    others : bool array, shape (pairs,)
        Pairs of which a side has more than one line or a carriage return.
    """

    references: BoolArray
    hypotheses: BoolArray
    equal: BoolArray
    others: BoolArray


def single_lines(references: Texts, hypotheses: Texts) -> SingleLines:
    r"""Compare the texts of all pairs that have one line at most, with or without a line feed at its end.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        As in `error_counts`.

    Returns
    -------
    SingleLines

    Raises
    ------
    LengthMismatchError, InputTextError
        As in `error_counts`.

    Examples
    --------
    >>> single_lines(["one\n", "", "a\nb"], ["one", "two", "a\nb"]).equal
    array([ True, False, False])
    """
    texts = check_pairs(references, hypotheses)
    flags = np.empty(len(texts[0]), np.uint8)
    for batch, pairs in encode_batches(*texts, "char"):
        flags[batch] = kernels.compare_lines(
            pairs.references.codes, pairs.references.spans, pairs.hypotheses.codes, pairs.hypotheses.spans
        )
    kinds = (kernels.REFERENCE, kernels.HYPOTHESIS, kernels.EQUAL, kernels.OTHER)
    return SingleLines(*(flags & kind != 0 for kind in kinds))
