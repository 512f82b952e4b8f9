"""Confidence sequences against inversion on a grid, numerical integration, and permutations of small populations."""

import itertools
import math

import numpy as np
import pytest
import scipy.integrate
import scipy.special
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.stats.sequential.confidence_sequence import (
    BETTER,
    EQUIVALENT,
    FIRST_LOOK,
    NOT_YET,
    OVERSHOOT,
    Rule,
    evidence_within,
    guarded_variance,
    intersect_so_far,
    judge_looks,
    prior_precision,
    remove_expected,
    sequence_ends,
)


def clusters(number, seed=1, difference=-5.0, corpora=()):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(100, 400, (*corpora, number)).astype(float)
    return np.rint(rng.normal(difference, 12, (*corpora, number))), lengths


def slow_evidence(residuals, precision):
    """Likelihood ratio of the t statistic: its noncentral density over a normal prior, by numerical integration."""
    n = len(residuals)
    t = residuals.mean() / residuals.std(ddof=1) * math.sqrt(n)

    def density(effect):
        prior = scipy.stats.norm.pdf(effect, scale=math.sqrt(precision))
        return prior * scipy.stats.nct.pdf(t, n - 1, effect * math.sqrt(n))

    mixed, _ = scipy.integrate.quad(density, -3, 3, limit=400, points=[0.0])
    return mixed / scipy.stats.t.pdf(t, n - 1)


@pytest.mark.parametrize("number", [15, 40])
def test_at_its_ends_the_evidence_against_the_difference_reaches_the_level(number):
    errors, lengths = clusters(number)
    for level, narrowest in ((0.05, 20), (0.2, 100)):
        low, high = sequence_ends(errors, lengths, level=level, narrowest=narrowest)
        for end in (low[-1], high[-1]):
            evidence = slow_evidence(errors - end * lengths, prior_precision(level, narrowest))
            assert evidence == pytest.approx(1 / level, rel=1e-4)


def test_it_is_the_inversion_on_a_grid():
    errors, lengths = clusters(30)
    low, high = sequence_ends(errors, lengths, level=0.05, narrowest=25)
    precision = prior_precision(0.05, 25)
    grid = np.linspace(-0.2, 0.2, 4001)
    for number in (12, 30):
        residuals = errors[:number] - grid[:, np.newaxis] * lengths[:number]
        means, squares = residuals.sum(axis=1), (residuals**2).sum(axis=1)
        spread = 1 - precision * means**2 / (1 + precision * number) / squares
        evidence = (1 + precision * number) ** -0.5 * spread ** (-number / 2)
        inside = grid[evidence < 20]
        assert (inside.min(), inside.max()) == pytest.approx((low[number - 1], high[number - 1]), abs=1e-4)


@pytest.mark.parametrize(("level", "narrowest"), [(0.05, 30), (0.05, 300), (0.01, 100)])
def test_the_interval_is_narrowest_where_it_should_be(level, narrowest):
    # Of many clusters without variation of lengths, in units of what a fixed number of them has.
    numbers = np.arange(10, 4 * narrowest)
    precision = prior_precision(level, narrowest)
    growth = 1 + precision * numbers
    reach = np.sqrt(growth / precision / numbers * np.log(growth / level**2))
    assert numbers[reach.argmin()] == pytest.approx(narrowest, rel=0.02)


def test_no_interval_comes_before_the_first_look():
    low, high = sequence_ends(*clusters(20), level=0.05, narrowest=20)
    assert not np.isfinite([low[: FIRST_LOOK - 1], high[: FIRST_LOOK - 1]]).any()


@given(st.integers(12, 39), st.integers(0, 99), st.sampled_from([None, 40, 90]))
@settings(max_examples=40)
def test_intervals_only_shrink(number, seed, total):
    looks = judge_looks(*clusters(number, seed), Rule(total, 0.02))
    assert (np.diff(looks.low[FIRST_LOOK:]) >= 0).all()
    assert (np.diff(looks.high[FIRST_LOOK:]) <= 0).all()
    assert (looks.low <= looks.high).all()


@given(st.integers(0, 99), st.floats(0.01, 1000), st.floats(0.01, 1000))
@settings(max_examples=30)
def test_units_do_not_matter(seed, errors_unit, lengths_unit):
    errors, lengths = clusters(30, seed)
    looks = judge_looks(errors, lengths, Rule(60, 0.02))
    unit = errors_unit / lengths_unit
    rule = Rule(60, 0.02 * unit, one_error=errors_unit)
    scaled = judge_looks(errors * errors_unit, lengths * lengths_unit, rule)
    assert scaled.low[FIRST_LOOK:] == pytest.approx(looks.low[FIRST_LOOK:] * unit, rel=1e-6)
    assert scaled.verdict.tolist() == looks.verdict.tolist()


@given(st.integers(0, 99))
@settings(max_examples=30)
def test_systems_exchanged_change_signs_alone(seed):
    errors, lengths = clusters(30, seed)
    looks, exchanged = (judge_looks(sign * errors, lengths, Rule(None, 0.02)) for sign in (1, -1))
    assert exchanged.low.tolist() == (-looks.high).tolist()
    assert (exchanged.verdict == EQUIVALENT).tolist() == (looks.verdict == EQUIVALENT).tolist()


def test_what_is_added_to_the_expected_is_uncorrelated_over_all_orders_and_has_the_variance_of_a_cluster():
    population = np.array([5.0, -2.0, 0.5, -4.0, 1.5, -1.0])
    orders = np.array(list(itertools.permutations(population)))
    added = remove_expected(orders, len(population))[:, :-1]
    assert added.mean(axis=0) == pytest.approx(np.zeros(5), abs=1e-12)
    variance = population @ population / (len(population) - 1)
    assert np.cov(added.T, bias=True) == pytest.approx(variance * np.eye(5), abs=1e-9)


def test_a_number_of_all_clusters_narrows_the_interval():
    errors, lengths = clusters(40)
    widths = []
    for total in (None, 1000, 80, 50):
        looks = judge_looks(errors, lengths, Rule(total, narrowest=40))
        widths.append(looks.high[-1] - looks.low[-1])
    assert widths == sorted(widths, reverse=True)
    assert widths[1] == pytest.approx(widths[0], rel=0.05)


def test_once_all_are_checked_the_difference_is_known():
    errors, lengths = clusters(30)
    looks = judge_looks(errors, lengths, Rule(30, 0.05))
    assert looks.low[-1] == looks.high[-1] == pytest.approx(errors.sum() / lengths.sum())


def test_an_empty_intersection_leaves_the_last_interval():
    low, high = intersect_so_far(np.array([0.0, 1.0, 4.0, 0.0]), np.array([5.0, 3.0, 6.0, 9.0]))
    assert low.tolist() == [0, 1, 1, 1]
    assert high.tolist() == [5, 3, 3, 3]


def test_evidence_of_a_known_variance_is_that_of_wald():
    # So many residuals, of lengths 1, that their variance of 1 is as good as known.
    errors, margin = np.random.default_rng(3).normal(0.0, 1.0, 4000), 0.1
    sums, numbers = np.cumsum(errors), np.arange(1, 4001)
    sides = [(margin * (margin * numbers / 2 + sign * sums)).max() for sign in (1, -1)]
    beyond = OVERSHOOT * margin
    assert evidence_within(errors, np.ones(4000), margin)[-1] == pytest.approx(min(sides) + beyond, rel=0.05)


def test_a_bound_is_passed_by_what_siegmund_says():
    # Siegmund (1985), section 10.4: minus zeta(1/2) over the root of two pi.
    assert pytest.approx(-scipy.special.zeta(0.5) / math.sqrt(2 * math.pi), abs=5e-4) == OVERSHOOT


def test_the_variance_is_guarded_by_the_effective_number_of_clusters():
    residuals, lengths = np.array([3.0, -1.0, 2.0, 5.0, -4.0]), np.array([4.0, 1.0, 4.0, 10.0, 0.0])
    weights = [value**2 / length for value, length in zip(residuals, lengths, strict=True) if length]
    effective = sum(weights) ** 2 / sum(weight**2 for weight in weights)
    expected = np.mean(residuals**2) * (1 + 2 / effective)
    assert guarded_variance(residuals, lengths)[-1] == pytest.approx(expected)
    # Squares that grow with lengths make no cluster heavy.
    growing = np.sqrt(lengths[:4])
    assert guarded_variance(growing, lengths[:4])[-1] == pytest.approx(np.mean(growing**2) * (1 + 2 / 4))
    heavy = np.array([1.0, 1.0, 1.0, 9.0])
    assert guarded_variance(heavy, np.ones(4))[-1] > guarded_variance(heavy, np.array([1.0, 1.0, 1.0, 81.0]))[-1]


def test_evidence_needs_both_sides():
    errors, lengths = clusters(60, difference=12.0)
    assert evidence_within(errors, lengths, 0.02)[-1] < math.log(20)
    assert evidence_within(errors, lengths, 0.5)[-1] > math.log(20)


def test_the_first_verdict_stays():
    errors, lengths = clusters(60, difference=-9.0)
    verdict = judge_looks(errors, lengths, Rule(None, 0.2)).verdict
    decided = verdict[verdict != NOT_YET]
    assert len(set(decided.tolist())) == 1
    assert (verdict[: len(verdict) - len(decided)] == NOT_YET).all()
    without = judge_looks(errors, lengths, Rule()).verdict
    assert without[-1] == BETTER


def test_normal_residuals_are_missed_at_any_of_500_looks_in_no_more_than_the_level():
    errors, lengths = clusters(500, difference=0.0, corpora=(500,))
    looks = judge_looks(errors, lengths, Rule(narrowest=100))
    missed = ((looks.low[:, -1] > 0) | (looks.high[:, -1] < 0)).mean()
    # A test for a fixed number, repeated so often, would err in about half of the corpora.
    assert 0.005 < missed <= scipy.stats.binom.ppf(0.999, 500, 0.05) / 500


def test_corpora_are_judged_as_each_alone():
    errors, lengths = clusters(40, corpora=(3,))
    together = judge_looks(errors, lengths, Rule(80, 0.02))
    for index in range(3):
        alone = judge_looks(errors[index], lengths[index], Rule(80, 0.02))
        assert together.low[index].tolist() == alone.low.tolist()
        assert together.verdict[index].tolist() == alone.verdict.tolist()
