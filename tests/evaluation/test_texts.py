import inspect
import json

import numpy as np
import pandas as pd
import pytest

from misread import METRICS, Normalizer, cer, evaluate, evaluate_frame
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


COLUMNS = {"reference": "ref", "systems": ["a", "b", "c"], "segment_id": "line", "cluster": "page"}
OPTIONS = {"metrics": "cer", "seed": 1, "statistics": {"resamples": 99}}


def run(references=REFERENCES, systems=HYPOTHESES, **options):
    return evaluate(references, systems, **{**OPTIONS, "missing": "empty", **options})


def settings_of(**statistics):
    return run(statistics={"resamples": 99, **statistics}).result.statistics


def counts(result, system="b", metric="cer"):
    return result.systems[system][metric].counts


def test_rates_are_those_of_the_texts():
    assert run().systems["a"]["cer"].rate == cer(REFERENCES, ["The quick", "brown f0x", "jump"])


def test_both_sides_are_normalized_also_by_a_normalizer_of_ones_own_and_raw_metrics_are_not():
    assert [counts(run(normalizer=name))["substitutions"] for name in ("none", "lower")] == [7, 0]
    own = Normalizer("mine", ["lower_case"])
    result = run(normalizer=own, metrics=["cer", "cer_raw"])
    assert [counts(result, metric=metric)["substitutions"] for metric in ("cer", "cer_raw")] == [0, 7]
    assert f"norm:{own.signature}|" in str(result.signature)


def test_metrics_are_ids_or_objects_and_one_needs_no_list():
    own = ErrorRate("my_wer", "word", alignment="sclite")
    for metrics, ids in (("wer", ["wer"]), (own, ["my_wer"]), (["cer", own], ["cer", "my_wer"])):
        assert run(metrics=metrics).metrics == ids


def test_error_rates_align_by_the_rule_that_is_asked_for():
    result = run(metrics=["wer=wer(alignment=sclite)", "ser"])
    assert run(metrics={"wer": "wer(alignment=sclite)", "ser": "ser"}).result == result.result
    assert "|align:sclite|" in str(result.systems["a"]["wer"].signature)
    with pytest.raises(UnknownNameError, match="unknown setting 'alignment' in mer"):
        run(metrics="mer(alignment=sclite)")


def test_a_frame_gives_the_same_as_its_columns(frame):
    texts = evaluate(
        frame["ref"],
        {system: frame[system] for system in ("a", "b", "c")},
        ids=frame["line"],
        clusters=frame["page"],
        groups={"side": frame["side"]},
        **OPTIONS,
    )
    columns = evaluate_frame(frame, groups=["side"], **COLUMNS, **OPTIONS)
    assert columns.pairs_frame().equals(texts.pairs_frame())
    assert columns.segments.equals(texts.segments)


def long_frame(frame):
    """One row per line and system."""
    shared = ["line", "page", "side", "ref"]
    return frame.melt(id_vars=shared, value_vars=["a", "b", "c"], var_name="engine", value_name="read")


LONG_COLUMNS = {"reference": "ref", "hypothesis": "read", "system": "engine", "segment_id": "line", "cluster": "page"}


def test_a_frame_may_have_a_row_for_each_segment_and_system(frame):
    wide = evaluate_frame(frame, groups="side", **COLUMNS, **OPTIONS)
    long = evaluate_frame(long_frame(frame), groups="side", **LONG_COLUMNS, **OPTIONS)
    assert long.result == wide.result
    assert long.segments.equals(wide.segments)


def test_systems_may_be_called_like_columns_of_their_frame(frame):
    renamed = long_frame(frame).replace({"engine": {"a": "ref", "b": "read", "c": "c"}})
    result = evaluate_frame(renamed, **LONG_COLUMNS, **OPTIONS)
    expected = evaluate_frame(frame, **COLUMNS, **OPTIONS)
    assert result.systems["ref"]["cer"].rate == expected.systems["a"]["cer"].rate
    assert list(result.systems) == ["ref", "read", "c"]


def test_a_system_without_a_row_has_no_hypothesis_there(frame):
    rows = long_frame(frame).drop(index=5)
    with pytest.raises(UndefinedResultError, match=r"system 'b' has no hypothesis for 1 of 4 segments .*l9"):
        evaluate_frame(rows, **LONG_COLUMNS, **OPTIONS)
    assert evaluate_frame(rows, missing="drop", **LONG_COLUMNS, **OPTIONS).result.excluded == 1


@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (5, "line", "l10", r"row 5: segment 'l10' has system 'b' twice, the first time on row 4"),
        (5, "ref", "other", r"row 5: column 'ref' of segment 'l9' in system 'b' is not that of row 1"),
        (5, "page", "p3", r"row 5: column 'page' of segment 'l9' in system 'b' is not that of row 1"),
        (5, "engine", " ", r"row 5: column 'engine' has no value"),
    ],
)
def test_rows_of_a_segment_that_contradict_each_other_are_named(frame, row, column, value, message):
    rows = long_frame(frame)
    rows.loc[row, column] = value
    with pytest.raises(InputValueError, match=message):
        evaluate_frame(rows, **LONG_COLUMNS, **OPTIONS)


def test_the_order_of_rows_decides_nothing_but_their_order(frame):
    turned = evaluate_frame(frame[::-1], **COLUMNS, **OPTIONS)
    result = evaluate_frame(frame, **COLUMNS, **OPTIONS)
    assert turned.systems["a"]["cer"].interval == result.systems["a"]["cer"].interval
    assert turned.segments["segment_id"][:4].to_list() == frame["line"][::-1].to_list()


@pytest.mark.parametrize(
    ("chosen", "systems"),
    [
        ({"systems": "a", "groups": "side"}, ["a"]),
        ({"systems": pd.Index(["a", "b"]), "groups": pd.Index(["side"])}, ["a", "b"]),
        ({"systems": {"Tesseract": "a", "Kraken": "b"}, "groups": ["side"]}, ["Tesseract", "Kraken"]),
    ],
)
def test_columns_are_named_alone_in_an_index_or_with_names_for_their_systems(frame, chosen, systems):
    result = evaluate_frame(frame, **{**COLUMNS, **OPTIONS, **chosen})
    assert (list(result.systems), list(result.result.groups)) == (systems, ["side"])


def test_clusters_are_called_like_their_column_or_series_or_as_asked(frame, evaluate_lines):
    assert evaluate_frame(frame, **COLUMNS, **OPTIONS).result.cluster_name == "page"
    assert evaluate_lines(cluster_name="leaf").result.cluster_name == "leaf"
    for clusters, name in ((frame["page"], "page"), (frame["page"].to_list(), "cluster")):
        assert evaluate(frame["ref"], {"a": frame["a"]}, clusters=clusters, seed=1).result.cluster_name == name


def test_the_baseline_is_the_first_system_or_the_one_chosen(evaluate_lines):
    assert [evaluate_lines(baseline=name).result.baseline for name in (None, "b")] == ["a", "b"]
    with pytest.raises(UnknownNameError, match=r"unknown system 'z' in baseline\. There are: a, b, c\."):
        evaluate_lines(baseline="z")


def test_the_policy_for_missing_hypotheses_is_applied():
    assert run(missing="drop").result.excluded == 1
    with pytest.raises(UndefinedResultError, match="no hypothesis for 1 of 3 segments"):
        run(missing="error")


def test_settings_of_the_statistics_are_an_object_or_a_mapping():
    settings = {"confidence": 0.9, "interval": "percentile", "pairs": "baseline", "margin": 0.01, "resamples": 99}
    mapped, made = run(statistics=settings), run(seed=None, statistics=StatisticsSettings(seed=1, **settings))
    assert mapped.result == made.result == run(seed=None, statistics={"seed": 1, **settings}).result
    statistics = mapped.result.statistics
    assert (statistics.confidence, statistics.interval) == (0.9, "percentile")
    assert (statistics.pairs, statistics.margin, statistics.seed) == ("baseline", 0.01, 1)


def test_the_test_that_decides_is_one_of_those_made():
    assert settings_of(deciding_test="paired_t", tests=["paired_t"]).decided_by == "paired_t"
    with pytest.raises(ConfigurationError, match=r"deciding_test is 'randomisation', expected one of tests"):
        settings_of(tests=["wilcoxon"])


def test_mapsswe_has_its_alignments():
    made = run(statistics={"resamples": 99, "tests": ["mapsswe", "randomisation"]}, metrics="wer")
    assert "mapsswe" in made.result.comparisons[0].tests


def test_the_result_is_json():
    assert json.loads(to_json(run().result))["systems"]["a"]["cer"]["counts"]["substitutions"] == 1


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint8])
def test_whole_numbers_of_numpy_are_whole_numbers(kind):
    numbers = {"seed": 1, "resamples": 50, "length_classes": 2}
    foreign = {name: kind(number) for name, number in numbers.items()}
    result = run(seed=None, statistics=foreign)
    assert result.result == run(seed=None, statistics=numbers).result
    assert type(result.result.statistics.seed) is int
    assert StatisticsSettings(**foreign) == StatisticsSettings(**numbers)


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"metrics": "ccer"}, UnknownNameError, "unknown metric 'ccer'. Did you mean 'cer', "),
        ({"metrics": "cer,wer"}, UnknownNameError, "unknown metric 'cer,wer'."),
        ({"metrics": []}, InputValueError, "metrics is empty; name at least one, such as 'cer'."),
        ({"metrics": ["cer", METRICS["cer"]]}, InputValueError, "metrics has 'cer' twice"),
        ({"metrics": 3}, InputTypeError, "metrics is of type int, expected names of metrics, or Metric objects."),
        ({"metrics": [3]}, UnknownNameError, "unknown metric 3."),
        ({"metrics": {"x": "werr"}}, UnknownNameError, "unknown metric 'werr'. Did you mean 'wer', "),
        ({"metrics": {"X": "wer"}}, ConfigurationError, "id 'X' of metric 'wer' cannot be used: ids are made of a-z"),
        ({"metrics": {}}, InputValueError, "metrics is empty; name at least one, such as 'cer'."),
        ({"normalizer": "lowr"}, UnknownNameError, "unknown normalizer 'lowr'. Did you mean 'lower'?"),
        ({"normalizer": str.lower}, InputTypeError, "normalizer is of type method_descriptor, expected a name"),
        ({"metrics": "cer(alignment=scite)"}, UnknownNameError, "unknown value 'scite' in cer.alignment."),
        ({"missing": "dorp"}, UnknownNameError, "unknown policy for missing hypotheses 'dorp'."),
        ({"systems": {}}, InputValueError, "systems is empty"),
        ({"systems": REFERENCES}, InputTypeError, "systems is of type list, expected a mapping"),
        ({"systems": {"a": ["one"]}}, LengthMismatchError, "references has 3 entries and systems['a'] has 1"),
        ({"references": [], "systems": {"a": []}}, InputValueError, "references is empty"),
        ({"references": "text"}, InputTypeError, "references is of type str, expected a sequence"),
        ({"references": pd.DataFrame({"ref": ["a"]})}, InputTypeError, "references is a DataFrame: write misread.eva"),
        ({"clusters": "page"}, InputTypeError, "clusters is of type str, expected a sequence"),
        ({"groups": ["side"]}, InputTypeError, "groups is of type list, expected a mapping"),
        ({"seed": None}, InputTypeError, "seed is missing: it decides every random draw"),
        ({"seed": "1"}, ConfigurationError, 'seed is "1", expected a whole number.'),
        ({"seed": -1}, ConfigurationError, "seed is -1, expected 0 to"),
        ({"statistics": {"seed": 2}}, InputTypeError, "seed is given, and statistics has one of its own"),
        ({"statistics": StatisticsSettings(2)}, InputTypeError, "seed is given, and statistics has one of its own"),
        ({"statistics": 0.95}, InputTypeError, "statistics is of type float, expected misread.StatisticsSettings"),
        ({"statistics": {"resample": 9}}, UnknownNameError, "unknown setting 'resample' in statistics. Did you mean"),
        ({"statistics": {"tests": "sign"}}, ConfigurationError, 'tests is "sign", expected a list.'),
        ({"statistics": {"tests": ["sing"]}}, UnknownNameError, "unknown value 'sing' in tests[0]."),
        ({"statistics": {"confidence": 95}}, ConfigurationError, "confidence is 95, expected a number"),
        ({"statistics": {"correction": "holms"}}, UnknownNameError, "unknown value 'holms' in correction."),
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
        (
            {"systems": None},
            InputTypeError,
            "name the texts of a DataFrame either by systems (a column for each system)",
        ),
        ({"system": "page"}, ConfigurationError, "a table with a row per system needs both columns, system and hypo"),
        ({"hypothesis": "a", "system": "b"}, InputTypeError, "name the texts of a DataFrame either by systems"),
        ({"systems": []}, InputValueError, "systems is empty"),
        ({"systems": "aa"}, UnknownNameError, "unknown column 'aa' in frame."),
        ({"reference": "reff"}, UnknownNameError, "unknown column 'reff' in frame. Did you mean 'ref'?"),
        ({"cluster": ["p"] * 4}, InputTypeError, "cluster is of type list, expected a column of the DataFrame."),
        ({"groups": {"side": []}}, InputTypeError, "groups is {'side': []}, expected a list of columns."),
        ({"segment_id": "page"}, InputValueError, "frame, row 1: segment id 'p1' was taken by frame, row 0 already;"),
        ({"request": "page"}, ConfigurationError, "request needs run: it is about rows of several runs."),
        ({"clusters": "page"}, UnknownNameError, "unknown argument 'clusters'. Did you mean 'cluster'?"),
    ],
)
def test_a_mistake_with_a_frame_is_answered_in_one_line(frame, changes, error, message):
    with pytest.raises(error) as caught:
        evaluate_frame(frame, **{**COLUMNS, **OPTIONS, **changes})
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_series_where_a_column_is_named_is_answered_in_one_line(frame):
    with pytest.raises(InputTypeError, match=r"^cluster is of type Series, expected a column of the DataFrame\.$"):
        evaluate_frame(frame, **{**COLUMNS, **OPTIONS, "cluster": frame["page"]})


def test_an_empty_frame_is_refused(frame):
    with pytest.raises(InputValueError, match="frame has no row"):
        evaluate_frame(frame[:0], **COLUMNS, **OPTIONS)


def test_no_door_has_more_than_eleven_parameters():
    for door in (evaluate, evaluate_frame):
        assert len(inspect.signature(door).parameters) <= 11
