from typing import get_args

import numpy as np
import pytest

from misread.stats.significance.pvalue_adjustment import Correction, adjust

PAGES = [f"p{row // 5:02}" for row in range(60)]
BASE = np.full(60, 2)


def without(page, values):
    return [value for value, name in zip(values, PAGES, strict=True) if name != page]


@pytest.fixture(scope="module")
def outlier():
    """The system is a little better on eleven pages, and fails on the last."""
    system = BASE - np.tile([1, 0, 0, 1, 0], 12)
    system[55:] = 9
    return system


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "wilcoxon"])
def test_the_result_without_the_cluster_is_that_of_the_data_without_it(compared, outlier, test):
    settings = {"tests": [test], "deciding_test": test}
    influence = compared({"a": BASE, "b": outlier}, clusters=PAGES, **settings).pair.influence
    pages = without("p11", PAGES)
    rest = compared({"a": without("p11", BASE), "b": without("p11", outlier)}, clusters=pages, **settings).pair
    assert (influence.unit, influence.removed) == ("page", "p11")
    assert influence.difference == rest.difference
    assert influence.pvalue == rest.tests[test].pvalue
    assert influence.verdict == rest.verdict


def test_a_verdict_that_one_cluster_hides_changes_without_it(compared, outlier):
    pair = compared({"a": BASE, "b": outlier}, clusters=PAGES).pair
    assert pair.verdict == "inconclusive"
    assert pair.influence.verdict == "better"


def test_no_other_cluster_changes_the_difference_more(compared):
    drawn = np.random.default_rng(2).integers(0, 5, size=60)
    pair = compared({"a": BASE, "b": drawn}, clusters=PAGES).pair
    moved = {page: abs(np.mean(without(page, drawn - BASE)) / 10 - pair.difference) for page in dict.fromkeys(PAGES)}
    assert pair.influence.removed == max(moved, key=moved.get)


def test_without_clusters_it_is_a_segment(compared):
    influence = compared({"a": [1] * 20, "b": [*[1] * 19, 9]}).pair.influence
    assert (influence.unit, influence.removed, influence.difference) == ("segment", "s0019", 0)


@pytest.mark.parametrize("correction", get_args(Correction))
def test_the_family_stays_as_it_is(compared, correction):
    drawn = np.random.default_rng(3).integers(-1, 3, size=(4, 60)) // 2
    systems = {"a": BASE, "same": BASE, **{str(number): BASE + errors for number, errors in enumerate(drawn)}}
    pairs = compared(systems, clusters=PAGES, correction=correction).pairs
    family = [pair.tests["randomisation"].pvalue for pair in pairs]
    for position, pair in enumerate(pairs):
        changed = [*family[:position], pair.influence.pvalue, *family[position + 1 :]]
        assert pair.influence.pvalue_adjusted == adjust(changed, method=correction)[position]


@pytest.mark.parametrize("units", [1, 2])
def test_too_few_units_cannot_be_left_out(compared, units):
    assert compared({"a": [1, 2][:units], "b": [2, 4][:units]}).pair.influence is None


def test_a_unit_that_holds_the_whole_reference_cannot_be_left_out(compared):
    assert compared({"a": [1, 0, 0], "b": [2, 0, 0]}, lengths=[9, 0, 0]).pair.influence is None


@pytest.mark.parametrize("worse_by", [0, 1, -1])
def test_a_reversed_pair_is_that_of_the_other_order(compared, worse_by):
    system = BASE + worse_by * np.tile([1, 0, 0, 1, 1], 12)
    system[55:] += 3
    pair = compared({"a": BASE, "b": system}, clusters=PAGES, margin=0.05).pair.reversed()
    other = compared({"b": system, "a": BASE}, clusters=PAGES, margin=0.05).pair
    assert (pair.baseline, pair.system, pair.verdict) == (other.baseline, other.system, other.verdict)
    assert (pair.better, pair.same, pair.worse) == (other.better, other.same, other.worse)
    assert (pair.difference, pair.pvalue) == pytest.approx((other.difference, other.pvalue))
    assert (pair.interval.low, pair.interval.high) == pytest.approx((other.interval.low, other.interval.high))
    assert (pair.influence.removed, pair.influence.verdict) == (other.influence.removed, other.influence.verdict)
    assert pair.influence.difference == pytest.approx(other.influence.difference)
