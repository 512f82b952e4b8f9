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
from misread.stats.bootstrap.jackknife import FEWEST_FREEDOM, symmetric_interval
from misread.stats.results import positive_pvalue
from misread.types import BoolArray, FloatArray, IntArray

FEWEST_TYPED: Final = 5
"""Typed units that are not certain to be drawn, below which there is no estimate."""

PRIOR: Final = 100.0
"""Average segments that have shown, before any is typed, that errors are what disagreement says."""

_PAIR: Final = 2
_RIDGE: Final = 1e-8
# Of the weight of a correction: the share of the variance, times n, that it has to save.
_COST: Final = 2.0


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
    stratum: IntArray | None = None  # of each unit, if each stratum was sampled on its own; shape (units,)

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
    def sums(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Sums by unit: of the squares of the regressors, their products with the answers, and of both themselves.

        Answers are the errors of each system and the length of the reference. Shapes (units, regressors, regressors),
        (units, regressors, answers), (units, regressors) and (units, answers).
        """
        x, y = self.regressors, np.column_stack([self.errors, self.length]).astype(np.float64)
        scaled = (x / np.maximum(x[:, -1:], 1.0))[:, :, None]
        squares, products = (self.sum_by_unit(scaled * values[:, None, :]) for values in (x, y))
        return squares, products, self.sum_by_unit(x), self.sum_by_unit(y)

    @cached_property
    def coefficients(self) -> tuple[FloatArray, FloatArray]:
        """Regression of the answers on the regressors: of the sample, and without each of its units.

        Shapes (regressors, answers) and (typed, regressors, answers).
        """
        squares, products, *_ = self.sums
        prior = PRIOR * self.weights.mean() * squares.sum(axis=0) / len(self.unit)
        by_unit = [self.weights[:, None, None] * values[self.typed] for values in (squares, products)]
        left, right = (values.sum(axis=0) + prior for values in by_unit)
        ridge = _RIDGE * np.trace(left) / len(left) * np.eye(len(left))
        rest = map(self.strata_of(self.typed).without, by_unit)
        without = np.linalg.solve(next(rest) + prior + ridge, next(rest) + prior)
        return np.linalg.solve(left + ridge, right), without

    def strata_of(self, typed: BoolArray) -> _Strata:
        """Strata of typed units, shape (units,)."""
        return _Strata(np.zeros(int(typed.sum()), np.int64) if self.stratum is None else self.stratum[typed])


@dataclass(frozen=True, eq=False)
class _Strata:
    """Strata of typed units, each sampled on its own; one stratum, if all were drawn together."""

    number: IntArray  # shape (typed,)

    @property
    def is_one(self) -> bool:
        """Whether there is one stratum alone."""
        return bool((self.number == self.number[0]).all())

    @cached_property
    def sizes(self) -> IntArray:
        """Typed units in the stratum of each, shape (typed,)."""
        sizes: IntArray = np.bincount(self.number)[self.number]
        return sizes

    @property
    def shrink(self) -> FloatArray:
        """(n - 1) / n of the stratum of each, shape (typed,)."""
        factors: FloatArray = (self.sizes - 1) / self.sizes
        return factors

    def without(self, values: FloatArray) -> FloatArray:
        """Totals without each typed unit; of several strata, with more weight for the others of its stratum."""
        rest: FloatArray = values.sum(axis=0) - values
        if not self.is_one:
            own = np.zeros((self.number.max() + 1, *values.shape[1:]))
            np.add.at(own, self.number, values)
            others = np.maximum(self.sizes - 1, 1).reshape(-1, *[1] * (values.ndim - 1))
            rest += (own[self.number] - values) / others
        return rest

    def centre(self, values: FloatArray) -> FloatArray:
        """Values less the mean of their stratum."""
        centred: FloatArray = values - np.bincount(self.number, values)[self.number] / self.sizes
        return centred


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
    disputed: float  # number of typed units, in effect, that have the disagreement of the two systems
    caution: float  # factor of the error in tests, 1 or more: what disagreement on all says of it

    @property
    def is_exact(self) -> bool:
        """Whether all units are typed, so that it is known without error."""
        return self.interval is not None and self.freedom < FEWEST_FREEDOM

    @property
    def pvalue(self) -> float | None:
        """Of the hypothesis that it is 0, by Student's t; None if it is exact, or few units have the disagreement."""
        if self.interval is None or self.is_exact or self.disputed < FEWEST_FREEDOM:
            return None
        estimate = Estimate(self.rate, self.error * self.caution, self.freedom)
        return positive_pvalue(2 * estimate.tail(abs(self.rate))) if self.error else 1.0


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
    n, population = len(sample.probability), sample.population
    weight, agreed, plain, centred = _weigh(sample)
    added = sample.probability * sample.strata.shrink * (sample.alone_without**2 if such else np.zeros(n))
    plain, agreed = plain + float(added.sum()), agreed + float(added.sum())
    freedom = _freedom(sample, such=such)
    rate = sample.alone + weight * sample.shift
    ratio = agreed / plain if plain else 1.0
    is_rate, is_exact = float(target.sum()) > 0, n == population and not such
    own = Estimate(rate, agreed**0.5, freedom, _skewness(centred), step=sample.step)
    alone = replace(own, value=sample.alone, error=plain**0.5, skewness=_skewness(sample.alone_without))
    parts = sample.variances(centred) + added
    disputed, caution = (float(n), 1.0) if is_rate or is_exact else _caution(agreement, target, such=such)
    return AgreedRate(
        rate=rate,
        interval=_interval(own, confidence, is_rate=is_rate, is_exact=is_exact),
        alone=sample.alone,
        alone_interval=_interval(alone, confidence, is_rate=is_rate, is_exact=is_exact),
        weight=weight,
        worth=n / ratio if such else population / (1 + (population / n - 1) * ratio),
        freedom=freedom,
        error=own.error,
        alone_error=alone.error,
        seen=sample.shown / (rate * sample.expected_length) if is_rate and rate > 0 else None,
        largest=float(parts.max() / parts.sum()) if parts.sum() > 0 else 0.0,
        disputed=disputed,
        caution=caution,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Sample:
    """What typed units say of one target, and without each of them less the mean of these."""

    probability: FloatArray  # shape (typed,)
    strata: _Strata
    lengths: FloatArray  # weighted lengths of the references, shape (typed,)
    population: int  # units that the target is about
    alone: float  # rate of the typed
    shift: float  # correction by agreement
    alone_without: FloatArray
    shift_without: FloatArray
    shown: float  # errors that distances show, in all units
    expected_length: float  # of all units

    @property
    def step(self) -> float:
        """Change of the rate by one error."""
        return float((1 / self.probability).max() / self.lengths.sum())

    def variances(self, centred: FloatArray) -> FloatArray:
        """Variance that each unit has: none if it was certain to be drawn."""
        return (1 - self.probability) * self.strata.shrink * centred**2


def _take_sample(agreement: Agreement, target: FloatArray, units: IntArray | None) -> _Sample:
    group = np.ones(len(agreement.probability), np.bool_)
    if units is not None:
        group[:] = False
        group[units] = True
    typed = group & agreement.typed
    is_whole = bool(typed.sum() == group.sum())
    # What is typed as a whole is known, however it was drawn.
    probability: FloatArray = np.ones(int(typed.sum())) if is_whole else agreement.probability[typed]
    drawn = int((probability < 1).sum())
    if not is_whole and drawn < FEWEST_TYPED:
        raise UndefinedResultError(
            f"{drawn} units are typed that might not have been drawn, and an estimate needs {FEWEST_TYPED}: type more."
        )
    *_, regressors, answers = agreement.sums
    whole = regressors[group].sum(axis=0)
    regressors, answers = regressors[typed] / probability[:, None], answers[typed] / probability[:, None]
    if not answers[:, -1].sum():
        raise UndefinedResultError("the typed texts are empty: there is no rate.")
    sign = np.append(target, 0.0)

    def expect(total: FloatArray, coefficients: FloatArray) -> FloatArray:
        """Expected rate of a total, by one fit or by several."""
        answer = np.einsum("...p,...pq->...q", total, coefficients)
        quotient: FloatArray = (answer @ sign) / answer[..., -1]
        return quotient

    fit, fits = agreement.coefficients
    # Those of a group are held: most of what they rest on is in no unit of it.
    fits = fits if units is None else fit
    strata = agreement.strata_of(typed)
    rest = strata.without(answers)
    # Without a unit that has all of the text nothing is left, and there is no interval.
    alone_without = np.divide(rest @ sign, rest[:, -1], out=np.zeros(len(rest)), where=rest[:, -1] > 0)
    shift_without = expect(whole, fits) - expect(strata.without(regressors), fits)
    return _Sample(
        probability=probability,
        strata=strata,
        lengths=answers[:, -1],
        population=int(group.sum()),
        alone=float(answers.sum(axis=0) @ sign / answers[:, -1].sum()),
        shift=float(expect(whole, fit) - expect(regressors.sum(axis=0), fit)),
        alone_without=strata.centre(alone_without),
        shift_without=strata.centre(shift_without),
        shown=float(whole @ sign),
        expected_length=float((whole @ fit)[-1]),
    )


def _weigh(sample: _Sample) -> tuple[float, float, float, FloatArray]:
    """Weight of the correction, the variance with it and of the typed alone, and the centred rates without each unit.

    A correction is left out if it saves at most 2/n of the variance: its weight is one more parameter (Akaike 1974, A
    new look at the statistical model identification), and takes a degree of freedom. Else one more unit counts, about
    which agreement says nothing: without it, intervals are too narrow where one page is unlike all others.
    """
    f, a, n = sample.alone_without, sample.shift_without, len(sample.probability)
    part = sample.variances(np.ones(n))
    spread, plain = float(part @ a**2), float(part @ f**2)
    weight = float(np.clip(-(part @ (f * a)) / spread, 0.0, 1.0)) if spread > 0 else 0.0
    centred = f + weight * a
    agreed = float(part @ centred**2)
    if agreed >= (1 - _COST / n) * plain:
        return 0.0, plain, plain, f
    agreed *= (n - 1) / (n - 2)
    return weight, ((n - 1) * agreed + plain) / n, plain, centred


def _freedom(sample: _Sample, *, such: bool) -> float:
    """Degrees of freedom of both variances: of the units that might not have been drawn, or of their strata."""
    uncertain = np.ones(len(sample.lengths), np.bool_) if such else sample.probability < 1
    if uncertain.sum() < 2:
        return 1.0
    if sample.strata.is_one:
        return degrees_of_freedom(sample.lengths[uncertain])
    parts = sample.strata.shrink * sample.alone_without**2 * (1.0 if such else 1 - sample.probability)
    variances, left = (np.bincount(sample.strata.number, values) for values in (parts, uncertain))
    variances, left = variances[left > 1], left[left > 1] - 1
    spread = float((variances**2 / left).sum())
    return float(variances.sum()) ** 2 / spread if spread else float(left.sum())


def _caution(agreement: Agreement, target: FloatArray, *, such: bool) -> tuple[float, float]:
    """How many typed units have, in effect, the disagreement of two systems, and a factor of the error of a test.

    No difference is larger than the distance of two outputs, and distances of all units are known: of how many units
    the variance is, and whether those that were drawn show less of it than all would. The factor is the ratio estimator
    of a variance: Wu (1982), Estimation of variance of the ratio estimator, Biometrika 69.
    """
    first, second = np.flatnonzero(target)
    probability, typed = agreement.probability, agreement.typed
    squares = agreement.sum_by_unit(agreement.distances[:, first, second]) ** 2
    variances = squares * (1.0 if such else 1 - probability) / probability**2
    expected = float(probability @ variances)
    if not expected:
        return 0.0, 1.0
    shown = float(variances[typed].sum())
    return expected**2 / float(probability @ variances**2), max(1.0, expected / shown if shown else 1.0) ** 0.5


def _skewness(centred: FloatArray) -> float:
    """Skewness of what units contribute, from scores without each of them less their mean."""
    squares = float(np.sum(centred**2))
    return float(-np.sum(centred**3) / squares**1.5) if squares > 0 else 0.0


def _interval(estimate: Estimate, confidence: float, *, is_rate: bool, is_exact: bool) -> ConfidenceInterval | None:
    """Interval of a rate or a difference; of a rate below 0, which no longer is one, that of a difference."""
    if is_exact:
        return ConfidenceInterval(
            low=estimate.value, high=estimate.value, confidence=confidence, method=estimate.method
        )
    if not estimate.has_interval:
        return None
    return jackknife_interval(estimate, confidence, lowest=0.0) if is_rate else symmetric_interval(estimate, confidence)
