"""Average normalized Levenshtein similarity (ANLS) of answers to questions about documents."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

import numpy as np

from misread.alignment import Texts, distances
from misread.alignment.encode.inputs import check_text, check_texts
from misread.errors import AnswerError, ConfigurationError
from misread.io.checks.numbers import check_number
from misread.normalize import get_normalizer
from misread.types import FloatArray

ANLS_THRESHOLD: Final = 0.5
"""Normalized distance from which an answer counts as wrong, as in the paper."""


def anls(reference: Texts, hypothesis: str, *, threshold: float = ANLS_THRESHOLD) -> float:
    """Normalized Levenshtein similarity of an answer to the nearest accepted one; 0 if all are too far away.

    With NL the edit distance over the length of the longer text, it is 1 - NL if NL is below the threshold, else 0. Its
    mean over questions is ANLS. Both sides are compared without case and with white space collapsed.

    Parameters
    ----------
    reference : str or iterable of str
        Accepted answers, at least one.
    hypothesis : str
        The answer.
    threshold : float
        Inside (0, 1].

    Returns
    -------
    float
        Fraction, 1 is perfect.

    Raises
    ------
    InputTypeError
        If the hypothesis is not one text, an accepted answer is not a text, or the threshold is not a number.
    AnswerError
        If there is no accepted answer.
    ConfigurationError
        If the threshold is out of range.

    References
    ----------
    Biten et al. (2019), Scene Text Visual Question Answering, ICCV, section 4.1; Mathew, Karatzas & Jawahar (2021),
    DocVQA, WACV.

    Examples
    --------
    >>> anls(["INV-2024-001"], "INV-2024-OO1")
    0.8333333333333334
    >>> anls(["12 May", "May 12"], "may 12"), anls("yes", "no")
    (1.0, 0.0)
    """
    accepted = [reference] if isinstance(reference, str) else check_texts("reference", reference)
    answer = check_text("hypothesis", hypothesis)
    return float(answer_similarities([accepted], [answer], threshold=threshold)[0])


def answer_similarities(
    references: Sequence[Sequence[str]], hypotheses: Sequence[str], *, threshold: float = ANLS_THRESHOLD
) -> FloatArray:
    """As `anls`, for many questions, each with its accepted answers; shape (questions,)."""
    if not 0 < check_number("threshold", threshold) <= 1:
        raise ConfigurationError(f"the threshold of ANLS is {threshold}, expected a number above 0, 1 at most.")
    if not all(references):
        raise AnswerError("a question has no accepted answer, expected at least one.")
    if not references:
        return np.zeros(0)
    collapse = get_normalizer("lower")
    accepted = [collapse(text) for texts in references for text in texts]
    answers = [collapse(text) for texts, text in zip(references, hypotheses, strict=True) for _ in texts]
    longer = np.array([max(1, len(expected), len(answer)) for expected, answer in zip(accepted, answers, strict=True)])
    distance = distances(accepted, answers) / longer
    similarity = np.where(distance < threshold, 1 - distance, 0.0)
    starts = [0, *accumulate(len(texts) for texts in references[:-1])]
    return np.maximum.reduceat(similarity, starts)
