import json

import pytest

from misread.errors import UndefinedResultError, UnknownNameError
from misread.files.json_files import to_json
from misread.metrics import cer, get_metrics
from misread.normalize import get_normalizer
from misread.pipeline.in_process import score_texts
from misread.records import Capture, Origin, SegmentKeys, TextPairs
from misread.stats import StatisticsSettings

REFERENCES = ["The quick", "brown fox", "jumps"]


def capture(system, hypotheses, references=REFERENCES):
    keys = SegmentKeys([f"s{row}" for row in range(len(references))], None, {})
    return Capture(Origin("lines", system), keys, TextPairs(references, hypotheses), [None] * len(references))


@pytest.fixture
def captures():
    return {
        "a": capture("a", ["The quick", "brown f0x", "jump"]),
        "b": capture("b", ["THE QUICK", "brown fox", None]),
    }


def run(captures, normalizer="none", metrics=("cer",), **options):
    settings = StatisticsSettings(seed=1, resamples=99)
    options = {"missing": "empty"} | options
    return score_texts(captures, get_normalizer(normalizer), get_metrics(metrics), settings, **options).result


def test_rates_are_those_of_the_texts(captures):
    assert run(captures).systems["a"]["cer"].micro == cer(REFERENCES, ["The quick", "brown f0x", "jump"])


def test_both_sides_are_normalized(captures):
    counts = [run(captures, name).systems["b"]["cer"].counts["substitutions"] for name in ("none", "lower")]
    assert counts == [7, 0]


def test_raw_metrics_are_not_normalized(captures):
    systems = run(captures, "lower", ["cer", "cer_raw"]).systems["b"]
    assert (systems["cer"].counts["substitutions"], systems["cer_raw"].counts["substitutions"]) == (0, 7)


def test_the_data_set_is_that_of_the_captures(captures):
    assert run(captures).dataset == "lines"


def test_the_baseline_is_the_first_system_or_the_one_chosen(captures):
    assert [run(captures).baseline, run(captures, baseline="b").baseline] == ["a", "b"]


def test_an_unknown_baseline_lists_the_systems(captures):
    with pytest.raises(UnknownNameError, match=r"'c' in --baseline\. There are: a, b\."):
        run(captures, baseline="c")


def test_the_policy_for_missing_hypotheses_is_applied(captures):
    assert run(captures, missing="drop").excluded == 1
    with pytest.raises(UndefinedResultError, match="no hypothesis for 1 of 3 segments"):
        run(captures, missing="error")


def test_other_references_are_refused(captures):
    other = capture("b", ["x", "y", "z"], ["The quick", "brown fax", "jumps"])
    with pytest.raises(UndefinedResultError, match="segment 's1' has one reference for a and another for b"):
        run({"a": captures["a"], "b": other})


def test_the_result_is_json(captures):
    assert json.loads(to_json(run(captures)))["systems"]["a"]["cer"]["counts"]["substitutions"] == 1
