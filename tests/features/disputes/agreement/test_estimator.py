"""Rates from agreement: the estimator against a slow one, and the laws that it keeps."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.errors import UndefinedResultError
from misread.features.disputes.agreement.estimator import Agreement, agreed_rate, star_errors


def corpus(seed, *, units=12, per_unit=6, systems=3, typed=6, shared=0.0, draw="random"):
    """A corpus whose systems err on their own, at a rate that differs from unit to unit, and together."""
    rng = np.random.default_rng(seed)
    number = units * per_unit
    unit = np.repeat(np.arange(units), per_unit)
    length = rng.integers(20, 60, number)
    hardness = np.exp(rng.normal(0, 0.8, units))[unit]
    own = rng.poisson(0.03 * length[:, None] * hardness[:, None] * np.arange(1, systems + 1))
    both = rng.poisson(shared * length)
    distances = own[:, :, None] + own[:, None, :] * 1.0
    distances[:, np.arange(systems), np.arange(systems)] = 0
    chosen = np.zeros(units, np.bool_)
    chosen[rng.choice(units, typed, replace=False)] = True
    probability = (
        np.full(units, typed / units) if draw == "random" else np.where(chosen, rng.uniform(0.3, 1, units), 0.5)
    )
    return Agreement(
        distances,
        np.repeat(length[:, None], systems, axis=1),
        unit,
        errors=own + both[:, None],
        length=length,
        probability=probability,
        typed=chosen,
    )


def by_hand(made, target):
    """The estimator unit by unit, as its description has it."""
    systems = made.lengths.shape[1]
    x = np.array(
        [
            [*((row.sum(axis=1) - row.sum() / 2 / (systems - 1)) / (systems - 2)), lengths.mean()]
            for row, lengths in zip(made.distances, made.lengths, strict=True)
        ]
    )
    q = 1 / np.maximum(x[:, -1], 1)
    y, r = made.errors @ target, made.length
    sampled = [unit for unit in range(len(made.probability)) if made.typed[unit]]
    weight = {unit: 1 / made.probability[unit] for unit in sampled}
    mean_square = sum(scale * np.outer(row, row) for scale, row in zip(q, x, strict=True)) / len(x)
    k = 100 * np.mean(list(weight.values()))
    prior = np.zeros((systems + 1, 2))
    prior[:systems, 0], prior[-1, 1] = target, 1

    def parts(units):
        left, right, totals = k * mean_square, k * mean_square @ prior, np.zeros(3)
        regressors = np.zeros(systems + 1)
        for unit in units:
            for j in np.flatnonzero(made.unit == unit):
                left = left + weight[unit] * q[j] * np.outer(x[j], x[j])
                right = right + weight[unit] * q[j] * np.outer(x[j], [y[j], r[j]])
                totals[:2] += weight[unit] * np.array([y[j], r[j]])
                regressors += weight[unit] * x[j]
        fit = np.linalg.solve(left, right)
        whole = x.sum(axis=0) @ fit
        sample = regressors @ fit
        return totals[0] / totals[1], whole[0] / whole[1] - sample[0] / sample[1]

    alone, shift = parts(sampled)
    without = np.array([parts([other for other in sampled if other != unit]) for unit in sampled])
    f, a = (without - without.mean(axis=0)).T
    n = len(sampled)
    v = np.array([(1 - made.probability[unit]) * (n - 1) / n for unit in sampled])
    best = np.clip(-np.sum(v * f * a) / np.sum(v * a**2), 0, 1) if np.sum(v * a**2) else 0
    plain, agreed = np.sum(v * f**2), np.sum(v * (f + best * a) ** 2)
    if agreed >= plain:
        return alone, alone, plain, plain
    return alone + best * shift, alone, ((n - 1) * agreed + plain) / n, plain


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([3, 4]), st.sampled_from(["random", "unequal"]), st.booleans())
def test_it_is_the_estimator_of_the_description_and_never_less_sure_than_the_typed_alone(seed, systems, draw, pair):
    made = corpus(seed, systems=systems, draw=draw, shared=0.01)
    target = np.eye(systems)[0] - (np.eye(systems)[1] if pair else 0)
    rate = agreed_rate(made, target)
    expected = by_hand(made, target)
    assert [rate.rate, rate.alone, rate.error**2, rate.alone_error**2] == pytest.approx(expected, rel=1e-4)
    assert rate.error <= rate.alone_error
    assert 0 <= rate.weight <= 1


def test_star_errors_are_those_that_explain_the_distances():
    own = np.array([[3.0, 1.0, 4.0, 0.0]])
    distances = (own[:, :, None] + own[:, None, :]) * (1 - np.eye(4))
    assert star_errors(distances) == pytest.approx(own)
    assert star_errors(np.array([[[0.0, 5.0], [5.0, 0.0]]])) == pytest.approx(np.array([[2.5, 2.5]]))


def test_without_any_distance_it_is_the_typed_alone():
    made = corpus(1)
    rate = agreed_rate(replace(made, distances=np.zeros_like(made.distances)), np.array([1.0, 0, 0]))
    assert (rate.rate, rate.weight, rate.error) == (rate.alone, 0.0, rate.alone_error)
    assert rate.worth == pytest.approx(6)


def test_systems_may_be_in_any_order():
    made, order = corpus(2), [2, 0, 1]
    changed = replace(
        made,
        distances=made.distances[:, order][:, :, order],
        lengths=made.lengths[:, order],
        errors=made.errors[:, order],
    )
    first, second = agreed_rate(made, np.eye(3)[0]), agreed_rate(changed, np.eye(3)[1])
    assert first.rate == pytest.approx(second.rate, rel=1e-9)
    assert first.error == pytest.approx(second.error, rel=1e-6)


def test_if_all_is_typed_the_rate_is_exact():
    made = corpus(3, typed=12)
    rate = agreed_rate(made, np.eye(3)[0])
    true = made.errors[:, 0].sum() / made.length.sum()
    assert rate.rate == pytest.approx(true)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((true, true))


def test_twice_the_counts_change_nothing():
    made = corpus(4)
    doubled = replace(
        made,
        **{name: 2 * getattr(made, name) for name in ("distances", "lengths", "errors", "length")},
    )
    first, second = (agreed_rate(counts, np.eye(3)[1]) for counts in (made, doubled))
    assert (second.rate, second.error, second.worth) == pytest.approx((first.rate, first.error, first.worth))


def test_errors_that_all_systems_share_change_no_difference():
    target = np.array([1.0, -1.0, 0.0])
    made = corpus(5)
    more = replace(made, errors=made.errors + made.length[:, None] // 10)
    assert agreed_rate(more, target).rate == pytest.approx(agreed_rate(made, target).rate, rel=1e-9)


def test_two_equal_systems_are_no_obstacle():
    made = corpus(6)
    first = [0, 0, 2]
    equal = replace(
        made, distances=made.distances[:, first][:, :, first], lengths=made.lengths, errors=made.errors[:, first]
    )
    rates = [agreed_rate(equal, np.eye(3)[system]) for system in (0, 1)]
    assert rates[0].rate == pytest.approx(rates[1].rate, rel=1e-6)


def test_a_group_that_is_typed_is_exact_and_one_of_few_typed_units_is_refused():
    made = corpus(7)
    typed, other = np.flatnonzero(made.typed), np.flatnonzero(~made.typed)
    whole = agreed_rate(made, np.eye(3)[0], units=typed[:3])
    rows = np.isin(made.unit, typed[:3])
    assert whole.rate == pytest.approx(made.errors[rows, 0].sum() / made.length[rows].sum())
    with pytest.raises(UndefinedResultError, match="3 units were drawn and typed, and an estimate needs 5"):
        agreed_rate(made, np.eye(3)[0], units=np.append(typed[:3], other[:1]))


def test_one_page_with_everything_has_no_interval():
    made = corpus(8)
    length = made.length.copy()
    length[made.unit == np.flatnonzero(made.typed)[0]] *= 10**6
    assert agreed_rate(replace(made, length=length), np.eye(3)[0]).interval is None


@pytest.mark.slow
def test_intervals_cover_the_rate_of_all_and_are_narrower():
    covered, alone, squares = 0, 0, np.zeros(2)
    for seed in range(300):
        made = corpus(seed, units=40, typed=10, shared=0.005)
        rate = agreed_rate(made, np.eye(3)[2])
        true = made.errors[:, 2].sum() / made.length.sum()
        covered += rate.interval.low <= true <= rate.interval.high
        alone += rate.alone_interval.low <= true <= rate.alone_interval.high
        squares += (rate.rate - true) ** 2, (rate.alone - true) ** 2
    assert covered / 300 > 0.92
    assert alone / 300 > 0.88
    # Ten pages are worth more than twenty.
    assert squares[0] < squares[1] / 2
