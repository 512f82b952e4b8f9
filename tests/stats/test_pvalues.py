import pytest

from misread.stats.pvalues import SMALLEST_PVALUE, positive_pvalue


@pytest.mark.parametrize("pvalue", [1.0, 0.05, 1e-300])
def test_an_ordinary_pvalue_is_left_alone(pvalue):
    assert positive_pvalue(pvalue) == pvalue


def test_a_pvalue_that_underflowed_becomes_the_smallest_positive_float():
    assert positive_pvalue(0.0) == SMALLEST_PVALUE > 0


def test_a_pvalue_rounded_above_one_is_one():
    assert positive_pvalue(1.0000000000000002) == 1.0
