import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import UndefinedResultError, UnknownNameError
from misread.stats.significance.pvalue_adjustment import adjust

FAMILIES = st.lists(st.floats(1e-300, 1.0), min_size=1, max_size=12)
METHODS = ["holm", "benjamini_hochberg", "none"]


def slow_holm(pvalues):
    """Step down from the smallest, and never let a larger p-value end below a smaller one."""
    adjusted, running = [0.0] * len(pvalues), 0.0
    for rank, index in enumerate(sorted(range(len(pvalues)), key=pvalues.__getitem__)):
        running = max(running, min(1.0, (len(pvalues) - rank) * pvalues[index]))
        adjusted[index] = running
    return adjusted


def test_adjusted_pvalues_are_the_published_ones(published_numbers):
    for case in published_numbers["adjustment"]:
        assert adjust(case["p"], method="holm") == pytest.approx(case["holm"])
        assert adjust(case["p"], method="benjamini_hochberg") == pytest.approx(case["bh"])
        if "by" in case:
            assert adjust(case["p"], method="benjamini_yekutieli") == pytest.approx(case["by"])


@pytest.mark.slow
def test_all_equal_those_of_statsmodels():
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(8)
    for size in (2, 3, 10, 45):
        pvalues = np.round(rng.random(size) ** 3, 3) + 1e-4
        for method, theirs in (("holm", "holm"), ("benjamini_hochberg", "fdr_bh"), ("benjamini_yekutieli", "fdr_by")):
            assert adjust(pvalues, method=method) == pytest.approx(multipletests(pvalues, method=theirs)[1], rel=1e-12)


@given(FAMILIES)
def test_holm_equals_the_step_down_procedure(pvalues):
    assert adjust(pvalues, method="holm") == pytest.approx(slow_holm(pvalues), rel=1e-12)


@given(FAMILIES)
def test_benjamini_hochberg_equals_that_of_scipy(pvalues):
    assert adjust(pvalues, method="benjamini_hochberg") == pytest.approx(scipy.stats.false_discovery_control(pvalues))


def test_no_correction_leaves_the_values():
    assert adjust([0.3, 0.01], method="none").tolist() == [0.3, 0.01]


def test_no_correction_does_not_hand_back_the_array_itself():
    pvalues = np.array([0.3, 0.01])
    adjust(pvalues, method="none")[0] = 1.0
    assert pvalues[0] == 0.3


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_family_stays_empty(method):
    assert adjust([], method=method).shape == (0,)


@pytest.mark.parametrize("bad", [0.0, -0.1, 1.1, float("nan")])
@pytest.mark.parametrize("method", METHODS)
def test_a_value_that_is_no_pvalue_is_refused(bad, method):
    with pytest.raises(UndefinedResultError, match="not in"):
        adjust([0.5, bad], method=method)


def test_an_unknown_correction_names_the_choices():
    with pytest.raises(
        UnknownNameError, match=r"'hom'.*Did you mean 'holm'.*benjamini_hochberg, benjamini_yekutieli, holm, none"
    ):
        adjust([0.5], method="hom")
