import re
from typing import get_args

import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.stats import StatisticsSettings
from misread.stats.compare.paired_tests import PAIRED_TESTS
from misread.stats.compare.settings import MOST_RESAMPLES, PairedTest


def test_the_usual_settings_need_no_more_than_a_seed():
    assert StatisticsSettings(seed=1).deciding_test in StatisticsSettings(seed=1).tests


def test_a_seed_has_no_hidden_default():
    with pytest.raises(TypeError, match="seed"):
        StatisticsSettings()


def test_an_unknown_test_lists_the_choices():
    with pytest.raises(
        UnknownNameError,
        match=r"'ttest' in statistics\.tests.*bootstrap, jackknife, mapsswe, mcnemar, paired_t, randomisation, sign",
    ):
        StatisticsSettings(seed=1, tests=["bootstrap", "ttest"])


@pytest.mark.parametrize("rule", ["best", "best_of_n", "min", "max"])
def test_the_best_of_several_runs_is_refused_with_the_reason(rule):
    with pytest.raises(ConfigurationError, match=rf"statistics\.runs is '{rule}': the best of several runs is chosen"):
        StatisticsSettings(seed=1, runs=rule)


def test_another_rule_for_runs_lists_the_choices():
    with pytest.raises(UnknownNameError, match=r"'crosed'.*averaged, crossed"):
        StatisticsSettings(seed=1, runs="crosed")


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({}, "statistics.deciding_test is 'randomisation', which knows nothing of effects that a run has"),
        ({"deciding_test": "jackknife", "tests": ["jackknife"], "second_cluster": "x"}, "second_cluster exclude"),
    ],
)
def test_what_does_not_go_with_crossed_runs_is_refused(others, words):
    with pytest.raises(ConfigurationError, match=re.escape(words)):
        StatisticsSettings(seed=1, runs="crossed", **others)


def test_an_unknown_correction_lists_the_choices():
    with pytest.raises(
        UnknownNameError,
        match=r"unknown correction 'bonferroni' in statistics\..*benjamini_hochberg, benjamini_yekutieli, holm, none",
    ):
        StatisticsSettings(seed=1, correction="bonferroni")


def test_an_unknown_interval_lists_the_choices():
    with pytest.raises(
        UnknownNameError, match=r"unknown interval 'student' in statistics\..*basic, bca, jackknife, percentile"
    ):
        StatisticsSettings(seed=1, interval="student")


def test_the_deciding_test_must_be_made():
    with pytest.raises(ConfigurationError, match=r"deciding_test is 'randomisation', .* statistics\.tests \(mcnemar\)"):
        StatisticsSettings(seed=1, tests=["mcnemar"])


def test_no_test_at_all_is_refused():
    with pytest.raises(ConfigurationError, match=r"statistics\.tests \(empty\)"):
        StatisticsSettings(seed=1, tests=[])


@pytest.mark.parametrize("name", ["confidence", "alpha"])
@pytest.mark.parametrize("share", [0, 1, -0.1, 95, float("nan")])
def test_a_share_lies_between_0_and_1(name, share):
    with pytest.raises(ConfigurationError, match=rf"statistics\.{name} is .*, expected a number between 0 and 1"):
        StatisticsSettings(seed=1, **{name: share})


def test_one_name_is_not_a_list_of_tests():
    with pytest.raises(
        ConfigurationError, match=r"statistics\.tests is 'wilcoxon', expected a list, such as \[wilcoxon"
    ):
        StatisticsSettings(seed=1, tests="wilcoxon")


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(ConfigurationError, match=rf"statistics\.seed is {seed}, expected 0 to 2\^63 - 1"):
        StatisticsSettings(seed=seed)


@pytest.mark.parametrize("seed", [0, 2**63 - 1])
def test_the_ends_of_the_range_of_seeds_are_seeds(seed):
    assert StatisticsSettings(seed=seed).seed == seed


def test_as_many_samples_as_are_allowed_are_allowed():
    assert StatisticsSettings(seed=1, resamples=MOST_RESAMPLES).resamples == MOST_RESAMPLES


@pytest.mark.parametrize("resamples", [0, -5, MOST_RESAMPLES + 1, 10**9])
def test_the_number_of_samples_has_limits(resamples):
    with pytest.raises(ConfigurationError, match=rf"statistics\.resamples is {resamples}"):
        StatisticsSettings(seed=1, resamples=resamples)


@pytest.mark.parametrize("test", get_args(PairedTest))
def test_every_test_that_can_be_chosen_is_there(test):
    assert test in PAIRED_TESTS
    assert StatisticsSettings(seed=1, tests=[test, "randomisation"]).tests == [test, "randomisation"]


def test_mapsswe_cannot_decide_as_not_every_metric_has_it():
    with pytest.raises(ConfigurationError, match="deciding_test is 'mapsswe', which not every metric has"):
        StatisticsSettings(seed=1, tests=["mapsswe"], deciding_test="mapsswe")


@pytest.mark.parametrize("margin", [0, -0.01, 1e308, float("inf"), float("nan")])
def test_a_margin_lies_above_0_and_is_no_astronomical_number(margin):
    with pytest.raises(ConfigurationError, match=r"statistics\.margin is .*, expected a difference of rates above 0"):
        StatisticsSettings(seed=1, margin=margin)


@pytest.mark.parametrize(
    ("name", "choices"), [("pairs", "all, baseline"), ("equivalence", "bootstrap, jackknife, paired_t")]
)
def test_an_unknown_choice_lists_the_choices(name, choices):
    with pytest.raises(UnknownNameError, match=rf"unknown {name} 'other' in statistics\..*{choices}"):
        StatisticsSettings(seed=1, **{name: "other"})


@pytest.mark.parametrize(("pairs", "sizes"), [("all", [0, 0, 1, 3, 28]), ("baseline", [0, 0, 1, 2, 7])])
def test_the_family_is_every_pair_or_those_with_the_baseline(pairs, sizes):
    assert [StatisticsSettings(seed=1, pairs=pairs).family_size(systems) for systems in (0, 1, 2, 3, 8)] == sizes
