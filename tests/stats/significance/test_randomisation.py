from importlib import import_module
from itertools import product

import numpy as np
import pytest
import scipy.stats

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats import randomisation_test as exchange
from misread.stats.bootstrap.kernels import flipped_sums
from misread.stats.significance.randomisation import CONVOLUTION_LIMIT, ENUMERATION_LIMIT, sign_flip, smallest_pvalue

MODULE = import_module("misread.stats.significance.randomisation")


def flip(differences, **changes):
    settings = {"length": 1000, "resamples": 999, "seed": 1, "alpha": 0.05} | changes
    return sign_flip(np.asarray(differences, dtype=np.int64), **settings)


def f1(counts):
    with np.errstate(invalid="ignore"):
        return 2 * counts[..., 0] / (counts[..., 1] + counts[..., 2])


def error_rate(counts):
    return counts[..., 0] / counts[..., 1]


def swap(baseline, system, rate=f1, **changes):
    settings = {"resamples": 999, "seed": 1, "alpha": 0.05} | changes
    return exchange(np.asarray(baseline), np.asarray(system), rate, **settings)


def slow_swaps(baseline, system, rate):
    """Every one of the 2^n ways to let units change sides."""
    differences = []
    for sides in product([False, True], repeat=len(baseline)):
        chosen = np.array(sides)[:, None]
        one, other = np.where(chosen, system, baseline), np.where(chosen, baseline, system)
        differences.append(float(rate(other.sum(axis=0)) - rate(one.sum(axis=0))))
    return np.array(differences)


def matches(units, seed=3):
    """Matches, reference and hypothesis lines of two systems."""
    rng = np.random.default_rng(seed)
    reference = rng.integers(3, 9, size=units)
    systems = []
    for share in (0.6, 0.7):
        hypothesis = rng.integers(3, 9, size=units)
        systems.append(np.stack([rng.binomial(np.minimum(reference, hypothesis), share), reference, hypothesis], 1))
    return systems


@pytest.fixture
def never_exact(monkeypatch):
    monkeypatch.setattr(MODULE, "CONVOLUTION_LIMIT", -1)
    monkeypatch.setattr(MODULE, "ENUMERATION_LIMIT", -1)


@pytest.mark.parametrize("units", [2, 5, 9, 12])
@pytest.mark.parametrize("spread", [1, 4, 30, 100_000])
def test_the_exact_pvalue_equals_that_of_scipy(units, spread):
    differences = np.random.default_rng(units).integers(-spread, spread + 2, size=units)
    oracle = scipy.stats.permutation_test(
        (differences,), lambda x, axis: x.sum(axis=axis), permutation_type="samples", n_resamples=np.inf
    )
    assert flip(differences).pvalue == pytest.approx(oracle.pvalue, rel=1e-12)


def test_equal_differences_make_the_sign_test():
    assert flip([3] * 14 + [-3] * 5).pvalue == pytest.approx(scipy.stats.binomtest(5, 19).pvalue, rel=1e-12)


def test_few_units_with_huge_differences_are_exact_and_no_pvalue_is_zero_even_where_floats_end():
    result = flip([10**12, 10**12 - 1, -3, 10**11])
    assert (result.pvalue, result.method) == (4 / 16, "exact")
    result = flip([7] * 5000, length=10**6)
    assert 0 < result.pvalue < 1e-290
    assert result.extra["smallest_pvalue"] > 0


def test_many_units_approach_the_normal_distribution():
    differences = np.random.default_rng(1).integers(-3, 4, size=3000)
    z = differences.sum() / np.sqrt(np.sum(differences**2))
    assert flip(differences).pvalue == pytest.approx(2 * scipy.stats.norm.sf(abs(z)), rel=0.05)


def test_drawn_patterns_agree_with_the_exact_pvalue(never_exact, monkeypatch):
    differences = np.random.default_rng(1).integers(-3, 5, size=150)
    drawn = flip(differences, resamples=40_000)
    monkeypatch.setattr(MODULE, "CONVOLUTION_LIMIT", CONVOLUTION_LIMIT)
    exact = flip(differences)
    assert (drawn.method, exact.method) == ("Monte Carlo, 40000 flips", "exact")
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue * (1 - exact.pvalue) / 40_000))


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_the_drawn_pvalue_counts_patterns_as_far_as_the_observed_one_and_the_latter_itself(never_exact, shift):
    differences = np.random.default_rng(shift).integers(-2, 3 + shift, size=40)
    observed = differences.sum()
    moved = flipped_sums(differences[differences != 0][:, None], 499, 7)[:, 0]
    extreme = sum(abs(observed - 2 * part) >= abs(observed) for part in moved)
    assert flip(differences, resamples=499, seed=7).pvalue == (1 + extreme) / 500


def test_a_pattern_exactly_as_far_counts():
    assert flip([1, 1]).pvalue == 0.5
    assert flip([2, 1, 1]).pvalue == 0.25
    assert flip([2, -1, 1]).pvalue == 0.75


def test_the_statistic_is_the_difference_of_rates_and_the_effect_size_the_balance_of_units():
    result = flip([-4, -2, 1, 0, 0], length=60)
    assert result.statistic == -5 / 60
    assert (result.effect_size, result.effect_size_name) == (-1 / 5, "dominance")
    assert [result.extra[key] for key in ("positive", "negative", "equal")] == [1, 2, 2]


def test_the_order_of_units_changes_no_digit_of_an_exact_pvalue():
    differences = np.random.default_rng(4).integers(-3, 5, size=150)
    assert flip(differences[::-1]) == flip(differences)


def test_units_without_difference_and_a_common_factor_change_nothing_but_their_number():
    with_zeros = flip([3, 0, -1, 0, 2, 0])
    assert with_zeros.pvalue == flip([3, -1, 2]).pvalue == flip([30, -10, 20]).pvalue
    assert with_zeros.n == 6


def test_equal_systems_have_p_one_by_definition():
    result = flip([0, 0, 0])
    assert (result.pvalue, result.method, result.statistic, result.effect_size) == (1.0, "none", 0.0, 0.0)
    assert result.notes == ("The systems have equal counts in every segment: p is 1 by definition.",)


@pytest.mark.parametrize(("units", "smallest"), [(0, 1.0), (1, 1.0), (2, 0.5), (6, 1 / 32)])
def test_the_smallest_pvalue_is_two_of_all_patterns(units, smallest):
    assert smallest_pvalue(units) == smallest
    assert flip([2] * units + [0]).extra["smallest_pvalue"] == smallest


def test_too_few_units_to_reach_the_level_are_said_to_be_so():
    result = flip([4, 1, 9, 2, 5], unit="page")
    (note,) = result.notes
    assert result.pvalue == result.extra["smallest_pvalue"] == 1 / 16
    assert note == "n too small: 5 differing (page) cannot give a p-value below 0.0625."
    assert flip([4, 1, 9, 2, 5, 3]).notes == ()


def test_too_few_drawn_patterns_to_reach_the_level_are_said_to_be_so(never_exact):
    result = flip([4] * 100, resamples=9)
    # The observed pattern counts: p is never zero.
    assert result.pvalue == result.extra["smallest_pvalue"] == 0.1
    assert result.notes[0].startswith("n too small")


@pytest.mark.parametrize("units", [1, 3, 7])
def test_exchanging_counts_of_f1_equals_trying_all(units):
    baseline, system = matches(units)
    swapped = slow_swaps(baseline, system, f1)
    observed = float(f1(system.sum(axis=0)) - f1(baseline.sum(axis=0)))
    result = swap(baseline, system)
    assert result.statistic == observed
    assert result.pvalue == np.mean(np.abs(swapped) >= abs(observed) - 1e-12)
    assert result.method == "exact"


def test_exchanging_counts_of_f1_equals_that_of_scipy():
    baseline, system = matches(8)
    rows = np.arange(8)

    def difference(one, other):
        both = np.stack([baseline, system])
        return f1(both[other // 8, other % 8].sum(axis=0)) - f1(both[one // 8, one % 8].sum(axis=0))

    oracle = scipy.stats.permutation_test(
        (rows, rows + 8), difference, permutation_type="samples", n_resamples=np.inf, vectorized=False
    )
    assert swap(baseline, system).pvalue == pytest.approx(oracle.pvalue)


def test_an_error_rate_gets_the_same_pvalue_by_either_way():
    rng = np.random.default_rng(7)
    lengths = rng.integers(5, 40, size=11)
    baseline, system = (np.stack([rng.binomial(lengths, share), lengths], 1) for share in (0.2, 0.3))
    one = swap(baseline, system, error_rate)
    other = flip(system[:, 0] - baseline[:, 0], length=int(lengths.sum()))
    assert one.pvalue == pytest.approx(other.pvalue)
    assert one.statistic == pytest.approx(other.statistic)
    assert (one.effect_size, one.extra) == (other.effect_size, other.extra)


def test_drawn_exchanges_agree_with_all_of_them(monkeypatch):
    baseline, system = matches(ENUMERATION_LIMIT)
    exact = swap(baseline, system)
    monkeypatch.setattr(MODULE, "ENUMERATION_LIMIT", 0)
    drawn = swap(baseline, system, resamples=40_000)
    assert drawn.method == "Monte Carlo, 40000 flips"
    assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue * (1 - exact.pvalue) / 40_000))


def test_exchanges_without_a_score_count_as_extreme():
    baseline, system = [[0, 0, 0], [1, 2, 2]], [[1, 1, 1], [0, 0, 0]]
    result = swap(baseline, system)
    assert result.pvalue == 1.0
    assert "The score is undefined in 1 exchanges; they count as extreme." in result.notes


def test_equal_counts_have_p_one_by_definition():
    baseline, _ = matches(20)
    result = swap(baseline, baseline)
    assert (result.pvalue, result.method, result.statistic, result.extra["equal"]) == (1.0, "none", 0.0, 20)


def test_systems_of_other_shape_and_an_undefined_score_are_refused():
    baseline, system = matches(4)
    with pytest.raises(LengthMismatchError, match=r"\(4, 3\) and the system \(3, 3\)"):
        swap(baseline, system[:3])
    with pytest.raises(UndefinedResultError, match="observed difference is nan"):
        swap([[0, 0, 0]], [[1, 1, 1]])


@pytest.mark.parametrize(
    ("differences", "settings", "message"),
    [([], {"unit": "page"}, "at least one page"), ([1, 2], {"length": 0}, "the reference has 0")],
)
def test_no_unit_and_no_reference_are_refused(differences, settings, message):
    with pytest.raises(UndefinedResultError, match=message):
        flip(differences, **settings)


@pytest.mark.parametrize("change", [{"resamples": 0}, {"seed": -1}, {"seed": 2**63}])
def test_settings_out_of_range_are_refused(change):
    with pytest.raises(ConfigurationError, match=next(iter(change))):
        flip([1, 2], **change)
