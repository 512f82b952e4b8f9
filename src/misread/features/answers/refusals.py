"""Share of answers that refuse to read."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from misread.metrics.base import Direction, Metric, ScoredText
from misread.text.refusals import is_refusal
from misread.types import IntArray


@dataclass(frozen=True)
class Refusals(Metric):
    """Share of answers that say, in English, German or French, that they are no reading ("I cannot read this image").

    Answers whose reference says so too are none: then it is what the document says.
    """

    columns = ("refusals", "answers")
    direction = Direction.LOWER_IS_BETTER

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2)."""
        refused = [
            is_refusal(hypothesis) and not is_refusal(reference)
            for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True)
        ]
        return np.stack([np.array(refused, np.int64), np.ones(len(refused), np.int64)], axis=-1)

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, normalizer."""
        return {"unit": "answer", "norm": norm}
