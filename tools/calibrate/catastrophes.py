"""Two systems of equal expected rates, one of which is better on nearly every page and fails on a few."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from misread.stats import sign_flip
from misread.types import IntArray
from tools.calibrate.outcomes import ALPHA

USUAL_RATE, HARDNESS = 0.10, 0.5
"""Error probability of a word in the median, and standard deviation between pages on the log scale."""

WORDS = 200
"""Of a page."""

GAIN = 0.2
"""Share of the errors that the second system does not make on a page on which it does not fail."""


@dataclass(frozen=True)
class RareCatastrophes:
    """Distribution of samples.

    Attributes
    ----------
    pages : int
    share : float
        Of pages on which the output of the second system runs on, for so long that both expected rates are equal.
    """

    pages: int
    share: float

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Draw the errors of both systems, shape (2, pages)."""
        expected = WORDS * USUAL_RATE * np.exp(rng.normal(0, HARDNESS, self.pages))
        too_many = WORDS * USUAL_RATE * math.exp(HARDNESS**2 / 2) * GAIN / self.share
        fails = rng.random(self.pages) < self.share
        second = rng.poisson((1 - GAIN) * expected) + np.where(fails, rng.poisson(too_many, self.pages), 0)
        return np.stack([rng.poisson(expected), second])


def is_called_better(errors: IntArray) -> bool:
    """Whether the deciding test calls the second system significantly better."""
    differences = errors[1] - errors[0]
    test = sign_flip(differences, length=WORDS * len(differences), resamples=999, seed=1, alpha=ALPHA)
    return test.pvalue < ALPHA and int(differences.sum()) < 0
