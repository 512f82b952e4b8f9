from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.stats
from tests.made_results import count_errors

from misread.metrics import Direction, ErrorRate
from misread.sockets import METRICS
from misread.stats.bootstrap.resampling import cluster_rows
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.paired_tests import PAIRED_TESTS
from misread.stats.compare.paired_tests import tests_of as chosen_tests
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.system_pair import SystemPair

SETTINGS = StatisticsSettings(seed=1)


def counts(errors, lengths=10):
    return count_errors(errors, lengths).values


def pair(baseline, system, replicates=None, metric=METRICS["cer"], lengths=10, clusters=None, **settings):
    settings = StatisticsSettings(seed=1, resamples=199, **settings)
    drawn = replicates or Replicates({}, "page", 1, "There is 1 page only.", settings=settings)
    sides = counts(baseline, lengths), counts(system, lengths)
    units = [cluster_rows(side, clusters) for side in sides]
    return SystemPair(
        metric=metric,
        baseline="base",
        system="new",
        baseline_counts=sides[0],
        system_counts=sides[1],
        baseline_units=units[0],
        system_units=units[1],
        has_clusters=clusters is not None,
        replicates=replace(drawn, settings=settings),
    )


def test_a_difference_is_that_of_corpus_rates():
    assert pair([1, 1], [3, 1], lengths=[10, 40]).difference == 4 / 50 - 2 / 50


def test_the_difference_of_a_segment_without_reference_is_undefined():
    found = pair([1, 1], [3, 1], lengths=[10, 0]).rate_differences
    assert (found[0], np.isnan(found[1])) == (0.3 - 0.1, True)


def test_the_difference_of_every_sample_is_paired():
    drawn = Replicates({"base": np.array([0.1, 0.2]), "new": np.array([0.3, 0.2])}, "segment", 2, settings=SETTINGS)
    assert pair([1], [2], drawn).difference_replicates.tolist() == [0.3 - 0.1, 0.0]


def test_mcnemar_takes_the_baseline_as_the_first_system():
    found = PAIRED_TESTS["mcnemar"](pair([0, 0, 0, 1], [1, 1, 0, 0]))
    assert (found.extra["b"], found.extra["c"]) == (2, 1)


def test_wilcoxon_sees_the_rates_of_segments():
    assert PAIRED_TESTS["wilcoxon"](pair([5, 5, 5], [1, 2, 3])).effect_size == -1.0


def test_the_bootstrap_without_replicates_has_p_1_and_the_reason():
    found = PAIRED_TESTS["bootstrap"](pair([5], [1]))
    assert (found.pvalue, found.method, found.notes) == (1.0, "none", ("There is 1 page only.",))


def test_the_bootstrap_without_replicates_still_tells_the_difference():
    assert PAIRED_TESTS["bootstrap"](pair([5], [1])).statistic == pytest.approx(-0.4)


def test_the_bootstrap_counts_a_higher_score_as_improvement_where_higher_is_better():
    class Upward(ErrorRate):
        direction = Direction.HIGHER_IS_BETTER

    rates = {"base": np.array([0.1, 0.1]), "new": np.array([0.3, 0.2])}
    drawn = Replicates(rates, "segment", 2, "", {"base": 0.1, "new": 0.25}, rates, settings=SETTINGS)
    found = PAIRED_TESTS["bootstrap"](pair([1, 1], [3, 2], drawn, Upward("x", "char")))
    assert (found.statistic, found.effect_size) == (pytest.approx(-0.15), 1.0)
    assert -0.2 < found.interval.low < found.interval.high < -0.1


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_the_bootstrap_has_the_interval_that_was_chosen(method):
    drawn = Replicates(
        {"base": np.array([0.1, 0.2, 0.2]), "new": np.array([0.3, 0.2, 0.3])},
        "segment",
        2,
        "",
        {"base": 0.1, "new": 0.2},
        {"base": np.array([0.1, 0.1]), "new": np.array([0.1, 0.3])},
        settings=SETTINGS,
    )
    found = PAIRED_TESTS["bootstrap"](pair([1, 1], [2, 2], drawn, interval=method))
    assert (found.interval.method, found.method) == (method, f"{method}, 3 resamples")


def test_randomisation_of_an_error_rate_flips_the_differences_of_errors():
    found = PAIRED_TESTS["randomisation"](pair([5, 5, 5, 5, 5, 5], [1, 2, 3, 2, 1, 5]))
    assert (found.pvalue, found.statistic, found.effect_size) == (2**-4, pytest.approx(-16 / 60), -5 / 6)


def test_randomisation_lets_whole_clusters_change_sides():
    clusters = np.array([0, 0, 1, 1, 2, 2])
    drawn = Replicates({}, "page", 3, "not drawn", settings=SETTINGS)
    found = PAIRED_TESTS["randomisation"](pair([5, 5, 5, 5, 5, 5], [1, 2, 3, 2, 1, 5], drawn, clusters=clusters))
    assert (found.n, found.unit, found.pvalue) == (3, "page", 2**-2)


def test_randomisation_counts_a_higher_score_as_improvement_where_higher_is_better():
    class Upward(ErrorRate):
        direction = Direction.HIGHER_IS_BETTER

    found = PAIRED_TESTS["randomisation"](pair([1, 1], [3, 2], metric=Upward("x", "char")))
    assert (found.statistic, found.effect_size) == (pytest.approx(-0.15), -1.0)


def test_randomisation_exchanges_all_counts_where_the_references_differ():
    one = pair([1, 2, 3], [4, 3, 5])
    other = replace(one, system_units=counts([4, 3, 5], [10, 12, 9]))
    assert (one.numerator_differences is None, other.numerator_differences is None) == (False, True)
    assert PAIRED_TESTS["randomisation"](other).pvalue == 0.25


def test_randomisation_exchanges_all_counts_where_the_score_is_no_rate_of_errors():
    class Accuracy(ErrorRate):
        direction = Direction.HIGHER_IS_BETTER

        def rate(self, counts):
            return 1 - super().rate(counts)

    found = PAIRED_TESTS["randomisation"](pair([5, 5, 5], [1, 2, 3], metric=Accuracy("x", "char")))
    assert (found.statistic, found.pvalue, found.effect_size) == (pytest.approx(-0.3), 0.25, -1.0)


def test_randomisation_of_a_share_of_segments_is_exact_the_binomial_of_those_that_one_system_has_right():
    wrong = np.random.default_rng(3).random((2, 300)) < [[0.3], [0.22]]
    only_one = [np.count_nonzero(wrong[side] & ~wrong[1 - side]) for side in (0, 1)]
    found = PAIRED_TESTS["randomisation"](pair(*wrong, lengths=1, metric=METRICS["ser"]))
    oracle = scipy.stats.binomtest(min(only_one), sum(only_one))
    assert (found.method, found.pvalue) == ("exact", pytest.approx(oracle.pvalue, rel=1e-9))


def test_randomisation_of_a_share_by_cluster_is_that_of_all_patterns_of_signs():
    rng = np.random.default_rng(5)
    wrong, clusters = rng.random((2, 180)) < [[0.3], [0.2]], np.repeat(np.arange(18), 10)
    found = PAIRED_TESTS["randomisation"](pair(*wrong, lengths=1, metric=METRICS["ser"], clusters=clusters))
    differences = np.diff(wrong.astype(int), axis=0).reshape(18, 10).sum(axis=1)
    signs = 1 - 2 * (np.arange(2**18)[:, None] >> np.arange(18) & 1)
    extreme = np.abs(signs @ differences) >= abs(differences.sum())
    assert (found.method, found.pvalue) == ("exact", pytest.approx(extreme.mean(), rel=1e-9))


def test_randomisation_of_f1_is_drawn_even_where_the_totals_of_both_systems_are_equal():
    # As many lines in each hypothesis as in the reference, but not on each page.
    pages = np.arange(20) % 2
    baseline, system = (np.stack([1 + side * pages, 3 + 0 * pages, lines], -1) for side, lines in
                        [(1, 2 + 2 * pages), (0, 4 - 2 * pages)])  # fmt: skip
    f1 = replace(pair(pages, pages, metric=METRICS["exact_line_f1"]), baseline_units=baseline, system_units=system)
    assert PAIRED_TESTS["randomisation"](f1).method == "Monte Carlo, 199 flips"
    recall = replace(f1, metric=METRICS["exact_line_recall"])
    assert PAIRED_TESTS["randomisation"](recall).method == "exact"


@pytest.mark.parametrize(
    ("baseline", "system", "expected"),
    [(["CS"], ["CC"], ["sign", "mapsswe"]), ((), ["CC"], ["sign"]), (["CS"], (), ["sign"]), ((), (), ["sign"])],
)
def test_mapsswe_needs_the_alignments_of_both_systems(baseline, system, expected):
    pair = SimpleNamespace(
        baseline_operations=baseline, system_operations=system, settings=SimpleNamespace(tests=["sign", "mapsswe"])
    )
    assert chosen_tests(pair) == expected
