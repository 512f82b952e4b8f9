"""Test whether changes that all others share have parallels as often as those that they do not share."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy

from misread.features.recitation.disputed_words import SIZES, Changes
from misread.stats.bootstrap.jackknife import jackknife_estimate
from misread.stats.significance.binomial import binomial_tail
from misread.types import FloatArray, IntArray


class Unusual(NamedTuple):
    """How many unparalleled changes are expected among the shared ones, by size, and the p of as many or more."""

    shares: FloatArray  # of the misreadings of one system, by size
    expected: float
    pvalue: float


def compare_changes(shared: Changes, misreadings: Changes, documents: IntArray) -> Unusual:
    """Hold shared changes against the misreadings of one system; `documents` has the document of every word.

    Others that share a kind of misreading wherever it occurs leave it without parallel. So the unique changes have to
    be as telling as those without parallel: the p is the larger one of both.
    """
    unusual = _compare(shared, misreadings, documents)
    unique = _compare(_only_unique(shared), _only_unique(misreadings), documents)
    return unusual._replace(pvalue=max(unusual.pvalue, unique.pvalue))


def _only_unique(changes: Changes) -> Changes:
    return replace(changes, unparalleled=changes.unique)


def _compare(shared: Changes, misreadings: Changes, documents: IntArray) -> Unusual:
    """Compare the unparalleled changes.

    Words of one document and changes of one kind are not independent: the p is the largest of the binomial one, that of
    Student's t with the jackknife error over documents, and that over kinds of changes. A convention that all others
    share is one kind, however often it occurs, and alarms nobody.
    """
    number = len(shared.words)
    shares = _shares(*(counts[0] for counts in _count(misreadings, np.zeros(len(misreadings.words), np.int64), 1)))
    expected = float(shares[shared.sizes].sum())
    unparalleled = int(shared.unparalleled.sum())
    pvalues = [binomial_tail(unparalleled, number, expected / number)]
    for shared_units, misread_units in (
        (documents[shared.words], documents[misreadings.words]),
        (shared.kinds, misreadings.kinds),
    ):
        names, units = np.unique(np.concatenate([shared_units, misread_units]), return_inverse=True)
        pvalues.append(
            _jackknife(
                *_count(shared, units[: len(shared_units)], len(names)),
                *_count(misreadings, units[len(shared_units) :], len(names)),
            )
        )
    return Unusual(shares, expected, min(1.0, max(*pvalues, np.finfo(float).tiny)))


def _count(changes: Changes, units: IntArray, number: int) -> tuple[IntArray, IntArray]:
    """Unparalleled and all changes by unit and size."""
    cells = units * SIZES + changes.sizes
    unparalleled, counts = (
        np.bincount(chosen, minlength=number * SIZES).reshape(-1, SIZES)
        for chosen in (cells[changes.unparalleled], cells)
    )
    return unparalleled, counts


def _shares(unparalleled: IntArray, counts: IntArray) -> FloatArray:
    """Share of unparalleled changes; of a size that does not occur nothing is known, and all may be."""
    shares: FloatArray = np.where(counts > 0, unparalleled / np.maximum(1, counts), 1.0)
    return shares


def _jackknife(unparalleled: IntArray, counts: IntArray, misread_unparalleled: IntArray, misread: IntArray) -> float:
    """One-sided p of the excess of unparalleled shared changes over what is expected, without each unit in turn."""
    sizes = counts.sum(axis=1)
    if np.count_nonzero(sizes) < 2:
        return 1.0
    totals = [part.sum(axis=0) for part in (unparalleled, counts, misread_unparalleled, misread)]
    value = float(_excess(*totals))
    if value <= 0:
        return 1.0
    rest = (
        total - part for total, part in zip(totals, (unparalleled, counts, misread_unparalleled, misread), strict=True)
    )
    estimate = jackknife_estimate(value, _excess(*rest), sizes)
    # Without any variation the binomial p stands alone.
    return float(scipy.special.stdtr(estimate.freedom, -value / estimate.error)) if estimate.error else 0.0


def _excess(unparalleled: IntArray, counts: IntArray, misread_unparalleled: IntArray, misread: IntArray) -> FloatArray:
    """Share of shared changes that are unparalleled beyond what is expected; by unit, if there are units."""
    expected = (counts * _shares(misread_unparalleled, misread)).sum(axis=-1)
    excess: FloatArray = (unparalleled.sum(axis=-1) - expected) / counts.sum(axis=-1)
    return excess
