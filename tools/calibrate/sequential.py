"""Sequential verdicts on simulated corpora: thousands at once, with a look after every cluster."""

import bisect
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import scipy

from misread.stats import detectable_difference
from misread.stats.bootstrap.jackknife import degrees_of_freedom
from misread.stats.design.power import POWER
from misread.stats.sequential.confidence_sequence import (
    BETTER,
    EQUIVALENT,
    FIRST_LOOK,
    NOT_YET,
    WORSE,
    Rule,
    judge_looks,
)
from misread.stats.sequential.outlook import clusters_to_find
from misread.stats.sequential.verdict import USUALLY_PLANNED
from misread.stats.significance.randomisation import sign_flip
from misread.types import FloatArray, IntArray
from tools.calibrate.populations import (
    HIGHEST,
    LONGEST,
    RUNAWAY_DEVIATION,
    RUNAWAY_LENGTH,
    SEGMENT_DEVIATION,
    SHORTEST,
    UNEQUAL_DEVIATION,
    Population,
)
from tools.calibrate.running import Batch
from tools.calibrate.samples import ALPHA

# Clusters of the one large corpus that shows how they vary.
_LARGE = 400_000
# Corpora that show how often a number of clusters is enough.
_TO_PLAN = 2000

Corpora = tuple[FloatArray, FloatArray]
"""Errors of the second system beyond those of the first, and lengths, shape (corpora, clusters)."""


@dataclass(frozen=True)
class Clusters:
    """Corpora of a `Population` drawn by cluster: errors are Poisson distributed, given the rates of clusters."""

    population: Population

    def draw_many(self, rng: np.random.Generator, corpora: int) -> Corpora:
        """Draw so many corpora."""
        population, shape = self.population, (corpora, self.population.clusters)
        largeness = rng.normal(0, 1, shape) if population.unequal else np.zeros(shape)
        spread = np.exp(UNEQUAL_DEVIATION * largeness - UNEQUAL_DEVIATION**2 / 2) if population.unequal else 1.0
        segments = np.maximum(1.0, np.rint(population.segments * spread * np.ones(shape)))
        mean, deviation = (SHORTEST + LONGEST) / 2, (LONGEST - SHORTEST) / math.sqrt(12)
        lengths = np.maximum(np.rint(rng.normal(segments * mean, np.sqrt(segments) * deviation)), SHORTEST)
        own = population.hardness * math.sqrt(1 - population.large_is_hard**2)
        hardness = rng.normal(0, own, shape) + population.hardness * population.large_is_hard * largeness
        hardness += math.log(population.usual_rate)
        errors = [
            rng.poisson(lengths * _mean_rate(hardness + system_own)) + self._too_many(segments, mean, rng)
            for system_own in (
                rng.normal(0, population.deviation / math.sqrt(2), shape) + effect
                for effect in (0.0, math.log(1 - population.effect))
            )
        ]
        return (errors[1] - errors[0]).astype(np.float64), lengths

    def _too_many(self, segments: FloatArray, mean: float, rng: np.random.Generator) -> IntArray:
        """Words of outputs that run on."""
        if not self.population.runaways:
            return np.zeros(segments.shape, np.int64)
        outputs = rng.binomial(segments.astype(np.int64), self.population.runaways)
        return rng.poisson(outputs * mean * RUNAWAY_LENGTH * np.exp(rng.normal(0, RUNAWAY_DEVIATION, segments.shape)))


@dataclass(frozen=True)
class Failing:
    """Corpora of pages of 200 words, where the second system makes 20 % fewer errors and fails on one page in 25.

    There it makes so many more that both expected rates are equal.
    """

    clusters: int

    def draw_many(self, rng: np.random.Generator, corpora: int) -> Corpora:
        """Draw so many corpora."""
        usual, hardness, gain, share = 20, 0.5, 0.2, 0.04
        expected = usual * np.exp(rng.normal(0, hardness, (corpora, self.clusters)))
        fails = rng.random(expected.shape) < share
        too_many = rng.poisson(fails * usual * math.exp(hardness**2 / 2) * gain / share)
        errors = rng.poisson((1 - gain) * expected) + too_many - rng.poisson(expected)
        return errors.astype(np.float64), np.full(expected.shape, 200.0)


def _mean_rate(hardness: FloatArray) -> FloatArray:
    """Mean error probability of words in segments of a cluster of this hardness, which differ on their own."""
    cut = (math.log(HIGHEST) - hardness) / SEGMENT_DEVIATION
    below = np.exp(hardness + SEGMENT_DEVIATION**2 / 2) * scipy.special.ndtr(cut - SEGMENT_DEVIATION)
    mean: FloatArray = below + HIGHEST * scipy.special.ndtr(-cut)
    return mean


@cache
def deviation(population: Population) -> float:
    """Standard deviation of what one cluster adds to the difference of the rates."""
    large = Clusters(replace(population, clusters=_LARGE))
    errors, lengths = (values[0] for values in large.draw_many(np.random.default_rng(0), 1))
    return float((errors - population.difference * lengths).std() / lengths.mean())


@dataclass(frozen=True)
class Planned:
    """Corpora of which a test at a fixed number of clusters plans so many, for a difference as large as a margin.

    The plan is that of `misread plan size`. The true difference is a multiple of the margin; it is that of a second
    system with more errors.
    """

    population: Population
    planned: int
    times: float
    longest: int  # clusters of a corpus, as a multiple of those planned

    @cached_property
    def _found(self) -> tuple[float, Population]:
        """Margin and population; variance and difference are no multiples of the effect, so both are iterated."""
        changed = replace(self.population, effect=-0.1 if self.times else 0.0)
        margin = detectable_difference(deviation(changed), self.planned, alpha=ALPHA)
        for _ in range(5 if self.times else 0):
            changed = replace(changed, effect=changed.effect * self.times * margin / changed.difference)
            margin = detectable_difference(deviation(changed), self.planned, alpha=ALPHA)
        return margin, replace(changed, clusters=self.longest * self.planned)

    @property
    def margin(self) -> float:
        """The margin."""
        return self._found[0]

    @property
    def deviation(self) -> float:
        """Standard deviation of what one cluster adds to the difference."""
        return deviation(self._found[1])

    @cached_property
    def planned_to_equate(self) -> int:
        """Clusters of a fixed plan for the verdict "equivalent": four in five 90 % intervals lie within the margin."""
        errors, lengths = self.draw_many(np.random.default_rng(0), _TO_PLAN)

        def is_enough(clusters: int) -> bool:
            first = errors[:, :clusters], lengths[:, :clusters]
            difference = first[0].sum(axis=1) / first[1].sum(axis=1)
            return float((np.abs(difference) + _reach(*first, ALPHA) <= self.margin).mean()) >= POWER

        numbers = range(2, errors.shape[1])
        return numbers[bisect.bisect_left(numbers, True, key=is_enough)]

    def draw_many(self, rng: np.random.Generator, corpora: int) -> Corpora:
        """Draw so many corpora."""
        return Clusters(self._found[1]).draw_many(rng, corpora)


def covers_always(population: Population) -> Callable[[Corpora], Batch]:
    """Whether the intervals of all looks contain the true difference, and the width of the last over the fixed one."""

    def look(corpora: Corpora) -> Batch:
        errors, lengths = corpora
        looks = judge_looks(errors, lengths, Rule(level=ALPHA, narrowest=population.clusters / 2, one_error=1.0))
        true = np.full(len(errors), population.difference)
        return _coverage(looks.low[:, -1], looks.high[:, -1], true, _fixed_width(errors, lengths))

    return look


def covers_naively(population: Population) -> Callable[[Corpora], Batch]:
    """The same of the interval for a fixed number of clusters, looked at after each; its width is 1."""

    def look(corpora: Corpora) -> Batch:
        errors, lengths = corpora
        number = np.arange(1, errors.shape[1] + 1)
        residuals = errors - population.difference * lengths
        sums = np.cumsum(residuals, axis=1)
        variances = (np.cumsum(residuals**2, axis=1) - sums**2 / number)[:, FIRST_LOOK - 1 :] / number[
            FIRST_LOOK - 2 : -1
        ]
        number, sums = number[FIRST_LOOK - 1 :], sums[:, FIRST_LOOK - 1 :]
        quantiles = scipy.stats.t.ppf(1 - ALPHA / 2, number - 1) * np.sqrt(number * variances)
        is_missed = (np.abs(sums) > quantiles).any(axis=1)
        return {"share": ~is_missed, "width": np.ones(len(errors))}

    return look


def covers_all(population: Population) -> Callable[[Corpora], Batch]:
    """Whether the intervals contain the difference of exactly these clusters until it is known; width at half."""
    total, half = population.clusters, population.clusters // 2

    def look(corpora: Corpora) -> Batch:
        errors, lengths = corpora
        looks = judge_looks(errors, lengths, Rule(total, level=ALPHA, narrowest=half, one_error=1.0))
        true = errors.sum(axis=1) / lengths.sum(axis=1)
        covered = _coverage(looks.low[:, -2], looks.high[:, -2], true, np.ones(len(errors)))
        fixed = _fixed_width(errors[:, :half], lengths[:, :half]) * math.sqrt(1 - half / total)
        width = (looks.high[:, half - 1] - looks.low[:, half - 1]) / fixed
        return {**covered, "width": width}

    return look


def errs(population: Population, *, usual_effect: float = 0.0, total: int | None = None) -> Callable[[Corpora], Batch]:
    """Whether the verdict, at whichever look it came, is wrong of all corpora or, with a total, of these clusters.

    The margin is the true difference, or without one that of the usual effect.
    """

    def look(corpora: Corpora) -> Batch:
        errors, lengths = corpora
        margin = abs(replace(population, effect=population.effect or usual_effect).difference)
        rule = Rule(total, margin, ALPHA, narrowest=(total or USUALLY_PLANNED) / 2, one_error=1.0)
        words = judge_looks(errors, lengths, rule).verdict
        if total:
            # The last look knows the difference, and does not err.
            words, true = words[:, :-1], errors.sum(axis=1) / lengths.sum(axis=1)
        else:
            true = np.full(len(errors), population.difference)
        word = words[:, -1]
        is_apart = np.abs(true) >= margin * (1 - 1e-9)
        wrong_side = ((word == BETTER) & (true >= 0)) | ((word == WORSE) & (true <= 0))
        wrong_margin = (word == EQUIVALENT) & is_apart
        return {
            "share": wrong_side | wrong_margin,
            "wrong side": wrong_side,
            "wrongly equivalent": wrong_margin,
            "decided": word != NOT_YET,
        }

    return look


def stops_within(planned: Planned, share: float) -> Callable[[Corpora], Batch]:
    """Whether there is a verdict within this share of the clusters of the fixed plan."""

    def look(corpora: Corpora) -> Batch:
        stopped = _stopped(corpora, planned, planned.margin)
        batch = {"share": stopped <= share, "median": stopped}
        if planned.times == 0:
            to_equate = planned.planned_to_equate / planned.planned
            batch |= {"to equate": np.full(len(stopped), to_equate), "median of these": stopped / to_equate}
        return batch

    return look


def finds(corpora: Corpora) -> Batch:
    """Whether a fixed number of clusters shows a difference: by randomisation, and by the interval of the jackknife."""
    errors, lengths = corpora
    found = [
        sign_flip(whole, length=int(length), resamples=9999, seed=1, alpha=ALPHA).pvalue < ALPHA
        for whole, length in zip(errors.astype(np.int64), lengths.sum(axis=1), strict=True)
    ]
    difference, reach = errors.sum(axis=1) / lengths.sum(axis=1), _reach(errors, lengths, ALPHA / 2)
    return {"share": np.array(found), "by interval": np.abs(difference) > reach}


def stops_as_expected(planned: Planned) -> Callable[[Corpora], Batch]:
    """Whether a difference is found within the number that `misread plan size` expects in the mean."""

    def look(corpora: Corpora) -> Batch:
        rule = Rule(level=ALPHA, narrowest=planned.planned / 2)
        expected = clusters_to_find(planned.times * planned.margin, planned.deviation, rule) or math.inf
        stopped = _stopped(corpora, planned, None)
        return {
            "share": stopped <= expected / planned.planned,
            "median": stopped,
            "expected": np.full(len(stopped), expected / planned.planned),
        }

    return look


def _stopped(corpora: Corpora, planned: Planned, margin: float | None) -> FloatArray:
    """Clusters until the verdict, over those planned; infinite without one."""
    is_open = judge_looks(*corpora, Rule(None, margin, ALPHA, planned.planned / 2, one_error=1.0)).verdict == NOT_YET
    return np.where(is_open[:, -1], np.inf, 1 + is_open.sum(axis=1)) / planned.planned


def _coverage(low: FloatArray, high: FloatArray, true: FloatArray, fixed: FloatArray) -> Batch:
    return {
        "share": (low <= true) & (true <= high),
        "width": (high - low) / fixed,
    }


def _fixed_width(errors: FloatArray, lengths: FloatArray) -> FloatArray:
    """Width of the 95 % interval for a number of clusters that was fixed, by the jackknife with K - 1 degrees."""
    width: FloatArray = 2 * scipy.stats.t.ppf(1 - ALPHA / 2, errors.shape[1] - 1) * _jackknife_error(errors, lengths)
    return width


def _reach(errors: FloatArray, lengths: FloatArray, tail: float) -> FloatArray:
    """Half the width of the interval for a fixed number, by the jackknife with Satterthwaite's degrees of freedom."""
    freedom = np.array([degrees_of_freedom(corpus) for corpus in lengths])
    reach: FloatArray = scipy.stats.t.ppf(1 - tail, freedom) * _jackknife_error(errors, lengths)
    return reach


def _jackknife_error(errors: FloatArray, lengths: FloatArray) -> FloatArray:
    """Standard error of the difference of rates in each corpus."""
    number = errors.shape[1]
    sums = errors.sum(axis=1, keepdims=True), lengths.sum(axis=1, keepdims=True)
    without = (sums[0] - errors) / (sums[1] - lengths)
    error: FloatArray = (number - 1) * without.std(axis=1, ddof=1) / math.sqrt(number)
    return error
