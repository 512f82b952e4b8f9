from dataclasses import replace
from typing import get_args

import pytest
from tests.made_results import SIGNATURE

from misread import evaluate
from misread.errors import UnknownNameError
from misread.metrics import Direction
from misread.stats.bootstrap.intervals import IntervalMethod
from misread.stats.compare.schema import Caution
from misread.stats.compare.settings import PairedTest
from misread.stats.significance.pvalue_adjustment import Correction
from misread.tables import ReportSettings, explain_verdict, make_rate_table
from misread.tables.rates import _CORRECTIONS, _INTERVAL_NAMES, TEST_NAMES
from misread.tables.verdicts import verdict_mark


def reason(pair, table):
    return verdict_mark(pair, table).meaning


def marks(table):
    return {row.system: (row.is_best, row.is_significant) for row in table.rows}


def test_the_best_comes_first_and_equal_rates_keep_the_order_of_the_configuration(make_table, make_result, make_rate):
    result = make_result({"b": 0.2, "a": 0.2, "c": 0.1})
    assert [row.system for row in make_table(result).rows] == ["c", "b", "a"]
    rates = {name: make_rate(rate, direction=Direction.HIGHER_IS_BETTER) for name, rate in (("a", 0.2), ("b", 0.9))}
    assert [row.system for row in make_table(make_result(rates)).rows] == ["b", "a"]


def test_differences_are_to_the_best_with_intervals_turned_around_whichever_way_the_pair_was_made(make_table, three):
    best, second, third = make_table(three).rows
    assert (best.system, best.to_best) == ("pero", None)
    assert (second.system, second.to_best.difference) == ("tesseract4", pytest.approx(0.008))
    assert (third.system, third.to_best.difference) == ("kraken", pytest.approx(0.1256))
    interval = second.to_best.interval
    assert (interval.low, interval.high) == (pytest.approx(0.008 - 0.01), pytest.approx(0.008 + 0.005))


def test_the_best_is_significant_only_if_all_others_are_significantly_worse(make_table, three, make_result):
    assert marks(make_table(three))["pero"] == (True, False)
    assert marks(make_table(make_result({"pero": 0.03, "kraken": 0.1, "other": 0.2})))["pero"] == (True, True)


def test_a_pair_that_leaves_the_best_out_does_not_matter(make_table, make_result):
    of = make_result({"a": 0.1, "b": 0.2, "c": 0.21}, {("b", "c"): 0.9})
    assert marks(make_table(of)) == {"a": (True, True), "b": (False, True), "c": (False, True)}


def test_one_system_has_nothing_to_be_compared_with(make_table, make_result):
    table = make_table(make_result({"a": 0.1}))
    assert table.has_comparisons is False
    assert marks(table) == {"a": (True, False)}


def test_a_system_that_cannot_read_the_data_set_is_left_out_with_the_reason(make_table, make_result):
    of = make_result({"a": 0.1}, not_applicable={"ears": "the system reads audio"})
    assert make_table(of, names={"ears": "Ears"}).left_out == {"Ears": "the system reads audio"}


def test_a_system_of_undefined_rate_is_left_out_with_the_reason(make_table, make_result):
    table = make_table(make_result({"a": None, "b": None}))
    assert table.rows == ()
    assert table.left_out == dict.fromkeys("ab", "rate undefined: every reference is empty")


def test_a_metric_that_was_not_scored_lists_those_that_were(three):
    with pytest.raises(UnknownNameError, match=r"'wer' in report\.metrics.*There are: cer"):
        make_rate_table(three, "wer", ReportSettings(["wer"]))


def test_names_for_people_are_used(make_table, three):
    table = make_table(three, names={"pero": "PERO", "books": "Old books"})
    assert (table.rows[0].name, table.dataset_name) == ("PERO", "Old books")


def test_the_method_says_what_intervals_and_p_are_in_two_sentences(make_table, three):
    assert make_table(three).method == (
        "Intervals: bootstrap over 12 clusters (page).",
        "p: paired bootstrap, adjusted by Holm over 3 pairs; below 0.05 is significant.",
    )
    table = make_table(replace(three, statistics=replace(three.statistics, alpha=0.01)))
    assert table.method[1].endswith("below 0.01 is significant.")


@pytest.mark.parametrize(
    ("ci", "name"),
    [
        ("percentile95", "bootstrap"),
        ("basic95", "basic bootstrap"),
        ("bca97.5", "BCa bootstrap"),
        ("standard95", "Student's t with the bootstrap error"),
    ],
)
def test_the_method_names_the_kind_of_interval(make_table, make_result, ci, name):
    of = make_result({"a": 0.1}, signature=SIGNATURE.replace("percentile95", ci))
    assert make_table(of).method == (f"Intervals: {name} over 12 clusters (page).",)


def test_the_method_of_the_jackknife_names_the_form_of_its_intervals(make_table, make_result):
    of = make_result({"a": 0.1, "b": 0.2}, signature=SIGNATURE.replace("percentile95", "jackknife95"))
    assert make_table(of).method == (
        "Intervals: Student's t with the jackknife error (for rates in Wilson's form) over 12 clusters (page).",
        "p: paired bootstrap; below 0.05 is significant.",
    )


@pytest.mark.parametrize("level", ["95", "99.9", "1e-298"])
def test_any_level_of_confidence_leaves_the_name_of_the_method(make_table, make_result, level):
    made = make_result({"a": 0.1, "b": 0.2}, signature=SIGNATURE.replace("percentile95", f"two-way{level}"))
    assert "jackknife error of clusters and runs" in make_table(made).method[0]


@pytest.mark.parametrize(("segments", "said"), [(60, "60 segments"), (1, "1 segment")])
def test_without_clusters_the_method_says_that_segments_are_independent(make_table, make_result, segments, said):
    of = make_result({"a": 0.1}, clusters=None, cluster_name="", segments=segments)
    method = f"Intervals: bootstrap over {said}, taken as independent: no clusters are named."
    assert make_table(of).method == (method,)


@pytest.mark.parametrize(
    ("effective", "sentence"),
    [
        ([20.6, 15.2], "Effective sample size: 15 to 21 of 60 segments."),
        ([15.2, 15.4], "Effective sample size: 15 of 60 segments."),
        ([None, 15.2], "Effective sample size: 15 of 60 segments."),
    ],
)
def test_a_note_says_how_many_independent_segments_would_tell_as_much(make_table, make_result, effective, sentence):
    result = make_result({"a": 0.1, "b": 0.2})
    systems = {
        name: {"cer": replace(metrics["cer"], effective_segments=segments)}
        for (name, metrics), segments in zip(result.systems.items(), effective, strict=True)
    }
    assert make_table(replace(result, systems=systems)).effective_sample == sentence
    assert make_table(result).effective_sample == ""


def test_of_warnings_only_cautions_are_said_in_every_case(make_table, make_result):
    warnings = ("a: 1 of 60 hypotheses is empty.", "cer: 1 segment is left out.", "wer: 9 segments are left out.")
    cautions = (Caution(text="Of all."), Caution(text="Of cer.", metric="cer"), Caution(text="Of wer.", metric="wer"))
    both = {"cer": make_result({"a": 0.1}).systems["a"]["cer"]}
    result = replace(make_result({"a": 0.1}, warnings=warnings, clusters=9), cautions=cautions)
    table = make_table(replace(result, systems={"a": {**both, "wer": both["cer"]}}))
    assert table.cautions == ("Of all.", "Of cer.", "With fewer than 10 clusters, intervals may be too narrow.")
    assert table.warnings == warnings[:2]
    assert make_table(make_result({"a": 0.1}, clusters=10)).cautions == ()


def test_the_verdict_is_that_on_the_system_also_where_the_best_was_compared_with_it(make_table, make_result):
    table = make_table(make_result({"a": 0.3, "b": 0.1, "c": 0.2}))
    assert {row.system: row.to_best and row.to_best.verdict for row in table.rows} == {
        "b": None,
        "c": "worse",
        "a": "worse",
    }


def test_the_best_is_significant_only_if_it_was_compared_with_every_other(make_table, make_result):
    of = make_result({"a": 0.3, "b": 0.1, "c": 0.2})
    assert make_table(of).rows[0].is_significant
    of = replace(of, comparisons=tuple(pair for pair in of.comparisons if "a" in (pair.baseline, pair.system)))
    assert not make_table(of).rows[0].is_significant


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (_CORRECTIONS, get_args(Correction)),
        (TEST_NAMES, get_args(PairedTest)),
        (_INTERVAL_NAMES, (*get_args(IntervalMethod), "standard", "two-way")),
    ],
)
def test_every_choice_has_words_for_people(words, names):
    assert set(words) == set(names)


@pytest.mark.parametrize(
    ("correction", "words"), [("none", "not adjusted"), ("benjamini_hochberg", "adjusted by Benj")]
)
def test_the_method_names_the_correction(make_table, make_result, correction, words):
    of = make_result({"a": 0.1, "b": 0.2, "c": 0.3}, signature=SIGNATURE.replace("adj:holm", f"adj:{correction}"))
    assert f"paired bootstrap, {words}" in make_table(of).method[1]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        ("draws:normal sums", "over 12 clusters (page), by normal sums."),
        ("cluster2:writer", "over 12 clusters (page), crossed with those of writer."),
    ],
)
def test_the_method_says_how_units_were_drawn(make_table, make_result, fact, words):
    of = make_result({"a": 0.1, "b": 0.2}, signature=SIGNATURE.replace("|B:", f"|{fact}|B:"))
    assert make_table(of).method[0].endswith(words)


@pytest.mark.parametrize("names", [("a", "b"), ("x of y is z; than that of", "b; c"), ("ab", "a")])
def test_a_reason_names_systems_as_people_know_them(make_result, names):
    result = make_result({names[0]: 0.1, names[1]: 0.2}, {names: 0.01})
    known = ReportSettings(["cer"], names={names[0]: "One", names[1]: "Other"})
    table = make_rate_table(result, "cer", known)
    pairs = [row.to_best for row in table.rows if row.to_best]
    assert [reason(pair, table) for pair in pairs] == [
        "cer of One is 10.00 points lower than that of Other; bootstrap gives p = 0.01, below 0.05."
    ]


def test_a_reason_is_the_stored_one_with_the_better_system_as_its_subject(scored_pairs):
    pairs = scored_pairs.pairs("cer")
    assert {pair.verdict for pair in pairs} == {"better", "worse", "inconclusive"}
    table = make_rate_table(scored_pairs, "cer", ReportSettings(["cer"]))
    for pair in pairs:
        if pair.verdict == "worse":
            assert reason(pair, table).startswith(f"cer of {pair.baseline} is ")
            assert f" lower than that of {pair.system}; " in reason(pair, table)
        else:
            assert reason(pair, table) == explain_verdict(pair)


@pytest.fixture(scope="module")
def scored_pairs():
    references = [f"line {number} of the page" for number in range(40)]
    poor = [text.replace("page", "paqe") for text in references]
    half = [*poor[:20], *references[20:]]
    other = [poor[0], *references[1:]]
    return evaluate(
        references,
        {"middling": half, "good": references, "poor": poor, "alike": other},
        seed=1,
        statistics={"resamples": 999},
    ).result


def test_a_reason_without_names_stays_and_is_that_of_both_orders(make_result):
    result = make_result({"a": 0.1, "b": 0.2}, {("a", "b"): 0.5})
    (pair,) = result.comparisons
    table = make_rate_table(result, "cer", ReportSettings(["cer"], names={"a": "One"}))
    assert reason(pair.reversed(), table) == reason(pair, table) == explain_verdict(pair)
