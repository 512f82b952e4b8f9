from dataclasses import replace

import pytest

from misread import evaluate
from misread.metrics import Direction, Kind
from misread.stats import ConfidenceInterval
from misread.tables import ReportSettings, lay_out_rates, make_rate_table
from misread.tables.verdicts import DISAGREEMENT, disagrees, verdict_of


@pytest.fixture
def say(make_table):
    def verdict(of, title="CER", **settings):
        return verdict_of(make_table(of, **settings), title)

    return verdict


def with_kind(result, kind, direction):
    """The same rates of a score of another kind, for which the second system is better if more is."""
    systems = {
        name: {"cer": replace(metrics["cer"], kind=kind, direction=direction, counted="")}
        for name, metrics in result.systems.items()
    }
    verdict = "better" if direction is Direction.HIGHER_IS_BETTER else "worse"
    (pair,) = result.comparisons
    return replace(result, systems=systems, comparisons=(replace(pair, verdict=verdict),))


def against_first(result):
    first = result.baseline
    return replace(result, comparisons=tuple(pair for pair in result.comparisons if pair.baseline == first))


def test_the_best_is_the_subject_whichever_way_a_pair_was_made(say, make_result):
    fewer = "b has significantly fewer character errors: 20.00 points fewer than a."
    assert say(make_result({"a": 0.3, "b": 0.1})) == say(make_result({"b": 0.1, "a": 0.3})) == fewer


def test_every_other_system_has_its_distance_and_those_that_cannot_be_told_apart_their_p(say, three):
    assert say(three, names={"pero": "PERO"}) == (
        "PERO has significantly fewer character errors: 12.56 points fewer than kraken; the data cannot tell PERO from "
        "tesseract4 (p = 0.310)."
    )


def test_one_system_has_no_verdict(say, make_result):
    assert say(make_result({"a": 0.1})) == ""


def test_where_nothing_is_significant_the_data_cannot_tell(say, make_result):
    pvalues = {("a", "b"): 0.5, ("a", "c"): 0.06, ("b", "c"): 0.9}
    assert say(make_result({"a": 0.1, "b": 0.11, "c": 0.12}, pvalues)) == (
        "The data cannot tell a from b (p = 0.500) or c (p = 0.060)."
    )


def test_of_many_systems_the_first_six_are_named(say, make_result):
    rates = {f"s{number}": number / 100 for number in range(1, 11)}
    assert say(make_result(rates)).endswith("s6, 6.00 points fewer than s7 and fewer than 3 others.")
    undecided = make_result(rates, dict.fromkeys([("s1", name) for name in rates], 0.2))
    assert say(undecided).endswith("s6 (p = 0.200), s7 (p = 0.200) or 3 others.")
    assert say(make_result({name: rates[name] for name in list(rates)[:8]})).endswith("s7 and fewer than 1 other.")


def test_against_a_baseline_the_better_system_is_the_subject_of_each_part(say, make_result):
    result = make_result({"base": 0.2, "a": 0.1, "b": 0.15, "c": 0.3, "d": 0.21}, {("base", "d"): 0.4})
    assert say(against_first(result)) == (
        "base has significantly fewer character errors: 10.00 points fewer than c; a (by 10.00 points) and b (by 5.00 "
        "points) have significantly fewer character errors than base; the data cannot tell base from d (p = 0.400)."
    )


@pytest.mark.parametrize(
    ("kind", "direction", "sentence"),
    [
        (Kind.SHARE, Direction.HIGHER_IS_BETTER, "b has a significantly higher F1: 20.00 points higher than a."),
        (Kind.SHARE, Direction.LOWER_IS_BETTER, "a has a significantly lower F1: 20.00 points lower than b."),
        (Kind.OTHER, Direction.LOWER_IS_BETTER, "a has a significantly lower F1: 0.20000 lower than b."),
    ],
)
def test_other_scores_are_higher_or_lower(say, make_result, kind, direction, sentence):
    assert say(with_kind(make_result({"a": 0.1, "b": 0.3}), kind, direction), "F1") == sentence


def test_a_significant_difference_is_never_said_to_be_zero(say, make_result):
    sentence = "a has significantly fewer character errors: less than 0.01 points fewer than b."
    assert say(make_result({"a": 0.1, "b": 0.10004})) == sentence
    assert say(make_result({"a": 0.1, "b": 0.10004}), digits=3).endswith(": 0.004 points fewer than b.")


def test_equivalent_systems_are_so_within_the_margin(say, make_result):
    result = make_result({"a": 0.1, "b": 0.101}, {("a", "b"): 0.5})
    (pair,) = result.comparisons
    result = replace(
        result, comparisons=(replace(pair, verdict="equivalent"),), statistics=replace(result.statistics, margin=0.005)
    )
    assert say(result) == "b is equivalent to a within a margin of 0.50 points."


def verdict_of_texts(wrong, *, clusters=None, **statistics):
    """The verdict on a good system and one that reads the first `wrong` of 12 texts wrongly."""
    texts = ["a b c d"] * 12
    poor = ["a b c x"] * wrong + texts[wrong:]
    result = evaluate(texts, {"good": texts, "poor": poor}, seed=1, clusters=clusters, statistics=statistics).result
    return verdict_of(make_rate_table(result, "cer", ReportSettings(["cer"])), "CER")


@pytest.mark.parametrize("wrong", [0, 1, 5])
def test_too_few_differing_segments_are_named(wrong):
    # Both signs of n differences: p is 2 of 2^n patterns at least, 0.0625 for 5 and 0.03125 for 6.
    number = f"{wrong} differing segment{'' if wrong == 1 else 's'}"
    pvalue = {0: "1.000", 1: "1.000", 5: "0.062"}[wrong]
    assert verdict_of_texts(wrong) == (
        f"The data cannot tell good from poor (p = {pvalue}): with {number}, no p below 0.05 is possible."
    )


def test_six_differing_segments_are_enough():
    assert "significantly fewer" in verdict_of_texts(6)
    assert "no p below 0.01 is possible" in verdict_of_texts(6, alpha=0.01)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"wrong": 12, "clusters": [f"p{row % 4}" for row in range(12)]}, "(p = 0.125): with 4 clusters"),
        ({"wrong": 6, "deciding_test": "bootstrap", "tests": ["bootstrap"], "resamples": 9}, ": with 9 resamples"),
    ],
)
def test_too_few_clusters_and_resamples_are_named(settings, said):
    verdict = verdict_of_texts(**settings)
    assert verdict.startswith("The data cannot tell good from poor (p = ")
    assert verdict.endswith(f"{said}, no p below 0.05 is possible.")


def test_a_pair_that_could_have_been_significant_has_no_excuse():
    texts = ["a b c d"] * 12
    left, right = (["x b c d"] * 6 + texts[6:]), (texts[:5] + ["x b c d"] * 7)
    result = evaluate(texts, {"left": left, "right": right}, seed=1).result
    verdict = verdict_of(make_rate_table(result, "cer", ReportSettings(["cer"])), "CER")
    assert verdict.startswith("The data cannot tell left from right (p = ")
    assert verdict.endswith(").")


@pytest.mark.parametrize(
    ("low", "high", "pvalue", "expected"),
    [
        (0.01, 0.02, 0.2, True),
        (-0.02, -0.01, 0.2, True),
        (-0.01, 0.02, 0.01, True),
        (0.01, 0.02, 0.01, False),
        (-0.01, 0.02, 0.2, False),
    ],
)
def test_interval_and_p_disagree_where_one_alone_finds_a_difference(
    make_paper, make_result, low, high, pvalue, expected
):
    result = make_result({"a": 0.1, "b": 0.11}, {("a", "b"): pvalue})
    ends = ConfidenceInterval(low=low, high=high, confidence=0.95, method="percentile")
    pair = replace(result.comparisons[0], confidence_interval=ends)
    assert disagrees(pair) == disagrees(pair.reversed()) == expected
    table = make_paper(replace(result, comparisons=(pair,)))
    assert table.cells[1][-1].footnote == ("‡" if expected else "")
    assert (table.marks.count(DISAGREEMENT), "‡" in table.cells[1][-1].plain) == (int(expected), expected)


def test_no_interval_disagrees_with_nothing(make_result):
    (pair,) = make_result({"a": 0.1, "b": 0.2}, with_interval=False).comparisons
    assert not disagrees(pair)


def test_the_sign_is_explained_where_its_column_is_shown(make_table, make_result):
    table = make_table(make_result({"a": 0.1, "b": 0.2}, {("a", "b"): 0.06}))
    shown = {
        columns: lay_out_rates(table, ReportSettings(["cer"], columns=columns)).marks
        for columns in (("difference",), ("pvalue",), ("baseline_pvalue",))
    }
    assert [DISAGREEMENT in marks for marks in shown.values()] == [False, True, True]
