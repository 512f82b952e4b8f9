import numpy as np
import pytest

from misread.features.size.plans import make_plans
from misread.stats import Variances, plan_designs, plan_widths
from misread.stats.sequential.confidence_sequence import NOT_YET, Rule, judge_looks

VARIANCES = Variances(clusters=0.04**2, runs=0, residual=0.02**2)


def plans(variances=VARIANCES, difference=0.02, runs=(1, 2, 3)):
    designs = plan_designs(variances, difference, runs=runs, alpha=0.05)
    return make_plans(variances, designs, difference=difference, width=None, alpha=0.05)


def test_twice_the_difference_takes_about_a_third_of_the_fixed_plan():
    for plan in plans(difference=0.01):
        assert 0.25 <= plan.one_by_one_if_twice / plan.design.clusters <= 0.4
        assert 1.0 <= plan.one_by_one / plan.design.clusters <= 1.4


def test_the_expected_numbers_are_those_of_simulated_pilots():
    (plan,) = plans(runs=(2,))
    deviation = np.sqrt(0.04**2 + 0.02**2 / 2)
    for times, expected in ((1, plan.one_by_one), (2, plan.one_by_one_if_twice)):
        differences = np.random.default_rng(1).normal(times * 0.02, deviation, (400, 5 * plan.design.clusters))
        rule = Rule(narrowest=plan.design.clusters / 2)
        stopped = 1 + (judge_looks(differences, np.ones_like(differences), rule).verdict == NOT_YET).sum(axis=1)
        assert stopped.mean() == pytest.approx(expected, rel=0.15)


def test_what_runs_share_no_checking_one_by_one_removes():
    plan = plans(Variances(clusters=0.04**2, runs=0.002**2, residual=0), runs=(4,))[0]
    assert (plan.one_by_one, plan.one_by_one_if_twice) == (None, None)


def test_a_width_takes_more_clusters_if_one_may_look_after_each():
    designs = plan_widths(VARIANCES, 0.01, runs=(1,), alpha=0.05)
    (plan,) = make_plans(VARIANCES, designs, difference=None, width=0.01, alpha=0.05)
    assert 2.2 <= plan.one_by_one / plan.design.clusters <= 2.6
    assert plan.one_by_one_if_twice is None
