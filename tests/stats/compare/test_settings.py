from typing import get_args

import pytest

from misread.errors import ConfigurationError, InputTypeError, UnknownNameError
from misread.stats import StatisticsSettings
from misread.stats.compare.settings import MOST_RESAMPLES, PairedTest

NAN, INFINITE = float("nan"), float("inf")


def test_the_usual_settings_need_no_more_than_a_seed():
    assert StatisticsSettings(seed=1).deciding_test in StatisticsSettings(seed=1).tests


def test_a_seed_has_no_hidden_default():
    with pytest.raises(TypeError, match="seed"):
        StatisticsSettings()


CROSSED = {"runs": "crossed", "tests": ["jackknife"], "deciding_test": "jackknife"}
REFUSED = [
    ({"runs": "best"}, "statistics.runs"),
    ({"runs": "best_of_n"}, "statistics.runs"),
    ({"runs": "min"}, "statistics.runs"),
    ({"runs": "max"}, "statistics.runs"),
    ({"runs": "crosed"}, "statistics.runs"),
    ({"runs": "crossed"}, "statistics.deciding_test"),
    (
        {"runs": "crossed", "tests": ["jackknife"], "deciding_test": "jackknife", "second_cluster": "x"},
        "statistics.runs",
    ),
    ({"correction": "bonferroni"}, "statistics.correction"),
    ({"interval": "student"}, "statistics.interval"),
    ({"pairs": "other"}, "statistics.pairs"),
    ({"equivalence": "other"}, "statistics.equivalence"),
    ({"tests": ["bootstrap", "ttest"]}, "statistics.tests"),
    ({"tests": "wilcoxon"}, "statistics.tests"),
    ({"tests": ["mcnemar"]}, "statistics.deciding_test"),
    ({"tests": []}, "statistics.deciding_test"),
    ({"tests": ["mapsswe"], "deciding_test": "mapsswe"}, "statistics.deciding_test"),
    *[({name: share}, f"statistics.{name}") for name in ("confidence", "alpha") for share in (0, 1, -0.1, 95, NAN)],
    *[({"seed": seed}, "statistics.seed") for seed in (-1, 2**63)],
    *[({"resamples": number}, "statistics.resamples") for number in (0, -5, MOST_RESAMPLES + 1, 10**9)],
    *[({"margin": margin}, "statistics.margin") for margin in (0, -0.01, 1e308, INFINITE, NAN)],
    ({"length_classes": -1}, "statistics.length_classes"),
]


@pytest.mark.parametrize(("values", "name"), REFUSED, ids=str)
def test_a_value_that_cannot_be_used_is_refused_with_its_setting(values, name):
    with pytest.raises((ConfigurationError, UnknownNameError)) as refusal:
        StatisticsSettings(**{"seed": 1, **values})
    assert refusal.value.settings[0] == name


@pytest.mark.parametrize("name", ["seed", "resamples", "length_classes"])
def test_whole_numbers_are_no_fractions(name):
    with pytest.raises(InputTypeError) as refusal:
        StatisticsSettings(**{"seed": 1, name: 1.5})
    assert refusal.value.settings == (f"statistics.{name}",)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"alpha": 2}, "alpha is 2, expected a number between 0 and 1."),
        ({"tests": "wilcoxon"}, "tests is 'wilcoxon', expected a list, such as [wilcoxon]."),
        ({"tests": ["mcnemar"]}, "deciding_test is 'randomisation', expected one of tests (mcnemar)."),
        ({"pairs": "other"}, "unknown pairs 'other'. There are: all, baseline."),
    ],
)
def test_a_sentence_says_what_was_expected(values, sentence):
    with pytest.raises((ConfigurationError, UnknownNameError)) as refusal:
        StatisticsSettings(**{"seed": 1, **values})
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(("name", "value"), [("seed", 0), ("seed", 2**63 - 1), ("resamples", MOST_RESAMPLES)])
def test_the_ends_of_a_range_are_inside_it(name, value):
    assert getattr(StatisticsSettings(**{"seed": 1, name: value}), name) == value


@pytest.mark.parametrize("test", get_args(PairedTest))
def test_every_test_can_be_chosen(test):
    assert StatisticsSettings(seed=1, tests=[test, "randomisation"]).tests == [test, "randomisation"]


@pytest.mark.parametrize(("pairs", "sizes"), [("all", [0, 0, 1, 3, 28]), ("baseline", [0, 0, 1, 2, 7])])
def test_the_family_is_every_pair_or_those_with_the_baseline(pairs, sizes):
    assert [StatisticsSettings(seed=1, pairs=pairs).family_size(systems) for systems in (0, 1, 2, 3, 8)] == sizes
