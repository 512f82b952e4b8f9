"""Designs of comparisons with repeated runs."""

import math

import pytest
import scipy.stats

from misread.errors import ConfigurationError
from misread.stats import Variances, detectable_difference, plan_designs, plan_widths
from misread.stats.design.power import detectable_by_error, units_to_detect

OPTIONS = {"runs": range(1, 9), "alpha": 0.05}


def test_without_runs_that_vary_it_is_the_number_of_clusters_of_any_comparison():
    variances = Variances(clusters=0.04**2, runs=0, residual=0)
    designs = plan_designs(variances, 0.01, **OPTIONS)
    assert {of.clusters for of in designs} == {units_to_detect(0.01, 0.04, alpha=0.05)}
    assert designs[0].detectable == pytest.approx(detectable_difference(0.04, designs[0].clusters, alpha=0.05))
    assert [of.runs for of in designs] == [*range(1, 9)]


def test_more_runs_take_fewer_clusters():
    designs = plan_designs(Variances(clusters=0.02**2, runs=0, residual=0.04**2), 0.002, **OPTIONS)
    assert [of.clusters for of in designs] == sorted({of.clusters for of in designs}, reverse=True)


def test_every_design_shows_the_difference_and_one_cluster_less_does_not():
    variances = Variances(clusters=0.03**2, runs=0.001**2, residual=0.02**2)
    for design in plan_designs(variances, 0.01, **OPTIONS):
        assert design.detectable <= 0.01
        fewer = variances.error(design.clusters - 1, design.runs), variances.freedom(design.clusters - 1, design.runs)
        assert detectable_by_error(*fewer, alpha=0.05) > 0.01


def test_a_single_run_cannot_show_anything_where_runs_share_an_effect():
    variances = Variances(clusters=0.03**2, runs=0.001**2, residual=0)
    assert 1 not in {of.runs for of in plan_designs(variances, 0.01, **OPTIONS)}


def test_where_runs_differ_more_than_the_systems_no_number_of_clusters_will_do():
    variances = Variances(clusters=0.01**2, runs=0.05**2, residual=0)
    assert plan_designs(variances, 0.001, **OPTIONS) == []


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Variances(clusters=-1, runs=0, residual=0), "variance of clusters is -1"),
        (lambda: Variances(clusters=0, runs=0, residual=0), "nothing varies"),
        (lambda: Variances(clusters=1, runs=0, residual=0, evenness=0), "the evenness is 0, expected a share above 0"),
        (lambda: plan_designs(Variances(clusters=1, runs=0, residual=0), 0, **OPTIONS), "the difference is 0"),
        (
            lambda: plan_designs(Variances(clusters=1, runs=0, residual=0), 1, **{**OPTIONS, "alpha": 0.9}),
            "alpha is 0.9 and power 0.8",
        ),
        (
            lambda: plan_designs(Variances(clusters=1, runs=0, residual=0), 1, **{**OPTIONS, "runs": [0]}),
            "number of runs is 0",
        ),
    ],
)
def test_what_is_out_of_range_is_refused(make, words):
    with pytest.raises(ConfigurationError, match=words):
        make()


def test_the_degrees_of_freedom_are_satterthwaite_s():
    variances = Variances(clusters=3.0, runs=2.0, residual=4.0)
    by_cluster, by_run = (3.0 + 4.0 / 4) / 10, 2.0 / 4
    expected = (by_cluster + by_run) ** 2 / (by_cluster**2 / 9 + by_run**2 / 6)
    assert variances.freedom(10, 4) == pytest.approx(expected)
    assert Variances(clusters=3.0, runs=0.0, residual=0.0).freedom(10, 4) == 9


def test_unequal_clusters_widen_the_interval_and_take_no_power_from_randomisation():
    even, uneven = (Variances(clusters=0.04**2, runs=0, residual=0, evenness=share) for share in (1.0, 0.4))
    (wide,), (narrow,) = (plan_widths(variances, 0.06, runs=[1], alpha=0.05) for variances in (uneven, even))
    assert wide.clusters > narrow.clusters
    quantile = scipy.stats.t.ppf(0.975, 0.4 * (wide.clusters - 1))
    assert wide.width == pytest.approx(2 * quantile * 0.04 / math.sqrt(wide.clusters))
    found = [plan_designs(variances, 0.04, runs=[1], alpha=0.05)[0] for variances in (uneven, even)]
    assert found[0].clusters == found[1].clusters
    assert found[0].detectable == found[1].detectable


def test_unequal_clusters_take_power_where_the_interval_decides():
    even, uneven = (Variances(clusters=0.04**2, runs=1e-5, residual=0, evenness=share) for share in (1.0, 0.4))
    (few,), (more,) = (plan_designs(variances, 0.04, runs=[4], alpha=0.05) for variances in (even, uneven))
    assert more.clusters > few.clusters


def test_the_width_of_a_design_is_that_of_an_interval_by_student_and_one_cluster_less_is_wider():
    variances = Variances(clusters=0.04**2, runs=0, residual=0.02**2)
    for design in plan_widths(variances, 0.01, runs=range(1, 4), alpha=0.05):
        widths = [
            2 * scipy.stats.t.ppf(0.975, number - 1) * math.sqrt((0.04**2 + 0.02**2 / design.runs) / number)
            for number in (design.clusters, design.clusters - 1)
        ]
        assert design.width == pytest.approx(widths[0])
        assert widths[0] <= 0.01 < widths[1]


@pytest.mark.parametrize("width", [0, -1, math.inf, math.nan])
def test_a_width_out_of_range_is_refused(width):
    with pytest.raises(ConfigurationError, match="the wanted width is"):
        plan_widths(Variances(clusters=1, runs=0, residual=0), width, runs=[1], alpha=0.05)
