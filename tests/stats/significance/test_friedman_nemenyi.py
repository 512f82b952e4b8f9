import json

import numpy as np
import pytest
import scipy.stats
from msgspec import convert

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.io.json_files import to_json
from misread.metrics import Direction
from misread.stats import NemenyiResult, adjust, nemenyi_test
from misread.stats.significance.friedman import average_ranks


@pytest.fixture
def demsar(published_numbers):
    return published_numbers["demsar"]


@pytest.fixture
def table(demsar):
    return np.array(list(demsar["auc"].values())), demsar["classifiers"]


def compared(scores, names, alpha=0.05, direction=Direction.HIGHER_IS_BETTER):
    return nemenyi_test(np.asarray(scores, dtype=float), names, direction=direction, alpha=alpha)


@pytest.mark.parametrize(("alpha", "key"), [(0.05, "exact_CD05"), (0.10, "exact_CD10")])
def test_the_critical_difference_of_demsar_is_met(table, demsar, alpha, key):
    assert compared(*table, alpha).critical_difference == pytest.approx(demsar["nemenyi"][key])


def test_the_pairs_that_differ_are_those_of_demsar(table):
    assert compared(*table, 0.05).separated == ()
    assert compared(*table, 0.10).separated == (("C4.5+m+cf", "C4.5"), ("C4.5+m", "C4.5"))


def test_ranks_come_best_first(table, demsar):
    result = compared(*table)
    assert list(result.average_ranks) == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    assert [result.average_ranks[name] for name in table[1]] == pytest.approx(demsar["average_ranks"], abs=1e-6)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.10])
def test_a_pair_is_separated_exactly_where_its_pvalue_is_below_the_level(table, alpha):
    result = compared(*table, alpha)
    assert set(result.separated) == {(pair.better, pair.worse) for pair in result.pairs if pair.pvalue < alpha}


def test_the_better_system_stands_first_whichever_way_the_score_gets_better():
    scores = np.tile([0.1, 0.2, 0.3], (9, 1))
    up, down = (compared(scores, ["a", "b", "c"], direction=direction).separated for direction in reversed(Direction))
    assert (up, down) == ((("c", "a"),), (("a", "c"),))


def test_equal_scores_everywhere_separate_nobody():
    result = compared(np.full((6, 3), 0.2), ["a", "b", "c"])
    assert (result.separated, list(result.average_ranks.values())) == ((), [2.0] * 3)
    assert [pair.pvalue for pair in result.pairs] == pytest.approx([1.0] * 3)


def test_the_result_is_json(table):
    result = compared(*table)
    content = json.loads(to_json(result))
    assert convert(content, NemenyiResult) == result
    assert [len(content["pairs"]), content["blocks"], content["alpha"]] == [6, 14, 0.05]


@pytest.mark.parametrize(
    ("systems", "names", "alpha", "error", "message"),
    [
        (3, ["a", "b"], 0.05, LengthMismatchError, "3 systems have scores, but 2 have a name"),
        (3, ["a", "b", "c"], 5, ConfigurationError, "alpha is 5"),
        (2, ["a", "b"], 0.05, UndefinedResultError, "two have paired tests"),
    ],
)
def test_other_names_and_levels_and_two_systems_are_refused(systems, names, alpha, error, message):
    with pytest.raises(error, match=message):
        compared(np.zeros((5, systems)), names, alpha=alpha)


def test_against_a_control_holm_rejects_what_is_published(table, demsar):
    # Demšar (2006), section 3.2.3: z of the difference of average ranks to the control, adjusted by Holm.
    expected, (scores, names) = demsar["holm_vs_control_C45"], table
    ranks = dict(zip(names, average_ranks(scores, direction=Direction.HIGHER_IS_BETTER), strict=True))
    others = [name for name in names if name != "C4.5"]
    z = np.array([(ranks["C4.5"] - ranks[name]) / np.sqrt(4 * 5 / (6 * 14)) for name in others])
    pvalues = 2 * scipy.stats.norm.sf(z)
    assert dict(zip(others, z, strict=True)) == pytest.approx(expected["z"])
    assert dict(zip(others, pvalues, strict=True)) == pytest.approx(expected["p"])
    rejected = [name for name, p in zip(others, adjust(pvalues, method="holm"), strict=True) if p < 0.05]
    assert rejected == ["C4.5+m", "C4.5+m+cf"]


def test_every_pvalue_equals_that_of_scikit_posthocs():
    import scikit_posthocs

    rng = np.random.default_rng(3)
    for systems in (3, 5):
        scores, names = rng.random((12, systems)), [f"s{number}" for number in range(systems)]
        oracle = scikit_posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
        for pair in compared(scores, names).pairs:
            assert pair.pvalue == pytest.approx(oracle[names.index(pair.better), names.index(pair.worse)], abs=1e-6)
