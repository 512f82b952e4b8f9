import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from misread import METRICS, Normalizer, cer, evaluate
from misread.errors import (
    ConfigurationError,
    InputTypeError,
    InputValueError,
    LengthMismatchError,
    UndefinedResultError,
    UnknownNameError,
)
from misread.io.json_files import to_json
from misread.metrics import ErrorRate
from misread.stats import StatisticsSettings

REFERENCES = ["The quick", "brown fox", "jumps"]
HYPOTHESES = {"a": ["The quick", "brown f0x", "jump"], "b": ["THE QUICK", "brown fox", None]}


def run(references=REFERENCES, hypotheses=HYPOTHESES, **options):
    return evaluate(
        references, hypotheses, **{"metrics": "cer", "seed": 1, "resamples": 99, "missing": "empty", **options}
    )


def counts(result, system="b", metric="cer"):
    return result.systems[system][metric].counts


def test_rates_are_those_of_the_texts():
    assert run().systems["a"]["cer"].rate == cer(REFERENCES, ["The quick", "brown f0x", "jump"])


def test_both_sides_are_normalized():
    assert [counts(run(normalizer=name))["substitutions"] for name in ("none", "lower")] == [7, 0]


def test_a_normalizer_may_be_ones_own():
    own = Normalizer("mine", ["lower_case"])
    result = run(normalizer=own)
    assert counts(result)["substitutions"] == 0
    assert f"norm:{own.signature}|" in result.signature


def test_raw_metrics_are_not_normalized():
    result = run(normalizer="lower", metrics=["cer", "cer_raw"])
    assert [counts(result, metric=metric)["substitutions"] for metric in ("cer", "cer_raw")] == [0, 7]


def test_metrics_are_ids_or_objects_and_one_needs_no_list():
    own = ErrorRate("my_wer", "word", alignment="sclite")
    for metrics, ids in (("wer", ["wer"]), (own, ["my_wer"]), (["cer", own], ["cer", "my_wer"])):
        assert run(metrics=metrics).metrics == ids


def test_error_rates_align_by_the_rule_that_is_asked_for():
    result = run(metrics=["wer=wer(alignment=sclite)", "ser"])
    assert "|align:sclite|" in result.systems["a"]["wer"].signature
    with pytest.raises(UnknownNameError, match="unknown setting 'alignment' in ser"):
        run(metrics="ser(alignment=sclite)")


def test_a_frame_gives_the_same_as_its_columns(frame, evaluate_lines):
    columns = evaluate(
        frame["ref"],
        {system: frame[system] for system in ("a", "b", "c")},
        ids=frame["line"],
        clusters=frame["page"],
        groups={"side": frame["side"]},
        metrics=["cer", "wer"],
        name="lines",
        seed=1,
        resamples=99,
    )
    assert evaluate_lines(groups=["side"]).result == columns.result


def test_the_order_of_rows_decides_nothing_but_their_order(frame, evaluate_lines):
    turned = evaluate_lines(frame[::-1])
    assert turned.systems["a"]["cer"].interval == evaluate_lines().systems["a"]["cer"].interval
    assert turned.segments["segment_id"][:4].to_list() == frame["line"][::-1].to_list()


def test_the_index_of_a_frame_is_not_used(frame, evaluate_lines):
    frame.index = [0, 0, 7, 7]
    assert evaluate_lines(frame).result == evaluate_lines().result
    series = evaluate(frame["ref"], {"a": frame["a"]}, metrics="cer", seed=1)
    assert series.systems["a"]["cer"].rate == evaluate_lines().systems["a"]["cer"].rate


def test_series_of_different_indexes_are_refused(frame):
    with pytest.raises(InputValueError, match=r"hypotheses\['a'\] is a Series with another index than references"):
        evaluate(frame["ref"], {"a": frame["a"][::-1]}, seed=1)


def test_names_of_columns_may_stand_alone(evaluate_lines):
    result = evaluate_lines(systems="a", groups="side", metrics="cer")
    assert (list(result.systems), list(result.result.groups)) == (["a"], ["side"])


def test_names_of_columns_may_be_an_index(frame, evaluate_lines):
    result = evaluate_lines(systems=frame.columns[4:6], groups=frame.columns[2:3], metrics="cer")
    assert (list(result.systems), list(result.result.groups)) == (["a", "b"], ["side"])


def test_systems_of_a_frame_may_have_names_of_their_own(evaluate_lines):
    assert list(evaluate_lines(systems={"Tesseract": "a", "Kraken": "b"}).systems) == ["Tesseract", "Kraken"]


@pytest.mark.parametrize("make", [list, tuple, iter, pd.Series, np.array, pa.array], ids=lambda make: make.__name__)
def test_texts_may_come_in_any_sequence(make):
    result = evaluate(make(REFERENCES), {"a": make(HYPOTHESES["a"])}, metrics="cer", seed=1)
    assert result.systems["a"]["cer"].rate == cer(REFERENCES, HYPOTHESES["a"])


def test_systems_may_be_generators():
    result = evaluate(REFERENCES, {"a": (text for text in HYPOTHESES["a"])}, metrics="cer", seed=1)
    assert result.systems["a"]["cer"].rate == cer(REFERENCES, HYPOTHESES["a"])


def test_clusters_are_called_like_their_column_or_series_or_as_asked(frame, evaluate_lines):
    assert evaluate_lines().result.cluster_name == "page"
    assert evaluate_lines(cluster_name="leaf").result.cluster_name == "leaf"
    for clusters, name in ((frame["page"], "page"), (frame["page"].to_list(), "cluster")):
        assert evaluate(frame["ref"], {"a": frame["a"]}, clusters=clusters, seed=1).result.cluster_name == name


def test_the_baseline_is_the_first_system_or_the_one_chosen():
    assert [run().result.baseline, run(baseline="b").result.baseline] == ["a", "b"]


def test_the_policy_for_missing_hypotheses_is_applied():
    assert run(missing="drop").result.excluded == 1
    with pytest.raises(UndefinedResultError, match="no hypothesis for 1 of 3 segments"):
        run(missing="error")


def test_settings_of_the_statistics_are_arguments():
    result = run(confidence=0.9, interval="percentile", pairs="baseline", margin=0.01).result
    statistics = result.statistics
    assert (statistics.confidence, statistics.interval) == (0.9, "percentile")
    assert (statistics.pairs, statistics.margin, statistics.seed) == ("baseline", 0.01, 1)


def test_the_test_that_decides_is_always_made():
    for tests in ("wilcoxon", ["wilcoxon"], ("wilcoxon", "randomisation")):
        assert run(tests=tests).result.statistics.tests == ("wilcoxon", "randomisation")
    assert run(deciding_test="paired_t").result.statistics.decided_by == "paired_t"


def test_mapsswe_has_its_alignments():
    assert "mapsswe" in run(tests="mapsswe", metrics="wer").result.comparisons[0].tests


def test_the_result_is_json():
    assert json.loads(to_json(run().result))["systems"]["a"]["cer"]["counts"]["substitutions"] == 1


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_whole_numbers_of_numpy_are_whole_numbers(kind):
    texts = REFERENCES, {"a": HYPOTHESES["a"], "b": HYPOTHESES["a"][::-1]}
    numbers = {"seed": 1, "resamples": 50, "length_classes": 2}
    expected = evaluate(*texts, metrics="cer", **numbers)
    result = evaluate(*texts, metrics="cer", **{name: kind(number) for name, number in numbers.items()})
    assert result.result == expected.result
    assert type(result.result.statistics.seed) is int
    assert StatisticsSettings(**{name: kind(number) for name, number in numbers.items()}) == StatisticsSettings(
        **numbers
    )


def test_a_seed_is_asked_for():
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'seed'"):
        evaluate(REFERENCES, {"a": REFERENCES})


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"metrics": "ccer"}, UnknownNameError, "unknown metric 'ccer'. Did you mean 'cer'?"),
        ({"metrics": "cer,wer"}, UnknownNameError, "unknown metric 'cer,wer'."),
        ({"metrics": []}, InputValueError, "metrics is empty; name at least one, such as 'cer'."),
        ({"metrics": ["cer", METRICS["cer"]]}, InputValueError, "metrics has 'cer' twice"),
        ({"metrics": 3}, InputTypeError, "metrics is of type int, expected ids of metrics, or Metric objects."),
        ({"metrics": [3]}, UnknownNameError, "unknown metric 3."),
        ({"normalizer": "lowr"}, UnknownNameError, "unknown normalizer 'lowr'. Did you mean 'lower'?"),
        ({"normalizer": str.lower}, InputTypeError, "normalizer is of type method_descriptor, expected a name"),
        ({"metrics": "cer(alignment=scite)"}, UnknownNameError, "unknown value 'scite' in cer.alignment."),
        ({"missing": "dorp"}, UnknownNameError, "unknown policy for missing hypotheses 'dorp'."),
        ({"baseline": "z"}, UnknownNameError, "unknown system 'z' in baseline. There are: a, b."),
        ({"tests": "wilcoxn"}, UnknownNameError, "unknown value 'wilcoxn' in tests[0]. Did you mean 'wilcoxon'?"),
        ({"tests": 3}, InputTypeError, "tests is 3, expected names of tests."),
        ({"seed": "1"}, ConfigurationError, 'seed is "1", expected a whole number.'),
        ({"seed": -1}, ConfigurationError, "seed is -1, expected 0 to"),
        ({"confidence": 95}, ConfigurationError, "confidence is 95, expected a number between 0 and 1."),
        ({"resamples": 0}, ConfigurationError, "resamples is 0, expected 1 to"),
        ({"correction": "holms"}, UnknownNameError, "unknown value 'holms' in correction. Did you mean 'holm'?"),
        ({"resample": 9}, InputTypeError, "unknown argument 'resample' in evaluate(). Did you mean 'resamples'?"),
        ({"cluster": []}, InputTypeError, "unknown argument 'cluster' in evaluate(). Did you mean 'clusters'?"),
        ({"hypotheses": None}, InputTypeError, "hypotheses is missing, expected texts by system, such as {'a': ...}."),
        ({"hypotheses": {}}, InputValueError, "hypotheses is empty"),
        ({"hypotheses": REFERENCES}, InputTypeError, "hypotheses is of type list, expected a mapping"),
        ({"hypotheses": {"a": ["one"]}}, LengthMismatchError, "references has 3 entries and hypotheses['a'] has 1"),
        ({"references": [], "hypotheses": {"a": []}}, InputValueError, "references is empty"),
        ({"references": "text"}, InputTypeError, "references is of type str, expected a sequence"),
        ({"clusters": "page"}, InputTypeError, "clusters is of type str, expected a sequence"),
        ({"groups": ["side"]}, InputTypeError, "groups is of type list, expected a mapping"),
        ({"reference": "ref"}, InputTypeError, "reference names columns, but references is not a DataFrame"),
        ({"systems": ["a"]}, InputTypeError, "systems names columns, but references is not a DataFrame"),
    ],
)
def test_a_mistake_is_answered_in_one_line(changes, error, message):
    with pytest.raises(error) as caught:
        run(**changes)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"hypotheses": {"a": []}}, InputTypeError, "hypotheses is given beside a DataFrame"),
        ({"reference": None}, InputTypeError, "a DataFrame needs reference and systems, the names of its columns."),
        ({"systems": None}, InputTypeError, "a DataFrame needs reference and systems, the names of its columns."),
        ({"systems": []}, InputValueError, "systems is empty"),
        ({"systems": "aa"}, UnknownNameError, "unknown column 'aa' in frame."),
        ({"reference": "reff"}, UnknownNameError, "unknown column 'reff' in frame. Did you mean 'ref'?"),
        ({"clusters": ["p"] * 4}, InputTypeError, "clusters is of type list, expected a column of the DataFrame."),
        ({"groups": {"side": []}}, InputTypeError, "groups is a mapping, expected names of columns"),
        ({"ids": "page"}, InputValueError, "frame, row 1: segment id 'p1' was taken by frame, row 0 already."),
    ],
)
def test_a_mistake_with_a_frame_is_answered_in_one_line(evaluate_lines, changes, error, message):
    with pytest.raises(error) as caught:
        evaluate_lines(**changes)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_series_where_a_column_is_named_is_answered_in_one_line(frame, evaluate_lines):
    with pytest.raises(InputTypeError, match=r"^clusters is of type Series, expected a column of the DataFrame\.$"):
        evaluate_lines(clusters=frame["page"])


def test_an_empty_frame_is_refused(frame, evaluate_lines):
    with pytest.raises(InputValueError, match="frame has no row"):
        evaluate_lines(frame[:0])
