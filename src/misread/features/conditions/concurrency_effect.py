"""Test whether texts depend on the concurrency at which they were read, beyond what they vary when read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from misread.types import IntArray

# Compared pairs of readings in memory at a time.
_CELLS: Final = 4_000_000


def test_exchangeability(texts: Sequence[Sequence[Sequence[str]]], *, permutations: int, seed: int) -> float:
    """P-value of readings that depend on the concurrency, from texts of shape (segments, concurrencies, repeats).

    If they do not, the readings of a segment are exchangeable, however much they vary: they are exchanged at random
    within each segment. Two things are compared with the observed ones, since a server may give another text at one
    concurrency, or vary more there: how unequally the disagreement with the other readings of a segment is shared out
    to the concurrencies, and how often the repeats at one concurrency agree. p is twice the smaller of their p-values.
    It is exact if segments are independent given their texts, and never 0.

    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 7.3 (randomised blocks).
    """
    codes = _number(texts)
    segments, concurrencies, repeats = codes.shape
    readings = codes.reshape(segments, -1)
    readings = readings[(readings != readings[:, :1]).any(axis=1)]
    if not len(readings):
        return 1.0
    shape = (len(readings), concurrencies, repeats)
    observed = _statistics(readings[np.newaxis], shape)
    rng = np.random.default_rng(seed)
    at_a_time = max(1, _CELLS // (readings.size * readings.shape[1]))
    extreme = np.zeros(2, np.int64)
    for start in range(0, permutations, at_a_time):
        size = min(at_a_time, permutations - start)
        order = rng.random((size, *readings.shape)).argsort(axis=-1)
        exchanged = np.take_along_axis(readings[np.newaxis], order, axis=-1)
        extreme += np.count_nonzero(_statistics(exchanged, shape) >= observed, axis=1)
    return float(min(1.0, 2 * (1 + extreme.min()) / (1 + permutations)))


def _number(texts: Sequence[Sequence[Sequence[str]]]) -> IntArray:
    """Numbers that are equal where texts of a segment are."""
    rows = []
    for segment in texts:
        numbers: dict[str, int] = {}
        rows.append([[numbers.setdefault(text, len(numbers)) for text in repeats] for repeats in segment])
    return np.array(rows, np.int64)


def _statistics(readings: IntArray, shape: tuple[int, int, int]) -> IntArray:
    """Both statistics of samples of readings, shape (samples, segments, readings) -> (2, samples)."""
    equal = readings[..., :, np.newaxis] == readings[..., np.newaxis, :]
    disagreements = readings.shape[-1] - equal.sum(axis=-1)
    by_concurrency = disagreements.reshape(-1, *shape).sum(axis=(1, 3))
    grouped = readings.reshape(-1, *shape)
    agreements = (grouped[..., 1:] == grouped[..., :-1]).sum(axis=(1, 2, 3))
    return np.stack([(by_concurrency**2).sum(axis=-1), agreements])
