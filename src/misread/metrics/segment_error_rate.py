"""Error rate of whole segments, the strictest of all scores."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from operator import ne

import numpy as np

from misread.alignment import PairedTexts
from misread.alignment.alternatives import LatticeAlignment
from misread.alignment.encode.inputs import check_texts
from misread.metrics.base import Direction, Metric, ScoredText
from misread.metrics.error_rate import ErrorRate
from misread.named_result import Record
from misread.types import IntArray


@dataclass(frozen=True)
class SegmentErrorRate(Metric):
    """Share of segments with any error at all: Evaluation Metrics (Thulium suite), "Sequence Error Rate".

    Parameters
    ----------
    alignment : {"unit", "sclite"}
        Of texts with alternatives, by which costs of words the reading is chosen, as of a word error rate: "sclite" for
        the sentence errors of NIST's sclite.
    """

    alignment: LatticeAlignment = "unit"

    columns = ("wrong", "compared")
    direction = Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        if pairs.written is None or not self.chooses_readings:
            return pairs.once(_count_wrong)
        errors = ErrorRate(self.id, "word", self.alignment).count(pairs)[:, 0]
        return np.stack([errors > 0, np.ones_like(errors)], axis=-1, dtype=np.int64, casting="unsafe")

    @property
    def chooses_readings(self) -> bool:
        """Whether it aligns texts with alternatives itself: as sclite does."""
        return self.alignment == "sclite"

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer, alignment rule of alternatives."""
        return {"unit": "segment", "norm": norm, **({"align": self.alignment} if self.chooses_readings else {})}


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
