"""Fields extracted from documents.

Values of fields that are right, asked for and given.

Fields of JSON answers over a corpus.
"""

from __future__ import annotations

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import evaluate
from misread.errors import ConfigurationError, InputTypeError, UnknownNameError
from misread.features.answers import FieldMatch, FieldRule
from misread.features.answers.field_counts import FieldCounts, count_fields, flatten_fields
from misread.metrics import summarize
from misread.metrics.base import ScoredText
from misread.spec import field_extraction_f1

TRUTH = {"invoice_number": "INV-2024-001", "date": "2024-03-15", "total": "$150.00", "vendor": "Acme Corp"}


@pytest.mark.parametrize(
    ("truth", "found"),
    [({"vendor": "Acme Corp"}, {"vendor": " ACME corp\n"}), ({"n": 5, "none": None}, {"n": "5", "none": "None"})],
)
def test_values_are_compared_as_texts_without_case_and_white_space_at_the_ends(truth, found) -> None:
    assert field_extraction_f1(reference=truth, hypothesis=found).field_f1 == 1.0


@pytest.mark.parametrize(("truth", "found"), [({}, {}), (TRUTH, {}), ({}, TRUTH)])
def test_nothing_on_a_side_gives_zero(truth: dict[str, str], found: dict[str, str]) -> None:
    scores = field_extraction_f1(reference=truth, hypothesis=found)
    assert (scores.field_precision, scores.field_recall, scores.field_f1) == (0.0, 0.0, 0.0)


PERSONS = {"A": ["Frey"], "B": ["Frey", "Herr B"], "C": []}


def slow_matches(reference: list[str], hypothesis: list[str]) -> int:
    """Most pairs over all assignments: the oracle."""
    names = {person: {person, *others} for person, others in PERSONS.items()}
    padded = [*hypothesis, *[""] * len(reference)]
    return max(
        sum(given in names[person] for person, given in zip(reference, order, strict=False))
        for order in permutations(padded, len(reference))
    )


@given(
    st.lists(st.sampled_from("ABC"), unique=True, max_size=3),
    st.lists(st.sampled_from(["A", "B", "C", "Frey", "Herr B", "Basel"]), max_size=4),
)
def test_as_many_persons_are_found_as_by_the_best_assignment(reference: list[str], hypothesis: list[str]) -> None:
    rule = FieldRule("exact", "multiset", alternatives=PERSONS)
    counts = count_fields({"p": reference}, {"p": hypothesis}, {"p": rule})["p"]
    assert counts == (slow_matches(reference, hypothesis), len(reference), len(hypothesis))


def test_a_second_name_of_the_same_person_is_neither_right_nor_wrong_in_a_set() -> None:
    rule = FieldRule("exact", "set", alternatives=PERSONS)
    counts = count_fields({"p": ["B"]}, {"p": ["Herr B", "B", "B", "Basel"]}, {"p": rule})
    assert counts == {"p": FieldCounts(1, 1, 2)}


def test_repeats_count_in_a_multiset() -> None:
    rule = FieldRule("number", "multiset")
    assert count_fields({"n": [5, 5, 7]}, {"n": ["5.0", 7, 7]}, {"n": rule}) == {"n": FieldCounts(2, 3, 3)}


def test_a_rule_for_one_field_leaves_the_others_as_they_are() -> None:
    sides = {"date": "2024-03-15", "sum": "5"}, {"date": "2024-3-15", "sum": "5", "more": "1"}
    rules = {"date": FieldRule("date")}
    assert list(count_fields(*sides, rules)) == ["date", "more", "sum"]
    assert count_fields(*sides, {**rules, "*": None}) == {"date": FieldCounts(1, 1, 1)}
    assert list(count_fields(*sides, {"date": None})) == ["more", "sum"]


NOTHING = [None, "", " ", [], {}, [None], {"city": ""}]


@given(st.sampled_from(NOTHING), st.sampled_from([*NOTHING, "left out"]), st.sampled_from(["text", "exact", "number"]))
def test_values_that_mean_nothing_are_one_thing(first: object, second: object, compare: str) -> None:
    sides = [{"n": 1, "job": value} if value != "left out" else {"n": 1} for value in (first, second)]
    rules = {"*": FieldRule(compare)}
    for sides_in_order in (sides, sides[::-1]):
        assert count_fields(*sides_in_order, rules).get("job", (0, 0, 0)) == (0, 0, 0)
        pairs = ScoredText(*([json.dumps(side)] for side in sides_in_order))
        assert FieldMatch("m").count(pairs).tolist() == [[1, 1, 1, 1]]


def test_inside_a_value_that_is_compared_as_a_whole_nothing_is_one_thing_too() -> None:
    assert FieldRule().is_right({"city": "Bern", "zip": None}, {"city": "bern"})
    assert not FieldRule().is_right({"city": "Bern", "zip": "5"}, {"city": "bern"})


@given(st.sampled_from([None, "", "null", "None", "left out"]), st.sampled_from([None, "", "null", "None", "left out"]))
def test_texts_that_mean_no_value_are_no_value_on_either_side(first: object, second: object) -> None:
    rules = {"*": FieldRule(no_value=["null", "None", ""])}
    sides = [{} if value == "left out" else {"job": value} for value in (first, second)]
    assert set(count_fields(*sides, rules).values()) <= {(0, 0, 0)}


@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_a_side_that_holds_no_fields_names_segment_side_and_type(side: str) -> None:
    sides = {"reference": {}, "hypothesis": {}, side: ["a"]}
    with pytest.raises(InputTypeError, match=f"segment 'l3': the {side} is of type list, expected fields by name"):
        count_fields(**sides, segment_id="l3")


def test_an_answer_of_the_wrong_type_is_a_wrong_value() -> None:
    assert count_fields({"n": 5}, {"n": {"a": 1}}, {"n": FieldRule("number")}) == {"n": FieldCounts(0, 1, 1)}


def test_nested_objects_are_named_by_their_path_and_empty_ones_stay() -> None:
    nested = {"a": {"b": {"c": 1}, "d": {}}, "e": [{"f": 2}]}
    assert flatten_fields(nested) == {"a.b.c": 1, "a.d": {}, "e": [{"f": 2}]}


def test_what_stands_for_no_value_is_one_where_it_is_another_name_of_a_value_asked_for() -> None:
    rules = {"sender": FieldRule("exact", "set", alternatives={"Christ, Paul": [""]}, no_value=("", "null"))}
    given = {"sender": ["", "null"]}
    assert count_fields({"sender": ["Christ, Paul"]}, given, rules)["sender"] == (1, 1, 1)
    assert count_fields({"sender": ["Frey, Jean"]}, given, rules)["sender"] == (0, 1, 0)


TRUTHS = ['{"date": "2024-03-15", "total": "5"}', '{"date": "2024-03-16", "total": "7"}']
ANSWERS = ['{"date": "2024-03-15", "total": "6"}', '{"date": "2024-03-16", "sum": "7"}']


@pytest.mark.parametrize(("score", "expected"), [("precision", 2 / 4), ("recall", 2 / 4), ("f1", 2 / 4)])
def test_values_are_summed_over_documents(score: str, expected: float) -> None:
    metric = FieldMatch("m", score)
    assert summarize(metric, metric.count(ScoredText(TRUTHS, ANSWERS))).micro == expected


def test_one_document_scores_as_the_function_does_and_is_exact_when_nothing_is_wrong_missing_or_extra() -> None:
    metric = FieldMatch("m")
    scores = field_extraction_f1(reference=json.loads(TRUTHS[0]), hypothesis=json.loads(ANSWERS[0]))
    counts = metric.count(ScoredText([TRUTHS[0]] * 3, [ANSWERS[0], TRUTHS[0], '{"date": "2024-03-15"}']))
    assert metric.rate(counts)[0] == scores.field_f1
    assert metric.is_exact(counts).tolist() == [False, True, False]


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
    metric = FieldMatch("m", rules={"date": FieldRule("date"), "*": None})
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


def test_the_signature_tells_other_rules_apart() -> None:
    one, two = FieldMatch("m"), FieldMatch("m", rules={"date": FieldRule("date")})
    assert str(one.signature("none")).startswith("m|unit:field|rules:default|average:values|norm:none|")
    assert one.signature("none") != two.signature("none")


def scored(references, answers, metric):
    return evaluate(references, {"a": answers}, metrics=[metric], seed=1, statistics={"resamples": 99})


def rate(result):
    (by_metric,) = result.result.systems.values()
    return next(iter(by_metric.values())).micro


PEOPLE = [json.dumps({"name": "Meyer", "year": "1900"})] * 3
WRONG_YEAR = [json.dumps({"name": "Meyer", "year": "1800"})] * 3


@pytest.mark.parametrize(
    "metric", ["field_f1", "field_precision", "field_recall(flatten=true)", "field_f1(records=true)"]
)
def test_a_rule_of_a_field_that_no_reference_has_is_an_error(metric: str) -> None:
    name, _, settings = metric.rstrip(")").partition("(")
    settings = f"{settings}," if settings else ""
    with pytest.raises(UnknownNameError, match=r"unknown field 'yaer' in the rules of .* Did you mean 'year'\?"):
        scored(PEOPLE, WRONG_YEAR, f"{name}({settings}rules={{yaer:{{compare:number}}}})")
    assert rate(scored(PEOPLE, WRONG_YEAR, f"{name}({settings}rules={{name:{{compare:exact}}}})")) == 0.5


def test_a_field_that_one_reference_of_several_parts_has_is_known() -> None:
    references = [json.dumps({"name": "Meyer"})] * 3 + PEOPLE[:1]
    assert rate(scored(references, references, "field_f1(rules={year:{compare:number}})")) == 1


@pytest.mark.parametrize("settings", ["rules={year:{},*:null}", "rules={name:null}", "average=fields,rules={year:{}}"])
def test_fields_that_are_not_counted_are_named(settings: str) -> None:
    result = scored(PEOPLE, WRONG_YEAR, f"f=field_f1({settings})")
    assert rate(result) == 0
    assert "f does not count name, by its rules." in result.warnings


@pytest.mark.parametrize(
    ("reference", "answer", "number"),
    [
        ({"job": ""}, {"job": None}, 1),
        ({"job": ""}, {}, 1),
        ({}, {"job": None}, 1),
        ({"job": None}, {"job": None}, 0),
        ({"job": None}, {"job": "smith"}, 0),
        ({"job": {"city": "Bern"}}, {"job": None}, 0),
        ({"jobs": [{"a": "1", "b": ""}, {"a": "2", "b": ""}]}, {"jobs": [{"a": "1"}, {"a": "2", "b": None}]}, 2),
    ],
)
def test_values_that_are_nothing_on_both_sides_but_written_differently_are_counted(reference, answer, number) -> None:
    sides = [[json.dumps({"n": 1, **side})] * 3 for side in (reference, answer)]
    warnings = [
        warning for warning in scored(*sides, "field_f1(records=true)").warnings if "left out in the" in warning
    ]
    assert [warning.split()[1] for warning in warnings] == ([str(3 * number)] if number else [])


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
