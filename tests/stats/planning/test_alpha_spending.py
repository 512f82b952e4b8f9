import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, UnknownNameError
from misread.stats.planning.alpha_spending import level_of_look, spent_alpha

FUNCTIONS = ["obrien_fleming", "pocock"]
# Lan and DeMets's functions for a two-sided alpha of 0.05 at five equally spaced looks (DeMets and Lan 1994).
PUBLISHED = {
    "obrien_fleming": [0.0000, 0.0008, 0.0076, 0.0244, 0.0500],
    "pocock": [0.0148, 0.0262, 0.0354, 0.0432, 0.0500],
}


@pytest.mark.parametrize("spending", FUNCTIONS)
def test_spent_alpha_is_that_of_published_tables(spending):
    spent = [spent_alpha(look / 5, alpha=0.05, spending=spending) for look in range(1, 6)]
    assert np.round(spent, 4).tolist() == PUBLISHED[spending]


@given(st.integers(1, 60), st.floats(0.001, 0.2), st.sampled_from(FUNCTIONS))
def test_levels_of_all_looks_add_up_to_alpha(looks, alpha, spending):
    levels = [level_of_look(look, looks, alpha=alpha, spending=spending) for look in range(1, looks + 1)]
    assert all(level >= 0 for level in levels)
    assert sum(levels) == pytest.approx(alpha)


def test_a_single_look_has_all_of_alpha():
    assert [level_of_look(1, 1, alpha=0.05, spending=spending) for spending in FUNCTIONS] == pytest.approx([0.05] * 2)


def simulate(dependence, spending, *, looks=10, runs=20_000):
    """Share of runs without any true difference in which some look calls one significant."""
    random = np.random.default_rng(20260101)
    shared, own = random.standard_normal((runs, 1)), random.standard_normal((runs, looks))
    z = {
        # Every commit changes something else: nothing in common.
        "independent": own,
        # Commits that hardly differ, scored on the same segments.
        "alike": np.sqrt(0.95) * shared + np.sqrt(0.05) * own,
        # A data set that grows from look to look.
        "accumulating": own.cumsum(axis=1) / np.sqrt(np.arange(1, looks + 1)),
    }[dependence]
    pvalues = 2 * scipy.stats.norm.sf(np.abs(z))
    levels = [
        0.05 if spending is None else level_of_look(k + 1, looks, alpha=0.05, spending=spending) for k in range(looks)
    ]
    return np.mean((pvalues < levels).any(axis=1))


@pytest.mark.parametrize("spending", FUNCTIONS)
@pytest.mark.parametrize("dependence", ["independent", "alike", "accumulating"])
def test_repeated_looks_keep_the_error_rate_however_they_depend_on_each_other(dependence, spending):
    # Upper end of a two-sided 99.9 % binomial band around 0.05.
    assert simulate(dependence, spending) <= scipy.stats.binom.ppf(0.9995, 20_000, 0.05) / 20_000


@pytest.mark.parametrize("dependence", ["independent", "accumulating"])
def test_the_simulation_bites_looks_at_the_full_level_raise_false_alarms(dependence):
    assert simulate(dependence, None) > 0.15


def test_spending_does_not_waste_what_it_may_use():
    assert simulate("independent", "pocock") > 0.045


@pytest.mark.parametrize(
    ("look", "looks", "alpha", "message"),
    [(0, 3, 0.05, "look 0 of 3"), (4, 3, 0.05, "look 4 of 3"), (1, 3, 1.0, "alpha is 1.0")],
)
def test_looks_and_levels_that_cannot_be_are_refused(look, looks, alpha, message):
    with pytest.raises(ConfigurationError, match=message):
        level_of_look(look, looks, alpha=alpha, spending="pocock")


def test_an_unknown_function_is_answered_with_those_there_are():
    with pytest.raises(UnknownNameError, match=r"obrien_fleming, pocock"):
        spent_alpha(0.5, alpha=0.05, spending="even")
    with pytest.raises(ConfigurationError, match=r"share of looks is 1\.5"):
        spent_alpha(1.5, alpha=0.05, spending="pocock")
