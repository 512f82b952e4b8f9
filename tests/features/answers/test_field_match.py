"""Fields of JSON answers over a corpus."""

from __future__ import annotations

import json

import numpy as np
import pytest

from misread.errors import ConfigurationError
from misread.features.answers import FieldMatch, FieldRule
from misread.metrics import summarize
from misread.metrics.base import ScoredText
from misread.spec import field_extraction_f1

TRUTHS = ['{"date": "2024-03-15", "total": "5"}', '{"date": "2024-03-16", "total": "7"}']
ANSWERS = ['{"date": "2024-03-15", "total": "6"}', '{"date": "2024-03-16", "sum": "7"}']


@pytest.mark.parametrize(("score", "expected"), [("precision", 2 / 4), ("recall", 2 / 4), ("f1", 2 / 4)])
def test_values_are_summed_over_documents(score: str, expected: float) -> None:
    metric = FieldMatch("m", score)
    assert summarize(metric, metric.count(ScoredText(TRUTHS, ANSWERS))).micro == expected


def test_one_document_scores_as_the_function_does() -> None:
    metric = FieldMatch("m")
    scores = field_extraction_f1(reference=json.loads(TRUTHS[0]), hypothesis=json.loads(ANSWERS[0]))
    assert metric.rate(metric.count(ScoredText(TRUTHS[:1], ANSWERS[:1])))[0] == scores.field_f1


def test_a_mean_over_fields_weighs_each_field_alike() -> None:
    rules = {"date": FieldRule("date"), "total": FieldRule("number")}
    metric = FieldMatch("m", rules=rules, average="fields")
    found = summarize(metric, metric.count(ScoredText(TRUTHS, ANSWERS)))
    assert found.micro == pytest.approx((1.0 + 0.0) / 2)
    assert found.counts["date.correct"] == 2
    assert found.counts["compared"] == 2


def test_a_mean_over_fields_needs_their_names() -> None:
    with pytest.raises(ConfigurationError, match="needs rules that name each"):
        FieldMatch("m", average="fields")


@pytest.mark.parametrize("answer", ["", "no JSON", "[1]", "```json\n{}\n```", "null"])
def test_an_answer_that_is_no_object_has_no_field(answer: str) -> None:
    metric = FieldMatch("m")
    assert metric.count(ScoredText(TRUTHS[:1], [answer])).tolist() == [[0, 2, 0, 1]]


def test_references_that_cannot_be_used_are_named_and_count_nothing() -> None:
    metric = FieldMatch("m", rules={"date": FieldRule("date")})
    references = ["no JSON", "[]", '{"date": "May"}', TRUTHS[0]]
    counts = metric.count(ScoredText(references, ["{}"] * 4))
    assert counts.tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 1]]
    assert np.isnan(metric.rate(counts[:3])).all()
    problems = metric.problems(references)
    assert list(problems) == [0, 1, 2]
    assert problems[0].startswith("it is not valid JSON (Expecting value")
    assert problems[1] == "it is of type list, expected fields by name."
    assert problems[2] == "field 'date' of the reference is 'May', expected a date (%Y-%m-%d)."


def test_fields_of_nested_objects_may_count_by_themselves() -> None:
    pairs = ScoredText(['{"vendor": {"name": "A", "city": "B"}}'], ['{"vendor": {"name": "a", "city": "C"}}'])
    assert FieldMatch("m").count(pairs).tolist() == [[0, 1, 1, 1]]
    assert FieldMatch("m", flatten=True).count(pairs).tolist() == [[1, 2, 2, 1]]


def test_a_document_is_exact_when_nothing_is_wrong_missing_or_extra() -> None:
    metric = FieldMatch("m")
    counts = metric.count(ScoredText([TRUTHS[0]] * 3, [TRUTHS[0], ANSWERS[0], '{"date": "2024-03-15"}']))
    assert metric.is_exact(counts).tolist() == [True, False, False]


def test_the_signature_tells_other_rules_apart() -> None:
    one, two = FieldMatch("m"), FieldMatch("m", rules={"date": FieldRule("date")})
    assert str(one.signature("none")).startswith("m|unit:field|rules:specified|average:values|norm:none|")
    assert one.signature("none") != two.signature("none")


def test_a_field_that_neither_side_has_counts_nothing_in_a_mean_over_fields() -> None:
    rules = {"date": FieldRule("date"), "total": FieldRule("number"), "due": FieldRule("date")}
    metric = FieldMatch("m", rules=rules, average="fields")
    (counts,) = metric.count(ScoredText(['{"date": "2024-03-15"}'], ['{"date": "2024-03-15"}']))
    assert dict(zip(metric.columns, counts.tolist(), strict=True)) == {
        **{f"date.{name}": 1 for name in ("correct", "reference_values", "hypothesis_values")},
        **{
            f"{rule}.{name}": 0
            for rule in ("total", "due")
            for name in ("correct", "reference_values", "hypothesis_values")
        },
        "compared": 1,
    }
