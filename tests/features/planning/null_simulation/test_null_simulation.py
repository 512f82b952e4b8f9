from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from tests.made_results import share_errors

from misread.errors import ConfigurationError, UndefinedResultError
from misread.features.planning.null_simulation.null_simulation import _thin, render_null_simulation, simulate_null
from misread.sockets import METRICS
from misread.stats import StatisticsSettings

CER = METRICS["cer"]
CLUSTERS, SEGMENTS = 20, 6


def shared(errors, clusters=None, operations=None):
    """Two systems from their errors a segment, all of them substitutions among 20 characters."""
    shared_segments = share_errors(dict(zip("ab", errors, strict=True)), 20, clusters)
    return replace(shared_segments, operations=operations or {})


def alike_within_pages(shift=0):
    """Segments of one page err alike, on some pages one system more and on others the other one."""
    rng = np.random.default_rng(3)
    page = np.repeat(rng.integers(-3, 4, CLUSTERS), SEGMENTS)
    a = rng.binomial(20, 0.2, CLUSTERS * SEGMENTS)
    b = np.clip(a + page + shift + rng.integers(-1, 2, len(a)), 0, 20)
    return shared((a, b), np.repeat(np.arange(CLUSTERS), SEGMENTS))


def independent(segments=60):
    rng = np.random.default_rng(4)
    return shared(rng.binomial(20, 0.2, (2, segments)))


def simulated(of, *tests, simulations=200, **settings):
    settings = StatisticsSettings(**{"seed": 1, "resamples": 99, "tests": [*tests, "randomisation"]} | settings)
    return simulate_null(of, CER, "a", "b", settings, simulations=simulations)


def sizes(result):
    return {(size.test, size.unit): size for size in result.tests}


@pytest.fixture(scope="module")
def clustered():
    return simulated(alike_within_pages(), "bootstrap", "wilcoxon")


@pytest.mark.slow
def test_tests_that_resample_are_tried_by_cluster_and_by_segment(clustered):
    assert list(sizes(clustered)) == [
        ("bootstrap", "page"),
        ("bootstrap", "segment"),
        ("wilcoxon", "segment"),
        ("randomisation", "page"),
        ("randomisation", "segment"),
    ]


@pytest.mark.slow
def test_segments_of_one_page_that_err_alike_make_tests_by_segment_unsafe(clustered):
    found = sizes(clustered)
    assert found["randomisation", "page"].judgement in ("safe", "cautious")
    assert {found[test, "segment"].judgement for test in ("randomisation", "bootstrap", "wilcoxon")} == {"too often"}


@pytest.mark.slow
def test_independent_segments_are_safe_for_all():
    found = simulated(independent(), "bootstrap", "wilcoxon", "paired_t")
    assert (found.exchanged, found.units) == ("segment", 60)
    assert {size.judgement for size in found.tests} == {"safe"}


@pytest.mark.slow
def test_the_interval_is_that_of_clopper_and_pearson(clustered):
    for size in clustered.tests:
        rejected = round(size.type_1_error * 200)
        ends = scipy.stats.binomtest(rejected, 200).proportion_ci(0.99, method="exact")
        assert (size.low, size.high) == pytest.approx((ends.low, ends.high))


def test_the_same_seed_gives_the_same_shares():
    once, again = (simulated(alike_within_pages(), "bootstrap", "wilcoxon", simulations=20) for _ in range(2))
    assert once == again


def test_too_few_clusters_can_never_reject():
    few = shared(np.random.default_rng(1).binomial(20, 0.2, (2, 12)), np.repeat(np.arange(4), 3))
    assert sizes(simulated(few))["randomisation", "page"].judgement == "never"


@pytest.mark.slow
def test_a_difference_that_is_there_is_thinned_away():
    """Independent segments stay independent, however far apart the two systems are."""
    rng = np.random.default_rng(6)
    errors = np.stack([rng.binomial(20, 0.1, 120), rng.binomial(20, 0.3, 120)])
    found = simulated(shared(errors, np.repeat(np.arange(CLUSTERS), SEGMENTS)), "wilcoxon", "paired_t")
    assert (found.thinned, found.remainder) == ("b", errors[0].sum() / errors[1].sum())
    assert found.observed_pvalue < 0.001
    assert not found.is_upper_bound
    assert {size.judgement for size in found.tests} <= {"safe", "cautious"}


def test_errors_and_alignments_are_thinned_alike():
    of = replace(
        shared(np.array([[1] * 50, [3] * 50]), np.repeat(np.arange(10), 5)),
        operations={"a": {"cer": ["S" + "C" * 19] * 50}, "b": {"cer": ["SDI" + "C" * 18] * 50}},
    )
    thinned = _thin(of, CER, "b", 1 / 3, np.random.default_rng(1))
    letters, counts = thinned.operations["b"]["cer"], thinned.counts["b"]["cer"]
    assert [len(each) - each.count("C") for each in letters] == counts["errors"].tolist()
    assert {len(each) - each.count("I") for each in letters} == {20}
    assert 30 < counts["errors"].sum() < 70


def test_where_nothing_can_be_thinned_sizes_are_upper_bounds():
    of = simulated(shared(np.array([[0] * 60, [3] * 60]), np.repeat(np.arange(12), 5)), simulations=5)
    assert (of.thinned, of.remainder, of.is_upper_bound) == (None, 1.0, True)


def test_alignments_change_sides_with_the_counts():
    letters = {"a": {"cer": ["CS" * 3] * 40}, "b": {"cer": ["CCSCCC"] * 40}}
    rng = np.random.default_rng(5)
    of = replace(shared(rng.binomial(20, 0.2, (2, 40))), operations=letters)
    assert ("mapsswe", "segment") in sizes(simulated(of, "mapsswe", simulations=3))
    assert ("mapsswe", "segment") not in sizes(simulated(replace(of, operations={}), "mapsswe", simulations=3))


def test_one_cluster_is_refused():
    with pytest.raises(UndefinedResultError, match="mixing labels needs at least 2 pages; there is only 1"):
        simulated(shared(np.array([[1, 2], [2, 1]]), [0, 0]))


def test_equal_systems_are_refused():
    with pytest.raises(UndefinedResultError, match="a and b have the same counts of cer in every segment"):
        simulated(shared(np.array([[1, 2], [1, 2]])))


@pytest.mark.parametrize("simulations", [0, 1_000_001])
def test_no_simulations_or_endlessly_many_are_refused(simulations):
    with pytest.raises(ConfigurationError, match=f"simulations is {simulations}, expected 1 to 1,000,000"):
        simulated(independent(), simulations=simulations)


def test_the_text_says_which_tests_are_safe(clustered):
    text = render_null_simulation(clustered)
    assert "b against a, cer: 200 simulations in which neither is better" in text
    assert "Labels were exchanged by page: 20 pages, 120 segments; alpha 0.05" in text
    (unsafe,) = (line for line in text.splitlines() if line.startswith("Not safe here: "))
    assert unsafe.endswith("bootstrap by segment, wilcoxon by segment, randomisation by segment.")
    assert "upper bounds" not in text


def test_the_text_says_what_was_thinned_and_what_figures_cannot_say():
    errors = np.array([[0] * 60, [3] * 60])
    assert "figures by segment are upper bounds" in render_null_simulation(
        simulated(shared(errors, np.repeat(np.arange(12), 5)), simulations=5)
    )
    assert "b makes more errors; in each simulation" in render_null_simulation(
        simulated(shared(errors + 1, np.repeat(np.arange(12), 5)), simulations=5)
    )
    assert "this says nothing about clusters" in render_null_simulation(simulated(independent(), simulations=5))
