"""Error rate of whole segments, the strictest of all scores."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from operator import ne

import numpy as np

from misread.alignment import PairedTexts
from misread.alignment.encode.inputs import check_texts
from misread.metrics.base import Direction, Metric, ScoredText
from misread.named_result import Record
from misread.types import IntArray


@dataclass(frozen=True)
class SegmentErrorRate(Metric):
    """Share of segments with any error at all: Evaluation Metrics (Thulium suite), "Sequence Error Rate"."""

    columns = ("wrong", "compared")
    direction = Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        return pairs.once(_count_wrong)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer."""
        return {"unit": "segment", "norm": norm}


def _count_wrong(texts: PairedTexts) -> IntArray:
    counts = np.ones((len(texts), 2), np.int64)
    counts[:, 0] = np.fromiter(map(ne, texts.references, texts.hypotheses), np.bool_, len(texts))
    return counts


@dataclass(frozen=True, slots=True)
class SentenceErrors(Record):
    """Numbers of sentences or lines with and without errors."""

    ser: float
    total_sentences: int
    error_sentences: int
    correct_sentences: int
    error_indices: list[int]


def sentence_error_rate(reference_sentences: Iterable[str], hypothesis_sentences: Iterable[str]) -> SentenceErrors:
    """Share of sentences or lines with any error, and their indexes.

    Sentences are paired by position and compared without white space at their ends; a missing one is empty.

    Parameters
    ----------
    reference_sentences, hypothesis_sentences : iterable of str
        In reading order.

    Returns
    -------
    SentenceErrors
        `ser` is a fraction, 0 where there is no sentence; `error_indices` count from 0.

    Raises
    ------
    InputTypeError
        If a side is not a list of texts; names the side and the index.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 1.3 (which prints per cent and puts the hypothesis first).

    Examples
    --------
    >>> sentence_error_rate(["TOTAL: $150.00", "DATE"], ["TOTAL: $15O.OO", "DATE "]).error_indices
    [0]
    """
    references = check_texts("reference_sentences", reference_sentences, function_for_one="ser")
    hypotheses = check_texts("hypothesis_sentences", hypothesis_sentences, function_for_one="ser")
    pairs = zip_longest(references, hypotheses, fillvalue="")
    wrong = [index for index, (reference, hypothesis) in enumerate(pairs) if reference.strip() != hypothesis.strip()]
    total = max(len(references), len(hypotheses))
    return SentenceErrors(len(wrong) / total if total else 0.0, total, len(wrong), total - len(wrong), wrong)
