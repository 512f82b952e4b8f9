"""Values of fields that are right, asked for and given."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import AnswerError, InputTypeError
from misread.features.answers import FieldCounts, FieldRule, count_fields, flatten_fields

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


def test_fields_without_a_rule_do_not_count_unless_there_is_one_for_all_others() -> None:
    sides = {"date": "2024-03-15", "sum": "5"}, {"date": "2024-3-15", "sum": "5", "more": "1"}
    rules = {"date": FieldRule("date")}
    assert count_fields(*sides, rules) == {"date": FieldCounts(1, 1, 1)}
    assert list(count_fields(*sides, {**rules, "*": FieldRule()})) == ["date", "more", "sum"]


@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_a_side_that_holds_no_fields_names_segment_side_and_type(side: str) -> None:
    sides = {"reference": {}, "hypothesis": {}, side: ["a"]}
    with pytest.raises(InputTypeError, match=f"segment 'l3': the {side} is of type list, expected fields by name"):
        count_fields(**sides, segment_id="l3")


def test_a_reference_value_of_the_wrong_type_names_segment_and_field() -> None:
    with pytest.raises(AnswerError, match="segment 'l3': field 'date' of the reference is 'May', expected a date"):
        count_fields({"date": "May"}, {}, {"date": FieldRule("date")}, segment_id="l3")


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
