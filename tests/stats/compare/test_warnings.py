import numpy as np
import pytest
import scipy.stats
from tests.made_results import share_errors

from misread import evaluate
from misread.data.segment_table import Capture, Doubt, Origin, SegmentKeys, TextFacts, TextPairs
from misread.io.json_files import to_plain
from misread.normalize import get_normalizer, normalize
from misread.normalize.normalized_texts import NormalizedTexts
from misread.sockets import METRICS, get_metrics
from misread.stats.compare.bootstrap_replicates import Replicates, draw_replicates
from misread.stats.compare.compare import compare_systems
from misread.stats.compare.schema import Caution
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import SharedSegments
from misread.stats.compare.system_pair import SystemPair
from misread.stats.compare.warnings import FEW_CLUSTERS, FEW_SEGMENTS, cautions_about, warnings_about
from misread.tally import score
from misread.tally.scores import Scores


def warnings(segments=FEW_SEGMENTS, clusters=None, excluded=0, invisible=None, systems=1, families=None, **settings):
    codes = None if clusters is None else np.arange(segments) % clusters
    keys = SegmentKeys([f"s{row}" for row in range(segments)], None, {})
    shared = SharedSegments(
        keys, {f"s{number}": {} for number in range(systems)}, codes, "" if codes is None else "page", excluded
    )
    of = Scores(
        Origin("d", "a"), keys, normalizer="none", missing="error", excluded=excluded, invisible=invisible or {}
    )
    chosen = StatisticsSettings(seed=1, **settings)
    return warnings_about(
        shared,
        {},
        {"a": of},
        {metric: family(size, chosen) for metric, size in (families or {"cer": chosen.family_size(systems)}).items()},
        chosen,
    )


def family(pairs, settings):
    """As many pairs of one metric, as far as warnings look at it."""
    shared = share_errors({"s0": [0], "s1": [0]})
    return [SystemPair(Replicates(shared, METRICS["cer"], settings), "s0", "s1", family=(1.0,) * pairs)] * pairs


def test_segments_without_clusters_are_taken_as_independent():
    assert warnings() == ["The data set names no clusters: segments are taken as independent."]


def test_few_clusters_are_named():
    (warning,) = warnings(clusters=FEW_CLUSTERS - 1)
    assert warning.startswith("30 segments from 9 clusters (page): below 10 clusters, intervals of rates may be")
    (warning,) = warnings(clusters=FEW_CLUSTERS - 1, interval="percentile")
    assert warning.endswith("intervals are too narrow and p-values of the bootstrap too small.")


def made_of(clusters, pages=12, errors=None):
    """Warnings about a system with so many segments on each page, up to two errors in each unless others are given."""
    codes = np.repeat(np.arange(pages), clusters)
    shared = share_errors({"a": np.arange(len(codes)) % 3 if errors is None else errors}, clusters=codes)
    of = Scores(Origin("d", "a"), shared.keys, normalizer="none", missing="error")
    settings = StatisticsSettings(seed=1, resamples=99)
    return warnings_about(shared, draw_replicates(shared, [METRICS["cer"]], settings), {"a": of}, {}, settings)


def test_clusters_of_one_size_without_outliers_leave_nothing_to_say():
    assert made_of([10] * 12) == []


def test_clusters_of_very_unequal_sizes_are_said_to_be_worth_few():
    warning, without_interval = made_of([100, 90, *[5] * 10])
    assert without_interval.startswith("cer: no interval of a. 12 pages leave ")
    assert warning == (
        "The 12 clusters (page) are very unequal, in length or in errors: the effective number of clusters is about 3."
    )


def test_a_rate_that_hangs_on_a_few_clusters_is_named():
    errors = np.arange(120) % 3
    errors[5] = 100
    assert made_of([10] * 12, errors=errors) == [
        "cer: one page weighs far more than the others (a: 'p00'). If the sample missed others like it, the true "
        "rate may lie beyond the interval."
    ]


def test_too_few_clusters_for_any_difference_to_count_are_said_to_be_so():
    assert warnings(clusters=5, systems=2)[1] == (
        "With 5 pages no difference can be significant: the smallest attainable p-value of randomisation is 0.0625."
    )
    assert len(warnings(clusters=6, systems=2)) == 1


def test_more_pairs_need_more_clusters():
    assert "smallest attainable p-value of randomisation is 0.0938" in warnings(clusters=6, systems=3)[1]
    assert len(warnings(clusters=6, systems=3, correction="none")) == 1


def test_a_family_of_its_own_that_is_too_large_is_named_by_its_metric():
    assert warnings(clusters=6, systems=3, families={"cer": 1, "wer": 3})[1].startswith(
        "With 6 pages no difference in wer can be significant: the smallest attainable p-value of randomisation is "
        "0.0938."
    )


def test_where_another_test_decides_randomisation_has_no_say():
    assert len(warnings(clusters=5, systems=2, deciding_test="bootstrap")) == 1


def test_what_is_doubtful_in_the_data_comes_first_and_once():
    keys = SegmentKeys([f"s{row}" for row in range(FEW_SEGMENTS)], None, {})
    scores = {
        name: Scores(Origin("d", name, facts=TextFacts(notes=notes)), keys, normalizer="none", missing="error")
        for name, notes in (("a", ("x.", "y.")), ("b", ("y.", "z.")))
    }
    shared = SharedSegments(keys, {}, None, "", 0)
    assert warnings_about(shared, {}, scores, {}, StatisticsSettings(seed=1))[:4] == [
        "x.",
        "y.",
        "z.",
        "The data set names no clusters: segments are taken as independent.",
    ]


def test_few_segments_are_named():
    said = "There are only 29 segments: intervals are wide, and only large differences can be found."
    assert said in warnings(segments=FEW_SEGMENTS - 1)
    assert said.replace("29", "30") not in warnings(segments=FEW_SEGMENTS)


def test_one_segment_is_one():
    assert "There is only 1 segment: intervals are wide, and only large differences can be found." in warnings(
        segments=1
    )


def test_segments_left_out_are_counted():
    assert warnings(clusters=10, excluded=3) == [
        "3 segments are left out because at least one system has no hypothesis."
    ]


def test_errors_that_nobody_can_see_are_named_by_system_and_kind():
    assert warnings(clusters=10, invisible={"line endings": 2, "dashes": 1}) == [
        "a: 2 segments in which line endings differ, which cannot be seen; they count as errors.",
        "a: 1 segment in which dashes differ, which cannot be seen; they count as errors.",
    ]


def test_every_warning_is_a_whole_sentence():
    for warning in warnings(segments=2, clusters=1, excluded=1):
        assert warning.endswith(".")


def composition_warnings(metrics):
    keys = SegmentKeys(["one", "two"], None, {})
    pairs = TextPairs(["Mu\u0308ll", "b"], ["M\u00fcll", "b"])
    texts = NormalizedTexts(
        Origin("lines", "ours"),
        keys,
        raw=pairs,
        normalized=pairs,
        normalized_lines=pairs,
        reasons=[None, None],
        normalizer="none",
    )
    scores = score(texts, get_metrics(metrics))
    shared = SharedSegments(keys, {"ours": scores.counts}, None, "", 0)
    return [
        warning
        for warning in warnings_about(shared, {}, {"ours": scores}, {}, StatisticsSettings(seed=1))
        if "composed" in warning
    ]


@pytest.mark.parametrize(
    ("metrics", "end"),
    [(["cer", "wer"], "they count as errors."), (["cer", "ger"], "they count as errors, but not among graphemes.")],
)
def test_composed_and_decomposed_letters_are_pointed_out(metrics, end):
    [warning] = composition_warnings(metrics)
    assert warning.startswith("ours: 1 segment in which composed and decomposed letters differ")
    assert warning.endswith(end)


def test_references_that_a_metric_cannot_use_are_named():
    problems = {"field_f1": {f"s{row}": "it is not valid JSON." for row in range(5)}}
    keys = SegmentKeys([f"s{row}" for row in range(FEW_SEGMENTS)], None, {})
    scores = Scores(Origin("d", "a"), keys, normalizer="none", missing="error", problems=problems)
    shared = SharedSegments(keys, {"a": {}}, np.arange(FEW_SEGMENTS), "page", 0)
    (warning,) = warnings_about(shared, {}, {"a": scores}, {}, StatisticsSettings(seed=1))
    assert warning.startswith(
        "field_f1: 5 segments are left out because their references cannot be used. Segment 's0': it"
    )
    assert warning.endswith("And 2 more.")
    short = "field_f1: 5 segments are left out because their references cannot be used."
    assert cautions_about(shared, {"a": scores}) == [Caution(text=short, metric="field_f1")]


def test_cautions_are_said_once_and_of_every_system_in_brief():
    keys = SegmentKeys([f"s{row}" for row in range(FEW_SEGMENTS)], None, {})
    doubts = [
        Doubt(sentence="Long of both.", brief="Of both."),
        Doubt(sentence="No caution.", brief="No.", is_caution=False),
    ]
    scores = {
        name: Scores(
            Origin(
                "d", name, facts=TextFacts(doubts=[*doubts, Doubt(sentence=f"Long of {name}.", brief=f"Of {name}.")])
            ),
            keys,
            normalizer="none",
            missing="empty",
        )
        for name in "ab"
    }
    shared = SharedSegments(keys, {"a": {}, "b": {}}, None, "", excluded=3)
    assert cautions_about(shared, scores) == [
        Caution(text="Of both."),
        Caution(text="Of a."),
        Caution(text="Of b."),
        Caution(text="3 segments are left out because at least one system has no hypothesis."),
    ]
    warnings = warnings_about(shared, {}, scores, {}, StatisticsSettings(seed=1))
    assert warnings[:4] == ["Long of both.", "No caution.", "Long of a.", "Long of b."]


LINE = "abcdefghij"


def evaluated(lengths, wrong):
    """A system with one page for each length in lines, of which so many letters in all are wrong."""
    pages = [f"p{page}" for page, lines in enumerate(lengths) for _ in range(lines)]
    ends = np.cumsum(lengths) - 1
    hypotheses = [LINE] * len(pages)
    for end, errors in zip(ends, wrong, strict=True):
        hypotheses[end] = "x" * errors + LINE[errors:]
    return evaluate(
        [LINE] * len(pages), {"a": hypotheses}, clusters=pages, metrics=["cer"], seed=1, statistics={"resamples": 99}
    )


def test_a_page_that_holds_most_of_the_text_is_named_with_the_rates_without_each_page():
    result = evaluated([12, 1, 2, 1, 2, 2], [6, 1, 1, 0, 1, 1])
    rate = result.systems["a"]["cer"]
    assert rate.interval is None
    # 10 errors in 200 letters; without p0 4 in 80, without p3, which has no error, 10 in 190.
    assert rate.interval_reason.startswith(
        "6 clusters leave 1.5 effective degrees of freedom, and an interval needs 3:"
    )
    assert "'p0' holds 60 % of all counts. " in rate.interval_reason
    assert rate.interval_reason.endswith("Without one cluster the rate is 4.74 to 5.26 %.")
    assert [warning for warning in result.warnings if warning.startswith("cer: no interval of a. 6 clusters leave")]


@pytest.mark.parametrize("render", ["to_markdown", "to_latex", "to_html", "to_text"])
def test_tables_have_a_sign_in_place_of_the_interval_and_the_reason_below_with_all_notes(render):
    result = evaluated([12, 1, 2, 1, 2, 2], [6, 1, 1, 0, 1, 1])
    text = getattr(result, render)(notes=True)
    assert "[--]" in text
    assert "effective degrees" not in " ".join(getattr(result, render)().split())
    assert "effective degrees of freedom" in " ".join(text.split())


def test_without_any_error_the_interval_has_an_upper_end_and_a_warning_says_how_many_pages_may_have_some():
    result = evaluated([2] * 12, [0] * 12)
    interval = result.systems["a"]["cer"].interval
    assert (interval.low, 0 < interval.high < 0.05) == (0.0, True)
    # None of 12 pages has an error: 26 % with errors would give such a sample in 2.5 % of all cases.
    assert scipy.stats.binom.pmf(0, 12, 0.265) == pytest.approx(0.025, abs=0.001)
    assert "a: no error in any of 12 clusters (cer); up to 26 % of all clusters may have errors." in result.warnings
    assert not any("no error" in warning for warning in evaluated([2] * 12, [1] + [0] * 11).warnings)


def test_four_pages_of_one_size_have_an_interval_and_no_reason():
    rate = evaluated([2, 2, 2, 2], [1, 1, 1, 1]).systems["a"]["cer"]
    assert (rate.interval is None, rate.interval_reason) == (False, "")


def test_systems_asked_under_other_conditions_have_one_caution_and_one_warning():
    result = asked_at({"a": ["1"], "b": ["4", "16"]})
    (caution,) = [caution for caution in result.cautions if "conditions" in caution.text]
    assert caution.text.startswith("Asked under different conditions: concurrency (a 1; b mixed 4, 16). Answers of a")
    assert (caution.metric, list(result.warnings).count(caution.text)) == ("", 1)
    assert to_plain(result)["engines"] == {"a": {"concurrency": "1"}, "b": {"concurrency": "mixed 4, 16"}}


@pytest.mark.parametrize("concurrencies", [{"a": ["4"], "b": ["4"]}, {"a": ["4"], "b": []}])
def test_systems_asked_alike_have_none(concurrencies):
    assert not asked_at(concurrencies).cautions


def asked_at(concurrencies):
    """The comparison of systems that were asked at these concurrencies; a local engine has none."""
    keys = SegmentKeys([f"s{row}" for row in range(FEW_SEGMENTS)], None, {})
    pairs = TextPairs(["one two"] * FEW_SEGMENTS, ["one tvo"] * FEW_SEGMENTS)
    metric = METRICS["cer"]
    scores = {}
    for system, values in concurrencies.items():
        origin = Origin("d", system, conditions={"concurrency": values} if values else {})
        capture = Capture(origin, keys, pairs, [None] * FEW_SEGMENTS)
        scores[system] = score(normalize(capture, get_normalizer("none")), [metric], missing="error")
    return compare_systems(scores, [metric], StatisticsSettings(seed=1), dataset="d", baseline="a")


@pytest.mark.parametrize(("character", "called"), [("\f", "form feeds"), ("\x01", "control characters")])
def test_form_feeds_and_controls_are_a_caution_of_every_table(character, called):
    outputs = [f"one\n{character}", f"two\n{character}"]
    result = evaluate(["one\n", "two\n"], {"ours": outputs}, metrics=["cer"], seed=1)
    said = f"ours: 2 segments in which {called} differ, which cannot be seen; they count as errors."
    assert said in [caution.text for caution in result.result.cautions]
    assert said in result.warnings
    other = evaluate(["one"], {"ours": ["one\u200b"]}, metrics=["cer"], seed=1)
    assert not [caution for caution in other.result.cautions if "zero-width" in caution.text]
