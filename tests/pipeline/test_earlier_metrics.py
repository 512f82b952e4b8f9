"""Metrics of earlier configurations: what a metric was made of is what its name makes."""

import pytest

from misread.errors import ConfigurationError
from misread.features.answers import FieldMatch, FieldRule
from misread.features.token_costs import ModelPrice, TokenScore
from misread.metrics import ErrorRate
from misread.pipeline.earlier_metrics import in_present_form
from misread.sockets import METRICS
from misread.sockets.metric_names import get_metric

RULE = "misread.features.answers.FieldRule"


def names(**configured):
    return in_present_form({"metrics": list(configured), "configured_metrics": configured})["metrics"]


def test_a_list_becomes_names_in_its_order_and_settings_go():
    content = {"metrics": ["wer", "cer"], "configured_metrics": {}, "seed": 1}
    made = in_present_form(content)
    assert made == {"metrics": {"wer": "wer", "cer": "cer"}, "seed": 1}
    assert list(made["metrics"]) == ["wer", "cer"]
    assert in_present_form({"metrics": ["anna"]}) == {"metrics": {"anna": "anna"}}


@pytest.mark.parametrize("content", [{"metrics": {"cer": "cer"}}, {}, {"metrics": None}])
def test_what_has_names_by_id_or_nothing_stays(content):
    assert in_present_form(content) is content


@pytest.mark.parametrize(
    ("metric_id", "settings", "expected"),
    [
        ("wer", {"alignment": "sclite"}, ErrorRate("wer", "word", alignment="sclite")),
        ("hits", {"_target_": "misread.metrics.ErrorRate", "unit": "word"}, ErrorRate("hits", "word")),
        (
            "x",
            {"_target_": "misread.metrics.ErrorRate", "unit": "word", "alignment": "sclite", "text": "raw"},
            ErrorRate("x", "word", alignment="sclite", text="raw"),
        ),
        ("g", {"_target_": "misread.metrics.ErrorRate", "unit": "grapheme"}, ErrorRate("g", "grapheme")),
        (
            "fields",
            {
                "_target_": "misread.features.answers.FieldMatch",
                "average": "fields",
                "rules": {
                    "date": {"_target_": RULE, "compare": "date"},
                    "a:b": {"_target_": RULE, "no_value": ["null"]},
                },
            },
            FieldMatch(
                "fields",
                average="fields",
                rules={"date": FieldRule(compare="date"), "a:b": FieldRule(no_value=["null"])},
            ),
        ),
        (
            "token_cost",
            {
                "model": "m",
                "price": {
                    "_target_": "misread.features.token_costs.ModelPrice",
                    "encoding": "o200k_base",
                    "usd_per_1000_tokens": 0.002,
                    "date": "2026-06-30",
                    "source": "ours",
                },
            },
            TokenScore(
                "token_cost",
                score="cost",
                model="m",
                price=ModelPrice(encoding="o200k_base", usd_per_1000_tokens=0.002, date="2026-06-30", source="ours"),
                text=METRICS["token_cost"].text,
            ),
        ),
    ],
)
def test_the_name_makes_the_metric_that_the_settings_made(metric_id, settings, expected):
    metric = get_metric(names(**{metric_id: settings})[metric_id], metric_id)
    assert type(metric) is type(expected)
    facts = {name: value for name, value in vars(metric).items() if name != "name"}
    assert facts == {name: value for name, value in vars(expected).items() if name != "name"}


def test_a_class_of_a_plug_in_keeps_its_name_and_a_file_its_path():
    assert names(own={"_target_": "study.metrics.Left", "unit": "char"}) == {"own": "study.metrics.Left(unit=char)"}
    assert names(rare_word_error_rate={"counts": "data/counts.tsv"}) == {
        "rare_word_error_rate": "rare_word_error_rate(counts=data/counts.tsv)"
    }


def test_what_no_name_can_be_is_said():
    with pytest.raises(ConfigurationError, match=r"configured_metrics\.x: no metric has the class .*FieldRule"):
        names(x={"_target_": RULE})
    with pytest.raises(ConfigurationError, match=r"configured_metrics\.x is 3, expected settings"):
        names(x=3)
