"""Rules by which the value of a field is right."""

from __future__ import annotations

import pytest

from misread.errors import AnswerError, ConfigurationError, UnknownNameError
from misread.features.answers import FieldRule


@pytest.mark.parametrize(
    ("rule", "reference", "right", "wrong"),
    [
        (FieldRule(), "Acme Corp", " ACME corp\n", "Acme"),
        (FieldRule(), 5, "5", "5.0"),
        (FieldRule(compare="exact"), "Acme", "Acme", "acme"),
        (FieldRule(compare="number"), "$1,150.00", "1150", "1.150"),
        (FieldRule(compare="number"), "EUR 12.50", 12.5, True),
        (FieldRule(compare="number", decimal_mark=","), "1.150,5", "1150,50", "1150.5"),
        (FieldRule(compare="number"), 3, "3.0 USD", "three"),
        (FieldRule(compare="date"), "2024-03-05", "2024-3-5", "2024-05-03"),
        (FieldRule(compare="date", date_formats=("%Y-%m-%d", "%d.%m.%Y")), "2024-03-05", "5.3.2024", "3/5/2024"),
        (FieldRule(compare="boolean"), True, "Yes", "no"),
        (FieldRule(alternatives={"Christ, Paul": ["Herr Christ"]}), "Christ, Paul", "herr christ", "Herr Frey"),
        (FieldRule(), ["a", "b"], ["A ", "b"], ["b", "a"]),
        (FieldRule(compare="number"), {"net": "5.00", "tax": 1}, {"tax": "1.0", "net": 5}, {"net": 5}),
        (FieldRule(), {"street": "Rue X", "lines": [1, 2]}, {"lines": ["1", "2"], "street": "rue x"}, "Rue X"),
    ],
)
def test_a_rule_tells_right_from_wrong(rule: FieldRule, reference: object, right: object, wrong: object) -> None:
    assert rule.is_right(reference, right)
    assert not rule.is_right(reference, wrong)


@pytest.mark.parametrize(
    ("compare", "value", "expected"),
    [
        ("number", "much", "a number"),
        ("number", True, "a number"),
        ("number", "NaN", "a number"),
        ("date", "spring 1926", r"a date \(%Y-%m-%d\)"),
        ("boolean", "perhaps", "a boolean"),
    ],
)
def test_a_reference_of_the_wrong_type_is_refused_and_an_answer_is_wrong(
    compare: str, value: object, expected: str
) -> None:
    rule = FieldRule(compare=compare)
    with pytest.raises(AnswerError, match=f"{value!r}, expected {expected}"):
        rule.accepted(value)
    assert rule.key(value) == ("unreadable", str(value))


def test_an_unreadable_answer_is_not_the_number_it_is_spelled_like() -> None:
    assert not FieldRule(compare="number").is_right(5, "five")


@pytest.mark.parametrize(("items", "values"), [("whole", [["a", None, "b"]]), ("first", ["a"]), ("set", ["a", "b"])])
def test_a_list_is_taken_whole_or_by_its_items(items: str, values: list[object]) -> None:
    assert FieldRule(items=items).hypothesis_values(["a", None, "b"]) == values


def test_a_value_that_is_no_list_is_a_list_of_one() -> None:
    assert FieldRule(items="set").hypothesis_values("a") == ["a"]


def test_to_an_exact_rule_case_counts_and_white_space_at_the_ends_does_not() -> None:
    rule = FieldRule("exact", "set", no_value=("None",))
    assert rule.is_right("Acme", " Acme\n")
    assert rule.hypothesis_values(["none", " None", "None"]) == ["none"]


def test_texts_that_mean_no_value_are_none_and_null_is_text_only_where_everything_is_a_value() -> None:
    assert FieldRule(items="set", no_value=("None",)).hypothesis_values(["none ", "a"]) == ["a"]
    assert FieldRule().hypothesis_values(None) == FieldRule(compare="date").hypothesis_values(None) == []
    assert FieldRule(no_value=None).hypothesis_values(None) == [None]


def test_reference_values_that_are_not_asked_for_are_left_out() -> None:
    rule = FieldRule(items="set", not_asked="<.*>")
    assert rule.reference_values(["<Frey, Jean>", "Christ, Paul"]) == ["Christ, Paul"]
    assert rule.hypothesis_values(["<Frey, Jean>"]) == ["<Frey, Jean>"]


def test_an_unknown_setting_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown compare 'numbr' in a field's rule\. Did you mean 'number'"):
        FieldRule(compare="numbr")
    with pytest.raises(UnknownNameError, match="There are: first, multiset, set, whole"):
        FieldRule(items="all")


def test_a_setting_out_of_range_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="not a regular expression"):
        FieldRule(not_asked="(")
    with pytest.raises(ConfigurationError, match=r"expected '\.' or ','"):
        FieldRule(decimal_mark="'")
