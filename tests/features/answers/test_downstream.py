"""Tasks that a language model does with an output."""

from __future__ import annotations

import json

import numpy as np
import pytest

from misread.errors import AnswerError, InputTypeError, UndefinedResultError, UnknownNameError
from misread.features.answers.downstream import DownstreamTask
from misread.metrics import summarize
from misread.metrics.base import ScoredText
from misread.sockets import METRICS
from misread.spec import downstream_success_rate, evaluate_downstream_task

TRUTH = {"invoice_number": "INV-2024-001", "date": "2024-03-15", "total": "$150.00", "vendor": "Acme Corp"}


def test_four_of_five_fields_are_enough() -> None:
    truth = {**TRUTH, "currency": "USD"}
    result = evaluate_downstream_task("extraction", reference=truth, hypothesis={**TRUTH, "extra": 1})
    assert (result.task_success, result.quality_score, result.error_type) == (True, 0.8, None)


@pytest.mark.parametrize(("answer", "success"), [(" inv-2024-001", True), ("INV-2024-OO1", False), ("", False)])
def test_an_answer_is_right_without_case_and_white_space_at_its_ends(answer: str, success: bool) -> None:
    result = evaluate_downstream_task("qa", reference={"answer": "INV-2024-001"}, hypothesis={"answer": answer})
    assert (result.task_success, result.quality_score) == (success, float(success))
    assert result.error_type == (None if success else "answer_incorrect")
    several = {"answers": ["12 May", "INV-2024-001"]}
    assert evaluate_downstream_task("qa", reference=several, hypothesis={"answer": answer}).task_success == success


def test_anls_stands_beside_the_exact_match_of_an_answer() -> None:
    assert evaluate_downstream_task("qa", reference={"answer": "abcd"}, hypothesis={"answer": "abce"}).anls == 0.75
    assert evaluate_downstream_task("qa", reference={"answer": "abcd"}, hypothesis={}).anls == 0.0
    assert evaluate_downstream_task("classification", reference={"class": "a"}, hypothesis={"class": "a"}).anls is None


@pytest.mark.parametrize(
    ("given", "success"), [({"class": "invoice"}, True), ({"class": "Invoice"}, False), ({}, False)]
)
def test_a_class_is_right_exactly(given: dict[str, str], success: bool) -> None:
    result = evaluate_downstream_task("classification", reference={"class": "invoice"}, hypothesis=given)
    assert (result.task_success, result.error_type) == (success, None if success else "classification_wrong")
    # No class is not the class null.
    assert not evaluate_downstream_task("classification", reference={"class": None}, hypothesis={}).task_success


def test_another_task_is_said_to_be_unknown() -> None:
    result = evaluate_downstream_task("summarization", reference={}, hypothesis={})
    assert dict(result) == {
        "task_success": False,
        "quality_score": 0.0,
        "error_type": "unknown_task_type",
        "anls": None,
    }


@pytest.mark.parametrize(
    ("task", "reference", "message"),
    [
        ("extraction", {}, "has no field"),
        ("qa", {"question": "?"}, "has no 'answer'"),
        ("qa", {"answers": []}, "has no 'answer'"),
        ("classification", {"label": "a"}, "has no 'class'"),
    ],
)
def test_a_reference_that_lacks_what_the_task_asks_for_is_refused(task: str, reference: object, message: str) -> None:
    with pytest.raises(AnswerError, match=f"segment 'd1': .*{message}"):
        evaluate_downstream_task(task, reference=reference, hypothesis={}, segment_id="d1")


def test_an_answer_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(InputTypeError, match="segment 'd1': the reference is of type list"):
        evaluate_downstream_task("qa", reference=["a"], hypothesis={}, segment_id="d1")
    with pytest.raises(InputTypeError, match="the hypothesis is of type str"):
        evaluate_downstream_task("qa", reference={"answer": "a"}, hypothesis="a")


def test_the_success_rate_is_a_share_of_tasks_and_nothing_has_none() -> None:
    results = [
        evaluate_downstream_task("qa", reference={"answer": "a"}, hypothesis={"answer": answer}) for answer in "aab"
    ]
    assert downstream_success_rate(results) == pytest.approx(2 / 3)
    with pytest.raises(UndefinedResultError, match="there is no task"):
        downstream_success_rate([])


QUESTIONS = ScoredText(
    ['{"answer": "abcd"}', '{"answer": "abcd"}', '{"answer": "abcd"}', "no JSON", "{}"],
    ['{"answer": "abcd"}', '{"answer": "abce"}', "abcd", '{"answer": "a"}', "{}"],
)


@pytest.mark.parametrize(("name", "expected"), [("qa_success", 1 / 3), ("qa_anls", 1.75 / 3)])
def test_questions_are_scored_over_a_corpus(name: str, expected: float) -> None:
    metric = METRICS[name]
    counts = metric.count(QUESTIONS)
    found = summarize(metric, counts)
    assert found.micro == pytest.approx(expected)
    assert found.counts["compared"] == 3
    assert np.isnan(metric.rate(counts[3:])).all()
    assert metric.is_exact(counts)[:3].tolist() == [True, False, False]
    assert list(metric.problems(QUESTIONS.references)) == [3, 4]


@pytest.mark.parametrize("name", ["extraction_success", "classification_success"])
def test_extraction_and_classification_are_scored_over_a_corpus(name: str) -> None:
    truth, other = json.dumps({"class": "a", "n": 1}), json.dumps({"class": "b", "n": 1})
    counts = METRICS[name].count(ScoredText([truth] * 3, [truth, other, "[]"]))
    assert counts.tolist() == [[1, 1], [0, 1], [0, 1]]


def test_an_unknown_task_of_a_metric_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown task 'ocr' in metric 'm'\. There are: classification, e"):
        DownstreamTask("m", "ocr")
    with pytest.raises(UnknownNameError, match="There are: qa"):
        DownstreamTask("m", "extraction", "anls")
