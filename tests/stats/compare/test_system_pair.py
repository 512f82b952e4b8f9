from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
import scipy.stats
from tests.made_results import count_errors, share_errors

from misread.metrics import Direction, ErrorRate
from misread.sockets import METRICS
from misread.stats.compare.bootstrap_replicates import Replicates
from misread.stats.compare.settings import PairedTest, StatisticsSettings
from misread.stats.compare.system_pair import SystemPair, run_test, run_tests
from misread.tally.scores import Counts


class Upward(ErrorRate):
    direction = Direction.HIGHER_IS_BETTER


def pair(baseline, system, metric=METRICS["cer"], lengths=10, clusters=None, rates=None, **settings):
    """A pair with the errors of every segment, or their counts."""
    settings = StatisticsSettings(**{"seed": 1, "resamples": 199} | settings)
    sides = {"base": baseline, "new": system}
    shared = share_errors(dict.fromkeys(sides, np.zeros(len(baseline))), clusters=clusters)
    counts = {name: side if np.ndim(side) == 2 else count_errors(side, lengths).values for name, side in sides.items()}
    shared = replace(
        shared, counts={name: {metric.id: Counts(metric.columns, values)} for name, values in counts.items()}
    )
    return SystemPair(Replicates(shared, metric, settings, rates or {}), "base", "new")


def test_a_difference_is_that_of_corpus_rates():
    assert pair([1, 1], [3, 1], lengths=[10, 40]).difference == 4 / 50 - 2 / 50


def test_the_difference_of_a_segment_without_reference_is_undefined():
    found = pair([1, 1], [3, 1], lengths=[10, 0]).rate_differences
    assert (found[0], np.isnan(found[1])) == (0.3 - 0.1, True)


def test_mcnemar_takes_the_baseline_as_the_first_system():
    found = run_test(pair([0, 0, 0, 1], [1, 1, 0, 0]), "mcnemar")
    assert (found.extra["b"], found.extra["c"]) == (2, 1)


def test_wilcoxon_sees_the_rates_of_segments():
    assert run_test(pair([5, 5, 5], [1, 2, 3]), "wilcoxon").effect_size == -1.0


def test_the_bootstrap_without_replicates_has_p_1_and_the_reason():
    found = run_test(pair([5], [1]), "bootstrap")
    reason = "There is only 1 segment: the variation between segments cannot be estimated."
    assert (found.pvalue, found.method, found.notes) == (1.0, "none", (reason,))
    assert found.statistic == pytest.approx(-0.4)


def test_the_bootstrap_counts_a_higher_score_as_improvement_where_higher_is_better():
    rates = {"base": np.array([0.1, 0.1]), "new": np.array([0.3, 0.2])}
    found = run_test(pair([1, 1], [3, 2], Upward("x", "char"), rates=rates), "bootstrap")
    assert (found.statistic, found.effect_size) == (pytest.approx(-0.15), 1.0)
    assert -0.2 < found.interval.low < found.interval.high < -0.1


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_the_bootstrap_has_the_interval_that_was_chosen(method):
    rates = {"base": np.array([0.1, 0.2, 0.2]), "new": np.array([0.3, 0.2, 0.3])}
    found = run_test(pair([1, 1], [1, 3], rates=rates, interval=method), "bootstrap")
    assert (found.interval.method, found.method) == (method, f"{method}, 3 resamples")


def test_randomisation_of_an_error_rate_flips_the_differences_of_errors():
    found = run_test(pair([5, 5, 5, 5, 5, 5], [1, 2, 3, 2, 1, 5]), "randomisation")
    assert (found.pvalue, found.statistic, found.effect_size) == (2**-4, pytest.approx(-16 / 60), -5 / 6)


def test_randomisation_lets_whole_clusters_change_sides():
    clusters = np.array([0, 0, 1, 1, 2, 2])
    found = run_test(pair([5, 5, 5, 5, 5, 5], [1, 2, 3, 2, 1, 5], clusters=clusters), "randomisation")
    assert (found.n, found.unit, found.pvalue) == (3, "page", 2**-2)


def test_randomisation_counts_a_higher_score_as_improvement_where_higher_is_better():
    found = run_test(pair([1, 1], [3, 2], metric=Upward("x", "char")), "randomisation")
    assert (found.statistic, found.effect_size) == (pytest.approx(-0.15), -1.0)


def test_randomisation_exchanges_all_counts_where_the_references_differ():
    baseline, system = count_errors([1, 9, 3], 10).values, count_errors([4, 6, 2], [10, 40, 10]).values
    test = run_test(pair(baseline, system), "randomisation")
    sides, observed, extreme = np.stack([baseline, system])[..., :2], test.statistic, 0
    for exchanged in np.ndindex(2, 2, 2):
        first, second = (sides[np.abs(side - np.array(exchanged)), range(3)].sum(axis=0) for side in (0, 1))
        difference = second[0] / second[1] - first[0] / first[1]
        extreme += abs(difference) >= abs(observed) - 1e-12
    assert (test.pvalue, observed) == (extreme / 8, pytest.approx(12 / 60 - 13 / 30))
    # Flipped signs of differences of errors would make every pattern as extreme as this or more.
    assert test.pvalue < run_test(pair([1, 9, 3], [4, 6, 2]), "randomisation").pvalue


def test_randomisation_exchanges_all_counts_where_the_score_is_no_rate_of_errors():
    class Accuracy(ErrorRate):
        direction = Direction.HIGHER_IS_BETTER
        is_ratio = False

        def rate(self, counts):
            return 1 - super().rate(counts)

    found = run_test(pair([5, 5, 5], [1, 2, 3], metric=Accuracy("x", "char")), "randomisation")
    assert (found.statistic, found.pvalue, found.effect_size) == (pytest.approx(-0.3), 0.25, -1.0)


def test_randomisation_of_a_share_of_segments_is_exact_the_binomial_of_those_that_one_system_has_right():
    wrong = np.random.default_rng(3).random((2, 300)) < [[0.3], [0.22]]
    only_one = [np.count_nonzero(wrong[side] & ~wrong[1 - side]) for side in (0, 1)]
    found = run_test(pair(*wrong, lengths=1, metric=METRICS["ser"]), "randomisation")
    oracle = scipy.stats.binomtest(min(only_one), sum(only_one))
    assert (found.method, found.pvalue) == ("exact", pytest.approx(oracle.pvalue, rel=1e-9))


@pytest.mark.slow
def test_randomisation_of_a_share_by_cluster_is_that_of_all_patterns_of_signs():
    rng = np.random.default_rng(5)
    wrong, clusters = rng.random((2, 180)) < [[0.3], [0.2]], np.repeat(np.arange(18), 10)
    found = run_test(pair(*wrong, lengths=1, metric=METRICS["ser"], clusters=clusters), "randomisation")
    differences = np.diff(wrong.astype(int), axis=0).reshape(18, 10).sum(axis=1)
    signs = 1 - 2 * (np.arange(2**18)[:, None] >> np.arange(18) & 1)
    extreme = np.abs(signs @ differences) >= abs(differences.sum())
    assert (found.method, found.pvalue) == ("exact", pytest.approx(extreme.mean(), rel=1e-9))


def test_randomisation_of_f1_is_drawn_even_where_the_totals_of_both_systems_are_equal():
    # As many lines in each hypothesis as in the reference, but not on each page.
    pages = np.arange(20) % 2
    baseline, system = (np.stack([1 + side * pages, 3 + 0 * pages, lines], -1) for side, lines in
                        [(1, 2 + 2 * pages), (0, 4 - 2 * pages)])  # fmt: skip
    f1, recall = (pair(baseline, system, METRICS[name]) for name in ("exact_line_f1", "exact_line_recall"))
    assert run_test(f1, "randomisation").method == "Monte Carlo, 199 flips"
    assert run_test(recall, "randomisation").method == "exact"


@pytest.mark.parametrize(
    ("baseline", "system", "expected"),
    [
        (["CS", "CC"], ["CC", "CC"], ["sign", "mapsswe"]),
        ((), ["CC", "CC"], ["sign"]),
        (["CS", "CC"], (), ["sign"]),
        ((), (), ["sign"]),
    ],
)
def test_mapsswe_needs_the_alignments_of_both_systems(baseline, system, expected):
    aligned = pair([1, 0], [0, 0], lengths=2, tests=["sign", "mapsswe"], deciding_test="sign")
    operations = {"base": {"cer": baseline}, "new": {"cer": system}}
    shared = replace(aligned.shared, operations=operations)
    (tested,) = run_tests([replace(aligned, replicates=replace(aligned.replicates, shared=shared))])
    assert list(tested.tests) == expected


def test_every_test_that_can_be_chosen_is_a_test_of_its_own():
    rates = {"base": np.array([0.3, 0.4]), "new": np.array([0.2, 0.3])}
    aligned = pair([1, 0, 2, 0], [0, 0, 1, 1], lengths=2, rates=rates)
    operations = {"base": {"cer": ["CS", "CC", "SS", "CC"]}, "new": {"cer": ["CC", "CC", "CS", "SC"]}}
    replicates = replace(aligned.replicates, shared=replace(aligned.shared, operations=operations))
    tests = get_args(PairedTest)
    assert len({run_test(replace(aligned, replicates=replicates), test).name for test in tests}) == len(tests)
