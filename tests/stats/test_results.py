import dataclasses
import json
import pickle

import numpy as np
import pytest
from msgspec import convert

from misread.errors import UndefinedResultError
from misread.io.json_files import to_json
from misread.stats import results
from misread.stats.results import SMALLEST_PVALUE, positive_pvalue


def result(**changes):
    fields = {
        "name": "wilcoxon_signed_rank",
        "statistic": 3.0,
        "pvalue": 0.25,
        "effect_size": -0.5,
        "effect_size_name": "rank_biserial",
        "n": 8,
        "dropped": 2,
        "method": "exact",
        "unit": "segment",
    }
    return results.TestResult(**(fields | changes))


def percentile(low, high, confidence=0.95):
    return results.ConfidenceInterval(low=low, high=high, confidence=confidence, method="percentile")


INFINITE = float("inf")
NONE = float("nan")


@pytest.mark.parametrize(
    ("make", "changes", "said"),
    [
        *((result, {"pvalue": value}, "signed_rank: pvalue") for value in (0.0, -0.1, 1.0000001, NONE, INFINITE)),
        *((result, {"statistic": value}, "statistic") for value in (NONE, -INFINITE)),
        *((result, {"effect_size": value}, "effect size") for value in (NONE, -INFINITE)),
        (result, {"extra": {"odds_ratio_high": INFINITE}}, "odds_ratio_high"),
        *(
            (percentile, {"low": low, "high": high}, "percentile interval")
            for low, high in [(NONE, 1.0), (0.0, INFINITE), (0.2, 0.1)]
        ),
        *((percentile, {"low": 0.1, "high": 0.2, "confidence": value}, "confidence") for value in (0.0, 1.0, 95.0)),
    ],
)
def test_a_number_that_is_no_result_is_refused_by_name(make, changes, said):
    with pytest.raises(UndefinedResultError, match=said):
        make(**changes)


@pytest.mark.parametrize("pvalue", [5e-324, 1.0])
def test_the_ends_of_the_range_of_pvalues_are_accepted(pvalue):
    assert result(pvalue=pvalue).pvalue == pvalue


def test_a_result_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        result().pvalue = 0.01


def test_a_result_survives_json_even_with_numpy_numbers():
    interval = percentile(np.float64(-0.1), np.float64(0.2))
    given = result(
        statistic=np.float64(3), n=np.int64(8), notes=("a", "b"), interval=interval, extra={"b": np.int64(4)}
    )
    read = json.loads(to_json(given))
    assert convert(read, results.TestResult) == given
    assert read["interval"] == {"low": -0.1, "high": 0.2, "confidence": 0.95, "method": "percentile"}
    assert (read["n"], read["notes"], read["extra"]) == (8, ["a", "b"], {"b": 4})


def test_a_result_without_an_interval_says_so():
    assert json.loads(to_json(result()))["interval"] is None


def test_results_are_hashable_and_survive_pickling():
    given = result(extra={"b": 4.0})
    assert pickle.loads(pickle.dumps(given)) == given  # noqa: S301
    assert len({given, result(extra={"b": 4.0})}) == 1


def test_an_interval_without_width_is_degenerate():
    assert percentile(0.0, 0.0).is_degenerate
    assert not percentile(0.0, 0.1).is_degenerate


@pytest.mark.parametrize(
    ("computed", "pvalue"),
    [*((each, each) for each in (1.0, 0.05, 1e-300)), (0.0, SMALLEST_PVALUE), (1.0 + 2**-52, 1.0)],
)
def test_a_pvalue_is_left_alone_unless_it_underflowed_or_was_rounded_above_one(computed, pvalue):
    assert positive_pvalue(computed) == pvalue > 0


def test_clusters_are_counted_with_what_they_are_unless_that_says_nothing():
    assert results.count_clusters(1234, "page") == "1,234 clusters (page)"
    assert (results.count_clusters(1, "book"), results.count_clusters(3, "cluster")) == (
        "1 cluster (book)",
        "3 clusters",
    )
