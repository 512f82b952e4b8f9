import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from misread.errors import ConfigurationError
from misread.stats.design.power import detectable_difference, jackknife_deviation, units_to_detect, units_to_equate

ORACLE = TTestPower()


@pytest.mark.parametrize("units", [3, 6, 20, 300, 1000, 1001, 50_000])
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 28])
def test_the_detectable_difference_has_the_power_of_the_paired_t_test(units, alpha):
    difference = detectable_difference(2.5, units, alpha=alpha)
    power = ORACLE.power(difference / 2.5, units, alpha / 2, alternative="larger")
    assert power == pytest.approx(0.80, abs=0.003)


@pytest.mark.parametrize("effect", [0.03, 0.2, 0.5, 1.5])
def test_so_many_units_have_the_power_and_one_fewer_has_not(effect):
    units = units_to_detect(effect, 1.0, alpha=0.05)
    expected = ORACLE.solve_power(effect_size=effect, alpha=0.05, power=0.80)
    assert units == pytest.approx(np.ceil(expected), abs=0.001 * expected + 1e-9)


@given(st.floats(0.001, 3), st.integers(10, 10_000))
def test_the_two_questions_have_the_same_answer(deviation, units):
    found = units_to_detect(detectable_difference(deviation, units, alpha=0.05), deviation, alpha=0.05)
    assert abs(found - units) <= 1


def test_no_number_of_units_finds_nothing():
    assert units_to_detect(0.0, 1.0, alpha=0.05) is None


def test_equivalence_takes_the_published_number_of_units():
    # (z(.05) + z(.10))^2 / margin^2, for a difference of 0: Julious (2004), section 5.
    assert units_to_equate(0.0, 1.0, margin=0.1, alpha=0.05) == np.ceil((1.6448536 + 1.2815516) ** 2 / 0.01)


def test_a_difference_near_the_margin_takes_more_units_and_one_outside_never_enough():
    near, far = (units_to_equate(difference, 1.0, margin=0.1, alpha=0.05) for difference in (0.05, -0.05))
    assert near == far > units_to_equate(0.0, 1.0, margin=0.1, alpha=0.05)
    assert units_to_equate(0.1, 1.0, margin=0.1, alpha=0.05) is None


def test_the_jackknife_of_a_mean_is_its_standard_deviation():
    values = np.random.default_rng(1).normal(size=50)
    assert jackknife_deviation((values.sum() - values) / 49) == pytest.approx(np.std(values, ddof=1))


@pytest.mark.parametrize("without", [[], [1.0], [2.0, 2.0, 2.0], [1.0, np.nan]])
def test_without_variation_there_is_no_deviation(without):
    assert jackknife_deviation(np.array(without)) is None


@pytest.mark.parametrize(("units", "alpha", "power"), [(1, 0.05, 0.8), (9, 0.0, 0.8), (9, 0.05, 1.0), (9, 0.9, 0.8)])
def test_a_question_without_an_answer_is_refused(units, alpha, power):
    with pytest.raises(ConfigurationError):
        detectable_difference(1.0, units, alpha=alpha, power=power)
