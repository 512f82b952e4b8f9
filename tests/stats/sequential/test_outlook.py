"""Expected numbers of clusters against simulated verdicts."""

import numpy as np
import pytest

from misread.stats import detectable_difference
from misread.stats.sequential.confidence_sequence import NOT_YET, Rule, judge_looks, sequence_ends
from misread.stats.sequential.outlook import clusters_to_expect, clusters_to_find, clusters_to_narrow


@pytest.mark.parametrize(("planned", "times"), [(40, 1.0), (40, 2.0), (200, 1.0), (200, 2.0), (200, 4.0)])
def test_the_mean_number_of_clusters_is_about_the_expected_one(planned, times):
    difference = times * detectable_difference(1.0, planned, alpha=0.05)
    rule = Rule(narrowest=planned / 2)
    residuals = np.random.default_rng(1).normal(difference, 1.0, (400, round(5 * planned / times)))
    stopped = 1 + (judge_looks(residuals, np.ones_like(residuals), rule).verdict == NOT_YET).sum(axis=1)
    assert 0.85 <= stopped.mean() / clusters_to_find(difference, 1.0, rule) <= 1.03


def test_the_sign_of_the_difference_does_not_matter():
    assert clusters_to_find(-0.3, 1.0, Rule()) == clusters_to_find(0.3, 1.0, Rule())


@pytest.mark.parametrize("width", [0.2, 1.0])
def test_after_so_many_clusters_the_interval_is_so_narrow(width):
    number = clusters_to_narrow(width, 1.0, level=0.05)
    residuals = np.random.default_rng(2).normal(0.0, 1.0, (300, number))
    low, high = sequence_ends(residuals, np.ones_like(residuals), level=0.05, narrowest=number)
    assert np.median(high[:, -1] - low[:, -1]) == pytest.approx(width, rel=0.02)


def test_with_all_clusters_known_fewer_are_expected():
    rng = np.random.default_rng(3)
    errors, lengths = rng.normal(-3.0, 12.0, 20), np.full(20, 100.0)
    numbers = [clusters_to_expect(errors, lengths, Rule(total, narrowest=40)) for total in (30, 80, 20_000, None)]
    assert numbers == sorted(numbers)
    assert numbers[0] <= 30
    assert numbers[2] == pytest.approx(numbers[3], rel=0.05)


def test_systems_exactly_alike_are_expected_to_be_told_within_a_margin_alone():
    errors, lengths = np.tile([3.0, -3.0], 10), np.full(20, 100.0)
    assert clusters_to_expect(errors, lengths, Rule()) is None
    assert clusters_to_expect(errors, lengths, Rule(margin=0.005)) > 20
    assert clusters_to_expect(errors, lengths, Rule(total=60)) == 60


def test_clusters_that_all_differ_by_the_margin_are_expected_to_show_the_difference():
    errors, lengths = np.ones(9), np.full(9, 100.0)
    assert clusters_to_expect(errors, lengths, Rule(margin=0.01, level=1e-4)) > 10


def test_equal_systems_that_go_on_like_this_are_told_within_the_margin_when_expected():
    errors, lengths = np.tile([3.0, -3.0], 100), np.full(200, 100.0)
    rule = Rule(margin=0.01)
    expected = clusters_to_expect(errors[:20], lengths[:20], rule)
    decided = int((judge_looks(errors, lengths, rule).verdict == NOT_YET).sum()) + 1
    # More clusters are less likely to lack the largest.
    assert expected - 3 <= decided <= expected
