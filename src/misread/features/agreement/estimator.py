"""Rates of a whole corpus from a typed sample, corrected by how far systems agree on all of it.

The generalized regression estimator of two totals (Cassel, Särndal & Wretman 1976; Särndal, Swensson & Wretman 1992,
Model Assisted Survey Sampling, chapter 6), as a ratio, with one further scalar as in PPI++ (Angelopoulos, Duchi & Zrnic
2023): what systems disagree on says which units are hard, and corrects which of them happened to be drawn. An error
that all systems share is in no distance; it stays in the sample's residuals, so that it costs precision alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from misread.errors import UndefinedResultError
from misread.stats import ConfidenceInterval, Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.bootstrap.jackknife import symmetric_interval
from misread.types import BoolArray, FloatArray, IntArray

FEWEST_TYPED: Final = 5
"""Typed units that are not certain to be drawn, below which there is no estimate."""

PRIOR: Final = 100.0
"""Average segments that have shown, before any is typed, that errors are what disagreement says."""

_PAIR: Final = 2
_RIDGE: Final = 1e-8
# A variance that is smaller by rounding alone is not smaller.
_ROUNDING: Final = 1e-9


def star_errors(distances: FloatArray) -> FloatArray:
    """Errors of each system that would explain all distances of a segment, shape (..., systems, systems).

    The least squares solution of distance(a, b) = errors(a) + errors(b); half of the distance of two systems.
    """
    systems = distances.shape[-1]
    by_system: FloatArray = distances.sum(axis=-1)
    if systems == _PAIR:
        by_system /= 2
        return by_system
    total = by_system.sum(axis=-1, keepdims=True) / 2
    solved: FloatArray = (by_system - total / (systems - 1)) / (systems - 2)
    return solved


@dataclass(frozen=True, eq=False)
class Agreement:
    """Facts of all segments, and of those that were typed; a unit is typed as a whole."""

    distances: FloatArray  # of each pair of systems, shape (segments, systems, systems)
    lengths: IntArray  # of the outputs, shape (segments, systems)
    unit: IntArray  # number of the unit of each segment, shape (segments,)
    errors: IntArray  # shape (segments, systems); those of segments that are not typed are not used
    length: IntArray  # of the references, shape (segments,); alike
    probability: FloatArray  # that a unit is drawn, shape (units,)
    typed: BoolArray  # shape (units,)

    @property
    def systems(self) -> int:
        """Number of systems."""
        return int(self.lengths.shape[1])

    @cached_property
    def regressors(self) -> FloatArray:
        """Errors by the star, and the mean length of the outputs, shape (segments, systems + 1)."""
        return np.column_stack([star_errors(self.distances), self.lengths.mean(axis=1)])

    @cached_property
    def weights(self) -> FloatArray:
        """One over the probability of each typed unit, shape (typed,)."""
        weights: FloatArray = 1 / self.probability[self.typed]
        return weights

    def sum_by_unit(self, values: FloatArray) -> FloatArray:
        """Sums of values of segments, shape (segments, ...) -> (units, ...)."""
        sums = np.zeros((len(self.probability), *values.shape[1:]))
        np.add.at(sums, self.unit, values)
        return sums

    @cached_property
    def answers(self) -> FloatArray:
        """Errors of each system and length of the reference, shape (segments, systems + 1)."""
        answers = np.column_stack([self.errors, self.length]).astype(np.float64)
        answers[~self.typed[self.unit]] = 0.0
        return answers

    @cached_property
    def coefficients(self) -> tuple[FloatArray, FloatArray]:
        """Regression of the answers on the regressors: of the sample, and without each of its units.

        Shapes (regressors, answers) and (typed, regressors, answers).
        """
        x, scale = self.regressors, 1 / np.maximum(self.regressors[:, -1], 1.0)
        squares = np.einsum("j,jp,jq->jpq", scale, x, x)
        products = np.einsum("j,jp,jq->jpq", scale, x, self.answers)
        prior = PRIOR * self.weights.mean() * squares.mean(axis=0)
        by_unit = [self.weights[:, None, None] * self.sum_by_unit(values)[self.typed] for values in (squares, products)]
        left, right = (values.sum(axis=0) + prior for values in by_unit)
        ridge = _RIDGE * np.trace(left) / len(left) * np.eye(len(left))
        without = np.linalg.solve(left + ridge - by_unit[0], right - by_unit[1])
        return np.linalg.solve(left + ridge, right), without


@dataclass(frozen=True, kw_only=True)
class AgreedRate:
    """A rate of all texts, or a difference of two, from a typed sample and from agreement."""

    rate: float
    interval: ConfidenceInterval | None  # None with too few degrees of freedom
    alone: float  # from the typed texts alone
    alone_interval: ConfidenceInterval | None
    weight: float  # of what agreement says, from 0 to 1
    worth: float  # number of typed units that would give the same error without agreement
    freedom: float
    error: float  # standard error
    alone_error: float
    seen: float | None  # share of the errors that disagreement shows; None of a difference
    largest: float  # share of the variance that one unit has

    @property
    def pvalue(self) -> float:
        """Of the hypothesis that it is 0, by Student's t."""
        return min(1.0, 2 * self._estimate.tail(abs(self.rate)))

    @property
    def _estimate(self) -> Estimate:
        return Estimate(self.rate, self.error, self.freedom)


def agreed_rate(
    agreement: Agreement,
    target: FloatArray,
    *,
    confidence: float = 0.95,
    such: bool = False,
    units: IntArray | None = None,
) -> AgreedRate:
    """The rate of one system, or the difference of two, in all texts.

    Parameters
    ----------
    agreement : Agreement
        All texts, and the sample.
    target : array of float, shape (systems,)
        1 for the system, -1 for the one that is subtracted.
    such : bool
        Whether the texts are themselves a sample of such texts.
    units : array of int, shape (units,), optional
        Units of a group; coefficients are those of all.

    Raises
    ------
    UndefinedResultError
        If fewer than five units that might not have been drawn are typed, or the typed texts are empty.
    """
    sample = _take_sample(agreement, target, units)
    n, population, probability = len(sample.probability), sample.population, sample.probability
    weight, agreed, plain, centred = _weigh(sample)
    if such:
        beyond = float(probability * (n - 1) / n @ sample.alone_without**2)
        plain, agreed = plain + beyond, agreed + beyond
    uncertain = np.ones(n, np.bool_) if such else probability < 1
    freedom = degrees_of_freedom(sample.lengths[uncertain]) if uncertain.sum() > 1 else float(uncertain.sum())
    ratio = agreed / plain if plain else 1.0
    rate = sample.alone + weight * sample.shift
    is_rate, is_whole = float(target.sum()) > 0, n == population
    step = float((1 / probability).max() / sample.lengths.sum())
    own = Estimate(rate, agreed**0.5, max(freedom, 1.0), _skewness(centred), step=step)
    alone = replace(own, value=sample.alone, error=plain**0.5, skewness=_skewness(sample.alone_without))
    squares = (1 - probability) * centred**2
    return AgreedRate(
        rate=rate,
        interval=_interval(own, confidence, is_rate=is_rate, is_whole=is_whole),
        alone=sample.alone,
        alone_interval=_interval(alone, confidence, is_rate=is_rate, is_whole=is_whole),
        weight=weight,
        worth=n / ratio if such else population / (1 + (population / n - 1) * ratio),
        freedom=freedom,
        error=own.error,
        alone_error=alone.error,
        seen=sample.shown / (rate * sample.expected_length) if is_rate and rate > 0 else None,
        largest=float(squares.max() / squares.sum()) if squares.sum() > 0 else 0.0,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sample:
    """What typed units say of one target, and without each of them less the mean of these."""

    probability: FloatArray  # shape (typed,)
    lengths: FloatArray  # weighted lengths of the references, shape (typed,)
    population: int  # units that the target is about
    alone: float  # rate of the typed
    shift: float  # correction by agreement
    alone_without: FloatArray
    shift_without: FloatArray
    shown: float  # errors that distances show, in all units
    expected_length: float  # of all units


def _take_sample(agreement: Agreement, target: FloatArray, units: IntArray | None) -> _Sample:
    group = np.ones(len(agreement.probability), np.bool_)
    if units is not None:
        group[:] = False
        group[units] = True
    typed = group & agreement.typed
    probability, drawn = agreement.probability[typed], int((agreement.probability[typed] < 1).sum())
    if len(probability) < group.sum() and drawn < FEWEST_TYPED:
        raise UndefinedResultError(f"{drawn} units were drawn and typed, and an estimate needs {FEWEST_TYPED}.")
    answers = agreement.sum_by_unit(agreement.answers)[typed] / probability[:, None]
    if not answers[:, -1].sum():
        raise UndefinedResultError("the typed texts are empty: there is no rate.")
    sums = agreement.sum_by_unit(agreement.regressors)
    regressors, whole = sums[typed] / probability[:, None], sums[group].sum(axis=0)
    sign = np.append(target, 0.0)

    def expect(total: FloatArray, coefficients: FloatArray) -> FloatArray:
        """Expected rate of a total, by one fit or by several."""
        answer = np.einsum("...p,...pq->...q", total, coefficients)
        quotient: FloatArray = (answer @ sign) / answer[..., -1]
        return quotient

    fit, fits = agreement.coefficients
    fits = fits[typed[agreement.typed]]
    rest = answers.sum(axis=0) - answers
    alone_without = rest @ sign / rest[:, -1]
    shift_without = expect(whole, fits) - expect(regressors.sum(axis=0) - regressors, fits)
    return _Sample(
        probability=probability,
        lengths=answers[:, -1],
        population=int(group.sum()),
        alone=float(answers.sum(axis=0) @ sign / answers[:, -1].sum()),
        shift=float(expect(whole, fit) - expect(regressors.sum(axis=0), fit)),
        alone_without=alone_without - alone_without.mean(),
        shift_without=shift_without - shift_without.mean(),
        shown=float(whole @ sign),
        expected_length=float((whole @ fit)[-1]),
    )


def _weigh(sample: _Sample) -> tuple[float, float, float, FloatArray]:
    """Weight of the correction, the variance with it and of the typed alone, and the centred rates without each unit.

    A correction is not weighed if it saves no variance. Else one more unit counts, about which agreement says nothing:
    without it, intervals are too narrow where one page is unlike all others.
    """
    f, a, n = sample.alone_without, sample.shift_without, len(sample.probability)
    part = (1 - sample.probability) * (n - 1) / n
    spread, plain = float(part @ a**2), float(part @ f**2)
    weight = float(np.clip(-(part @ (f * a)) / spread, 0.0, 1.0)) if spread > 0 else 0.0
    centred = f + weight * a
    agreed = float(part @ centred**2)
    if agreed >= (1 - _ROUNDING) * plain:
        return 0.0, plain, plain, f
    return weight, ((n - 1) * agreed + plain) / n, plain, centred


def _skewness(centred: FloatArray) -> float:
    """Skewness of what units contribute, from scores without each of them less their mean."""
    squares = float(np.sum(centred**2))
    return float(-np.sum(centred**3) / squares**1.5) if squares > 0 else 0.0


def _interval(estimate: Estimate, confidence: float, *, is_rate: bool, is_whole: bool) -> ConfidenceInterval | None:
    if is_whole and not estimate.error:
        return ConfidenceInterval(
            low=estimate.value, high=estimate.value, confidence=confidence, method=estimate.method
        )
    if is_rate:
        return jackknife_interval(estimate, confidence, lowest=0.0)
    return symmetric_interval(estimate, confidence) if estimate.has_interval else None
