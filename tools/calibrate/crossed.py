"""Simulated readings of every text by every reader: both are clusters, and both are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from misread.data.segment_table import SegmentKeys
from misread.sockets import METRICS
from misread.stats import StatisticsSettings
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.shared_segments import SharedSegments
from misread.tally.scores import Counts
from tools.calibrate.outcomes import CONFIDENCE, Coverage
from tools.calibrate.populations import RESAMPLES

USUAL_RATE = 0.10
SHORTEST, LONGEST = 20, 80
_WER = METRICS["wer"]
_SYSTEMS = ("first", "second")


@dataclass(frozen=True)
class CrossedClusters:
    """Distribution of samples of two equally good systems; all deviations are standard ones, on the log scale.

    Attributes
    ----------
    texts, readers : int
        Every reader reads every text once.
    hardness : float
        Of texts, and of readers, for both systems alike.
    own : float
        Between texts, and between readers, in which system is better.
    residual : float
        Of a reading.
    """

    texts: int
    readers: int
    hardness: float = 0.4
    own: float = 0.2
    residual: float = 0.2

    def draw(self, rng: np.random.Generator) -> SharedSegments:
        """Draw a sample: a segment for each reading, whose cluster is the text."""
        cells = (self.texts, self.readers)
        lengths = rng.integers(SHORTEST, LONGEST + 1, cells)
        log = math.log(USUAL_RATE) + rng.normal(0, self.hardness, (self.texts, 1))
        log = log + rng.normal(0, self.hardness, self.readers)
        log = log + rng.normal(0, self.own / math.sqrt(2), (2, self.texts, 1))
        log = log + rng.normal(0, self.own / math.sqrt(2), (2, 1, self.readers))
        log = log + rng.normal(0, self.residual, (2, *cells))
        counts = np.zeros((2, self.texts * self.readers, len(_WER.columns)), dtype=np.int64)
        counts[..., _WER.columns.index("errors")] = rng.poisson(lengths * np.exp(log)).reshape(2, -1)
        counts[..., _WER.columns.index("length")] = lengths.ravel()
        texts = np.repeat(np.arange(self.texts), self.readers)
        readers = [f"r{reader:03}" for reader in np.tile(np.arange(self.readers), self.texts).tolist()]
        keys = SegmentKeys(
            [f"{row:05}" for row in range(len(texts))], [f"t{text:03}" for text in texts], {"reader": readers}
        )
        scores = {name: {"wer": Counts(_WER.columns, of)} for name, of in zip(_SYSTEMS, counts, strict=True)}
        return SharedSegments(keys, scores, texts, "text", 0)

    @property
    def rate(self) -> float:
        """Corpus rate of an infinite sample."""
        variance = 2 * self.hardness**2 + self.own**2 + self.residual**2
        return USUAL_RATE * math.exp(variance / 2)


def covers(population: CrossedClusters, *, difference: bool) -> Callable[[SharedSegments], Coverage | None]:
    """Whether the interval contains the true rate of the first system, or the difference of the two, which is 0."""
    settings = StatisticsSettings(seed=1, confidence=CONFIDENCE, resamples=RESAMPLES, second_cluster="reader")

    def covers_true(sample: SharedSegments) -> Coverage | None:
        found = draw_replicates(sample, [_WER], settings)["wer"]
        if difference:
            return Coverage.of(found.difference_interval("first", "second", settings), 0.0)
        return Coverage.of(found.interval("first", settings), population.rate)

    return covers_true
