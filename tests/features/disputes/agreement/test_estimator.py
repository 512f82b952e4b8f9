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
    lengths = np.repeat(length[:, None], systems, axis=1)
    return Agreement(distances, lengths, unit, own + both[:, None], length, probability, typed=chosen)


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
    if agreed >= (1 - 2 / n) * plain:
        return alone, alone, plain, plain
    return alone + best * shift, alone, ((n - 1) ** 2 / (n - 2) * agreed + plain) / n, plain


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
        **{name: getattr(made, name)[:, order] for name in ("lengths", "errors")},
        distances=made.distances[:, order][:, :, order],
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
    doubled = replace(made, **{name: 2 * getattr(made, name) for name in ("distances", "lengths", "errors", "length")})
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
    equal = replace(made, distances=made.distances[:, first][:, :, first], errors=made.errors[:, first])
    rates = [agreed_rate(equal, np.eye(3)[system]) for system in (0, 1)]
    assert rates[0].rate == pytest.approx(rates[1].rate, rel=1e-6)


@pytest.mark.parametrize("draw", ["random", "unequal"])
def test_a_group_that_is_typed_is_exact_and_one_of_few_typed_units_is_refused(draw):
    made = corpus(7, draw=draw)
    typed, other = np.flatnonzero(made.typed), np.flatnonzero(~made.typed)
    whole = agreed_rate(made, np.eye(3)[0], units=typed[:3])
    rows = np.isin(made.unit, typed[:3])
    true = made.errors[rows, 0].sum() / made.length[rows].sum()
    assert (whole.rate, whole.interval.low, whole.interval.high) == pytest.approx((true, true, true))
    with pytest.raises(UndefinedResultError, match="3 units are typed that might not have been drawn"):
        agreed_rate(made, np.eye(3)[0], units=np.append(typed[:3], other[:1]))


def test_five_units_that_might_not_have_been_drawn_are_needed():
    made = corpus(7)
    probability = made.probability.copy()
    probability[np.flatnonzero(made.typed)[:2]] = 1.0
    with pytest.raises(UndefinedResultError, match="4 units are typed that might not have been drawn"):
        agreed_rate(replace(made, probability=probability), np.eye(3)[0])


def test_one_page_with_everything_has_no_interval_and_no_test():
    made = corpus(8)
    first = made.unit == np.flatnonzero(made.typed)[0]
    for length in (np.where(first, made.length * 10**6, made.length), np.where(first, made.length, 0)):
        one = replace(made, length=length)
        rate, pair = agreed_rate(one, np.eye(3)[0]), agreed_rate(one, np.eye(3)[0] - np.eye(3)[1])
        assert (rate.interval, rate.alone_interval, pair.interval, pair.pvalue) == (None,) * 4
        assert np.isfinite([rate.error, rate.worth, pair.error]).all()


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.booleans(), st.booleans(), st.booleans())
def test_no_standard_error_is_larger_than_that_of_the_typed_alone(seed, such, pair, strata):
    made = corpus(seed, typed=8, shared=0.02)
    labels = np.zeros(12, np.int64)
    labels[np.flatnonzero(made.typed)[:4]] = labels[np.flatnonzero(~made.typed)[:2]] = 1
    made = replace(made, stratum=labels if strata else None, probability=np.full(12, 2 / 3))
    rate = agreed_rate(made, np.eye(3)[0] - (np.eye(3)[1] if pair else 0), such=such)
    assert rate.error <= rate.alone_error
    assert rate.freedom >= 1
    assert rate.worth >= 8 - 1e-9


def test_rates_of_such_texts_have_the_variance_of_a_sample_of_samples():
    made, n = corpus(9), 6
    rate = agreed_rate(made, np.eye(3)[0], such=True)
    y, r = made.sum_by_unit(made.errors[:, 0])[made.typed], made.sum_by_unit(made.length)[made.typed]
    without = (y.sum() - y) / (r.sum() - r)
    # With equal probabilities, all of the typed alone's variance between units, without a finite population.
    assert rate.alone_error**2 == pytest.approx((n - 1) / n * np.sum((without - without.mean()) ** 2))


def test_strata_are_sampled_on_their_own():
    made = corpus(10, typed=7)
    typed = np.flatnonzero(made.typed)
    stratum = np.isin(np.arange(12), [*typed[:3], *np.flatnonzero(~made.typed)[:1]]).astype(int)
    probability = np.where(stratum == 1, 3 / 4, 4 / 8)
    rate = agreed_rate(replace(made, stratum=stratum, probability=probability), np.eye(3)[0])
    y, r = made.sum_by_unit(made.errors[:, 0]), made.sum_by_unit(made.length)
    strata = [typed[:3], typed[3:]]

    def ratio(weights):
        return sum(weights[u] * y[u] for u in weights) / sum(weights[u] * r[u] for u in weights)

    full = {u: 1 / probability[u] for u in typed}
    variances = []
    for units in strata:
        n = len(units)
        left = [
            ratio({u: w * (n / (n - 1) if u in units else 1) for u, w in full.items() if u != out}) for out in units
        ]
        variances.append((1 - probability[units[0]]) * (n - 1) / n * np.sum((left - np.mean(left)) ** 2))
    assert rate.alone == pytest.approx(ratio(full))
    assert rate.alone_error**2 == pytest.approx(sum(variances))
    assert rate.freedom == pytest.approx(
        sum(variances) ** 2 / sum(v**2 / (len(u) - 1) for v, u in zip(variances, strata, strict=True))
    )


def test_a_test_takes_units_that_share_the_disagreement_and_is_careful_where_the_sample_shows_less():
    made, target = corpus(11, units=40, typed=20), np.array([1.0, -1.0, 0.0])
    assert agreed_rate(made, target).pvalue is not None
    by_unit = made.sum_by_unit(made.distances[:, 0, 1])
    few = replace(made, distances=made.distances * np.where(made.unit == by_unit.argmax(), 1e3, 1)[:, None, None])
    assert agreed_rate(few, target).disputed == pytest.approx(0.5, rel=0.05)
    assert agreed_rate(few, target).pvalue is None
    quiet = replace(made, typed=np.isin(np.arange(40), by_unit.argsort()[:20]))
    expected = (by_unit**2).sum() / 2 / (by_unit[quiet.typed] ** 2).sum()
    assert agreed_rate(quiet, target).caution ** 2 == pytest.approx(expected)
