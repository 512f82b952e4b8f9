import json
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from tests.made_results import count_errors

from misread.data.segment_table import Origin, SegmentKeys
from misread.errors import UndefinedResultError
from misread.io.json_files import from_plain, to_json
from misread.metrics import Direction, ErrorRate, Kind
from misread.sockets import METRICS
from misread.stats import DatasetResult, GroupResult, StatisticsSettings, adjust, compare_systems
from misread.stats.bootstrap.intervals import IntervalMethod
from misread.stats.bootstrap.jackknife import jackknife_interval
from misread.stats.compare import bootstrap_replicates
from misread.stats.compare.schema import Rank
from misread.stats.compare.settings import PairedTest
from misread.tally.scores import Counts, Scores

CER = METRICS["cer"]
RESAMPLES = 199
# All tests that are made from counts alone.
COUNTED = [test for test in get_args(PairedTest) if test != "mapsswe"]
DRAWN = np.random.default_rng(5)
MANY = {
    "good": DRAWN.integers(0, 3, size=40),
    "poor": DRAWN.integers(2, 6, size=40),
    "same": DRAWN.integers(0, 3, size=40),
}
SIDES = ["left", "right"] * 20
PAGES = [f"p{row // 4}" for row in range(40)]


def scores(errors, lengths=10, clusters=None, groups=None, metrics=("cer",), **changes):
    """Scores of one system from its errors a segment: all of them substitutions."""
    counts = count_errors(errors, lengths).values
    made = Scores(
        Origin("books", "any", "0123456789abcdef", {"name": "Any", "version": "1"}, "page" if clusters else ""),
        SegmentKeys([f"s{row:03}" for row in range(len(errors))], clusters, groups or {}),
        counts={metric: Counts(METRICS[metric].columns, counts) for metric in metrics},
        signatures={metric: METRICS[metric].signature("none") for metric in metrics},
        normalizer="none",
        reference_digest=["d"] * len(errors),
        missing="error",
    )
    return replace(made, **changes)


def compared(systems, *, baseline=None, metrics=("cer",), operations=None, **settings):
    settings = {"seed": 1, "resamples": RESAMPLES, "correction": "none"} | settings
    return compare_systems(
        systems,
        [METRICS[metric] for metric in metrics],
        StatisticsSettings(**settings),
        dataset="books",
        baseline=baseline or next(iter(systems)),
        operations=operations,
    )


def test_one_system_alone_draws_no_samples_and_has_the_interval_that_it_has_among_others(monkeypatch):
    among = compared({name: scores(errors) for name, errors in MANY.items()})
    monkeypatch.setattr(bootstrap_replicates, "draw_sums", lambda *_: pytest.fail("drawn"))
    alone = compared({"good": scores(MANY["good"])})
    assert alone.systems["good"]["cer"].confidence_interval == among.systems["good"]["cer"].confidence_interval
    assert alone.ranking["cer"]["good"] == Rank(rank=1, first=1.0, letters="a", highest=1, lowest=1)
    assert (alone.comparisons, alone.clusters, alone.cluster_name) == ((), None, "")
    rate = alone.systems["good"]["cer"]
    assert (rate.design_effect, rate.effective_segments) == (None, None)


def test_one_system_alone_with_few_references_that_are_not_empty_says_why_it_has_no_interval():
    result = compared({"good": scores([1, 2] + [0] * 38, [10, 10] + [0] * 38)}).systems["good"]["cer"]
    assert result.confidence_interval is None
    assert "effective degrees of freedom" in result.interval_reason


@pytest.fixture(scope="module")
def three():
    systems = {name: scores(errors, clusters=PAGES, groups={"side": SIDES}) for name, errors in MANY.items()}
    return compared(systems, baseline="poor", correction="holm")


@pytest.fixture
def not_applicable():
    origin = Origin("books", "ears", not_applicable="the system reads audio, the data set offers line_image")
    return replace(scores([]), origin=origin, counts={}, signatures={})


def only(result):
    (pair,) = result.comparisons
    return pair


def test_a_metric_has_its_counts_by_name_and_says_what_kind_of_number_it_is(three):
    result = three.systems["good"]["cer"]
    # Swaps are counted by the alignment "transpositions" only.
    assert tuple(result.counts) == CER.columns
    assert (result.kind, result.direction) == (Kind.ERROR_RATE, Direction.LOWER_IS_BETTER)


def test_exact_segments_are_those_without_an_error_that_all_systems_have():
    result = compared({"a": scores([0, 2, 0, 0]), "b": permuted(scores([1, 1, 0, 0]), [0, 1, 2])})
    assert [of["cer"].exact_segments for of in result.systems.values()] == [2, 1]


def test_the_result_says_what_was_compared(three):
    assert list(three.systems) == ["good", "poor", "same"]
    assert [(name, place.rank) for name, place in three.ranking["cer"].items()] == [
        ("good", 1),
        ("same", 2),
        ("poor", 3),
    ]
    assert (three.statistics.family_size, three.statistics.units) == (3, 10)
    assert "adj:holm(3)" in str(three.signature)
    assert (three.clusters, three.cluster_name) == (10, "page")
    assert three.engines == {name: {"name": "Any", "version": "1"} for name in MANY}


def test_clusters_have_a_design_effect():
    errors = np.repeat([0, 8, 1, 9, 0, 8, 1, 9, 2, 7], 4)
    result = compared({"a": scores(errors, clusters=PAGES)})
    found = result.systems["a"]["cer"]
    assert (found.design_effect, found.effective_segments) == (pytest.approx(4), pytest.approx(10))


def test_the_result_is_json_without_nan_and_read_as_it_was(three):
    assert from_plain(json.loads(to_json(three)), DatasetResult) == three


@pytest.mark.parametrize("pages", [40, 2])
def test_the_interval_of_a_rate_is_made_once_for_result_reason_and_warning(monkeypatch, pages):
    made = []

    def count(estimate, *arguments, **limits):
        made.append(estimate.value)
        return jackknife_interval(estimate, *arguments, **limits)

    monkeypatch.setattr("misread.stats.compare.bootstrap_replicates.jackknife_interval", count)
    clusters = [f"p{row % pages}" for row in range(40)]
    systems = {name: scores(errors, clusters=clusters) for name, errors in MANY.items()}
    result = compared(systems, length_classes=0)
    rates = [metrics["cer"].micro for metrics in result.systems.values()]
    assert made == rates
    assert [metrics["cer"].interval is None for metrics in result.systems.values()] == [pages == 2] * 3


def test_every_pair_is_compared_and_those_with_the_baseline_come_first(three):
    pairs = [(pair.baseline, pair.system) for pair in three.comparisons]
    assert pairs == [("poor", "good"), ("poor", "same"), ("good", "same")]


def test_every_metric_has_its_pairs():
    systems = {name: scores(errors, metrics=("cer", "wer")) for name, errors in MANY.items()}
    result = compared(systems, metrics=("cer", "wer"))
    assert [pair.metric for pair in result.comparisons] == ["cer"] * 3 + ["wer"] * 3
    assert str(result.signature).startswith("cer+wer|norm:none|")


def test_a_rate_is_of_summed_counts_inside_its_interval_and_a_difference_is_of_rates(three):
    rates = {name: of["cer"].micro for name, of in three.systems.items()}
    assert rates == {name: errors.sum() / 400 for name, errors in MANY.items()}
    for of in three.systems.values():
        assert of["cer"].confidence_interval.low < of["cer"].micro < of["cer"].confidence_interval.high
    for pair in three.comparisons:
        assert pair.difference == rates[pair.system] - rates[pair.baseline]


def test_segments_are_counted_by_who_reads_them_better():
    pair = only(compared({"base": scores([1, 2, 3, 4]), "new": scores([0, 2, 4, 1])}))
    assert (pair.better, pair.same, pair.worse) == (2, 1, 1)


def test_where_higher_is_better_a_positive_difference_is_an_improvement():
    class Upward(ErrorRate):
        direction = Direction.HIGHER_IS_BETTER

    systems = {"base": scores([1, 2] * 20), "new": scores([3, 4] * 20)}
    settings = StatisticsSettings(seed=1, resamples=RESAMPLES)
    pair = only(compare_systems(systems, [Upward("cer", "char")], settings, dataset="books", baseline="base"))
    assert (pair.better, pair.worse) == (40, 0)
    assert pair.tests["bootstrap"].effect_size == 1.0


@pytest.mark.parametrize("test", COUNTED)
@pytest.mark.parametrize("correction", ["holm", "benjamini_hochberg", "none"])
def test_p_values_of_each_test_are_adjusted_over_all_pairs(test, correction):
    systems = {name: scores(errors) for name, errors in MANY.items()}
    result = compared(systems, correction=correction, tests=[test], deciding_test=test)
    found = [pair.tests[test] for pair in result.comparisons]
    expected = adjust([of.pvalue for of in found], method=correction)
    assert [of.pvalue_adjusted for of in found] == expected.tolist()


@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_each_metric_is_a_family_of_its_own(metric):
    systems = {name: scores(errors, metrics=("cer", "wer")) for name, errors in MANY.items()}
    both = compared(systems, metrics=("cer", "wer"), correction="holm")
    of_one = {name: scores(errors, metrics=(metric,)) for name, errors in MANY.items()}
    alone = compared(of_one, metrics=(metric,), correction="holm")
    assert [p.tests["mcnemar"] for p in both.comparisons if p.metric == metric] == [
        p.tests["mcnemar"] for p in alone.comparisons
    ]


@pytest.mark.parametrize("test", COUNTED)
def test_the_test_that_decides_is_the_one_chosen(test):
    result = compared({name: scores(errors) for name, errors in MANY.items()}, tests=COUNTED, deciding_test=test)
    for pair in result.comparisons:
        assert pair.decided_by == test
        assert pair.pvalue_adjusted == pair.tests[test].pvalue_adjusted
        assert pair.significant == (pair.pvalue_adjusted < 0.05)


def test_only_the_tests_asked_for_are_made():
    pair = only(compared({"a": scores([1, 2, 3]), "b": scores([1, 1, 1])}, tests=["mcnemar"], deciding_test="mcnemar"))
    assert list(pair.tests) == ["mcnemar"]


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_whole_clusters_are_drawn_and_change_sides_where_there_are_any(three, test):
    for pair in three.comparisons:
        assert (pair.tests[test].unit, pair.tests[test].n) == ("page", 10)


def test_a_real_difference_is_found_and_an_absent_one_is_not(three):
    found = {(pair.baseline, pair.system): pair.significant for pair in three.comparisons}
    assert found == {("poor", "good"): True, ("poor", "same"): True, ("good", "same"): False}


def permuted(of, order):
    return replace(
        of,
        segments=of.segments.take(order),
        counts={metric: counts.take(order) for metric, counts in of.counts.items()},
        reference_digest=[of.reference_digest[row] for row in order],
    )


def test_the_order_of_segments_changes_no_byte_of_the_result():
    systems = {name: scores(errors, clusters=PAGES, groups={"side": SIDES}) for name, errors in MANY.items()}
    shuffled = {}
    for seed, (name, of) in enumerate(systems.items()):
        order = np.random.default_rng(seed).permutation(40).tolist()
        shuffled[name] = permuted(of, order)
    assert to_json(compared(shuffled)) == to_json(compared(systems))


def test_the_same_seed_gives_the_same_bytes_and_another_one_others():
    systems = {name: scores(errors) for name, errors in MANY.items()}
    first, again, other = (to_json(compared(systems, seed=seed).comparisons) for seed in (1, 1, 2))
    assert first == again != other


def test_a_further_system_leaves_the_numbers_of_the_others_alone():
    systems = {name: scores(errors) for name, errors in MANY.items()}
    pair = {name: systems[name] for name in ("good", "poor")}
    intervals = [
        compared(of).systems["good"]["cer"].confidence_interval for of in (pair, systems, {"good": pair["good"]})
    ]
    assert intervals[0] == intervals[1] == intervals[2]


@pytest.mark.parametrize("errors", [MANY["good"], [0] * 40])
def test_identical_systems_do_not_differ(errors):
    result = compared({"a": scores(errors), "b": scores(errors)})
    pair = only(result)
    assert result.systems["a"]["cer"].micro == sum(errors) / 400
    assert pair.difference == 0
    assert {name: test.pvalue for name, test in pair.tests.items()} == dict.fromkeys(
        ["wilcoxon", "mcnemar", "bootstrap", "randomisation"], 1.0
    )
    assert pair.tests["bootstrap"].effect_size == 0.5
    assert pair.significant is False


@pytest.mark.parametrize(("segments", "clusters", "unit"), [(1, None, "segment"), (40, ["p"] * 40, "page")])
def test_one_unit_gives_a_rate_and_the_reason_for_no_interval(segments, clusters, unit):
    result = compared({name: scores([errors] * segments, clusters=clusters) for name, errors in (("a", 1), ("b", 5))})
    assert result.clusters == (clusters and 1)
    assert (result.systems["a"]["cer"].micro, result.systems["a"]["cer"].confidence_interval) == (0.1, None)
    pair = only(result)
    assert (pair.confidence_interval, pair.pvalue_adjusted, pair.significant) == (None, 1.0, False)
    assert pair.tests["bootstrap"].method == "none"
    assert any(f"There is only 1 {unit}: the variation" in warning for warning in result.warnings)


def test_empty_references_only_give_no_rate_and_no_pair():
    result = compared({"a": scores([0, 1, 2], lengths=0), "b": scores([0, 0, 0], lengths=0)})
    of = result.systems["a"]["cer"]
    assert (of.micro, of.macro, of.confidence_interval) == (None, None, None)
    assert (of.counts["errors"], of.counts["length"], of.empty_references) == (3, 0, 3)
    assert result.comparisons == ()
    assert any("too many references are empty" in warning for warning in result.warnings)


def test_a_few_empty_references_are_counted_and_the_rest_is_compared():
    lengths = [0, *[10] * 39]
    result = compared({"a": scores(MANY["good"], lengths), "b": scores(MANY["poor"], lengths)})
    assert result.systems["a"]["cer"].empty_references == 1
    assert only(result).tests["wilcoxon"].extra["undefined"] == 1


@pytest.mark.parametrize(
    "systems",
    [
        {"a": scores([1]), "b": scores([5])},
        {"a": scores([0]), "b": scores([0])},
        {"a": scores([1, 2], clusters=["p", "p"]), "b": scores([5, 0], clusters=["p", "p"])},
        {"a": scores([0] * 9), "b": scores([0] * 9)},
        {"a": scores([10] * 9), "b": scores([0] * 9)},
        {"a": scores([1, 2], lengths=0), "b": scores([5, 0], lengths=0)},
        {"a": scores([0, 0], lengths=0, groups={"side": ["l", "r"]}), "b": scores([5, 0], groups={"side": ["l", "r"]})},
        {"a": scores([7] * 9, lengths=[1, *[0] * 8]), "b": scores([0] * 9, lengths=[1, *[0] * 8])},
    ],
    ids=["one", "one-right", "one-cluster", "all-right", "all-wrong", "all-empty", "group", "few-defined"],
)
@pytest.mark.parametrize("interval", get_args(IntervalMethod))
def test_thin_data_gives_finite_numbers_in_valid_json(systems, interval):
    result = compared(systems, interval=interval, tests=COUNTED)
    assert from_plain(json.loads(to_json(result)), DatasetResult) == result


def test_other_rules_are_refused_with_both_signatures():
    other = scores([1, 2], signatures={"cer": CER.signature("lower@1a2b")})
    with pytest.raises(
        UndefinedResultError, match=r"cer of a .*norm:none.* and of b .*norm:lower@1a2b.* different settings"
    ):
        compared({"a": scores([1, 2]), "b": other})


def test_a_metric_that_one_system_lacks_is_refused():
    with pytest.raises(UndefinedResultError, match=r"wer of a .* and of b \(not scored\)"):
        compared({"a": scores([1], metrics=("cer", "wer")), "b": scores([1])}, metrics=("cer", "wer"))


def test_segments_that_one_system_lacks_are_left_out_for_all_and_counted():
    rows = list(range(35))
    result = compared({"a": scores(MANY["good"]), "b": permuted(scores(MANY["poor"]), rows)})
    assert (result.segments, result.excluded) == (35, 5)
    assert result.systems["a"]["cer"].counts["errors"] == int(MANY["good"][:35].sum())


def test_segments_that_a_policy_left_out_are_counted():
    result = compared({"a": scores(MANY["good"], excluded=2, missing="drop")})
    assert (result.segments, result.excluded, result.missing) == (40, 2, "drop")


def test_a_system_that_cannot_read_the_data_set_is_listed_with_the_reason(not_applicable):
    systems = {"ears": not_applicable, "b": scores([2, 3]), "a": scores([1, 2])}
    result = compared(systems, baseline="ears")
    # The first that can read it is the baseline.
    assert (list(result.systems), result.baseline) == (["b", "a"], "b")
    assert result.not_applicable == {"ears": "the system reads audio, the data set offers line_image"}


def test_a_data_set_that_no_system_can_read_is_an_error_with_the_reasons(not_applicable):
    with pytest.raises(
        UndefinedResultError, match=r"no system can read data set 'books' \(ears: the system reads audio"
    ):
        compared({"ears": not_applicable})


def test_groups_break_the_rates_down_with_intervals_by_cluster(three):
    left = three.groups["side"]["left"]["good"]["cer"]
    assert list(three.groups["side"]) == ["left", "right"]
    assert (left.segments, left.micro) == (20, int(MANY["good"][::2].sum()) / 200)
    assert left.confidence_interval.method == "jackknife"


def test_a_group_of_one_segment_has_a_rate_and_no_interval():
    result = compared({"a": scores([1, 2, 3], groups={"side": ["l", "l", "r"]})})
    assert result.groups["side"]["r"]["a"]["cer"] == GroupResult(
        micro=0.3,
        segments=1,
        confidence_interval=None,
        interval_reason="There is only 1 segment: the variation between segments cannot be estimated.",
    )


def test_the_signature_of_a_rate_names_data_test_and_seed(three):
    facts = three.systems["good"]["cer"].signature.facts
    assert facts == CER.signature("none").facts | {
        "data": "books@01234567",
        "n": "40",
        "missing": "error",
        "test": "randomisation(page,K=10)",
        "B": str(RESAMPLES),
        "ci": "jackknife95",
        "adj": "holm(3)",
        "seed": "1",
    }


@pytest.mark.parametrize("test", ["mcnemar", "paired_t", "sign", "wilcoxon"])
def test_the_signature_names_the_segment_where_the_test_knows_no_clusters(test):
    systems = {name: scores(errors, clusters=PAGES) for name, errors in MANY.items()}
    assert f"|test:{test}(segment,K=40)|" in str(compared(systems, tests=[test], deciding_test=test).signature)


@pytest.mark.parametrize("method", get_args(IntervalMethod))
def test_every_interval_is_of_the_method_chosen_and_the_signature_names_it(method):
    systems = {name: scores(errors, clusters=PAGES, groups={"side": SIDES}) for name, errors in MANY.items()}
    result = compared(systems, interval=method, confidence=0.9)
    intervals = [
        *(of["cer"].confidence_interval for of in result.systems.values()),
        *(of["cer"].confidence_interval for of in result.groups["side"]["left"].values()),
        *(pair.confidence_interval for pair in result.comparisons),
    ]
    assert {interval.method for interval in intervals} == {method}
    assert f"|ci:{method}90|" in str(result.signature)


@pytest.mark.parametrize("method", get_args(IntervalMethod))
def test_the_interval_of_the_bootstrap_test_is_always_of_the_bootstrap(method):
    systems = {name: scores(errors, clusters=PAGES) for name, errors in MANY.items()}
    for pair in compared(systems, interval=method).comparisons:
        interval = pair.tests["bootstrap"].interval
        if method == "jackknife":
            assert interval.method == "percentile"
        else:
            assert interval == pair.confidence_interval


def test_where_no_single_units_are_drawn_the_error_is_that_of_the_bootstrap_and_the_signature_says_so():
    sides = [f"side {row // 8}" for row in range(40)]
    systems = {name: scores(errors, clusters=PAGES, groups={"side": sides}) for name, errors in MANY.items()}
    result = compared(systems, second_cluster="side")
    intervals = [of["cer"].confidence_interval for of in result.systems.values()]
    intervals += [pair.confidence_interval for pair in result.comparisons]
    assert {interval.method for interval in intervals} == {"standard"}
    assert "|ci:standard95|" in str(result.signature)
    assert "|cluster2:side|" in str(result.signature)
    assert result.statistics.interval == "standard"


def test_an_interval_and_the_test_of_equivalence_agree():
    systems = {name: scores(errors, clusters=PAGES) for name, errors in MANY.items()}
    for margin in (0.01, 0.05, 0.2, 0.3):
        for pair in compared(systems, confidence=0.9, margin=margin, correction="none").comparisons:
            low, high = pair.confidence_interval.low, pair.confidence_interval.high
            assert (pair.equivalence.pvalue < 0.05) == (-margin < low and high < margin)


def test_the_baseline_design_is_named_with_the_size_of_its_family():
    systems = {name: scores(errors) for name, errors in MANY.items()}
    result = compared(systems, pairs="baseline", correction="holm")
    assert (result.statistics.pairs, result.statistics.family_size) == ("baseline", 2)
    assert "|adj:holm(2)|" in str(result.signature)
    assert {pair.baseline for pair in result.comparisons} == {"good"}


@pytest.mark.slow
def test_the_signature_says_where_sums_of_very_many_segments_are_normal():
    rng = np.random.default_rng(4)
    systems = {name: scores(rng.binomial(10, rate, size=20_001)) for name, rate in (("a", 0.1), ("b", 0.101))}
    result = compared(systems, tests=["bootstrap", "randomisation"])
    assert "|draws:normal sums|" in str(result.signature)
    assert sum(rank.first for rank in result.ranking["cer"].values()) == pytest.approx(1)


def test_mapsswe_is_made_from_the_alignments_of_the_shared_segments():
    operations = {"a": {"cer": ["SCC", "CCC", "DCC"]}, "b": {"cer": ["CCC", "SCC"]}}
    # A segment that the other system lacks is left out of both.
    shorter = replace(scores([0, 1], 3), segments=SegmentKeys(["s000", "s001"], None, {}))
    systems = {"a": scores([1, 0, 1], 3), "b": shorter}
    result = compared(systems, operations=operations, tests=["mapsswe", "randomisation"])
    found = only(result).tests["mapsswe"].extra
    assert (found["segments"], found["errors_a"], found["errors_b"], found["mean"]) == (2, 1, 1, 0.0)


def test_mapsswe_is_left_out_where_a_metric_has_no_alignment():
    result = compared({"a": scores([1]), "b": scores([2])}, tests=["mapsswe", "randomisation"])
    assert list(only(result).tests) == ["randomisation"]
