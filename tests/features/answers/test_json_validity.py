"""JSON answers: parsed, validated against their schema, nothing fetched."""

from __future__ import annotations

import json

import pytest

from misread.errors import ConfigurationError, InputTypeError
from misread.normalize.steps.answers import unwrap_code_fence
from misread.spec import validate_json_output

SCHEMA = {
    "type": "object",
    "required": ["invoice_number", "date", "total"],
    "properties": {name: {"type": "string"} for name in ("invoice_number", "date", "total")},
}


def test_all_violations_are_named_with_their_place_also_deep_inside() -> None:
    scores = validate_json_output('{"invoice_number": 1, "date": 2}', SCHEMA)
    assert (scores.is_valid, scores.is_schema_compliant) == (True, False)
    assert scores.validation_errors == [
        "$: 'total' is a required property",
        "$.date: 2 is not of type 'string'",
        "$.invoice_number: 1 is not of type 'string'",
    ]
    assert scores.completeness_score == pytest.approx(2 / 3)
    schema = {"properties": {"items": {"items": {"required": ["n"], "properties": {"n": {"minimum": 1}}}}}}
    scores = validate_json_output('{"items": [{"n": 0}, {}, {"n": 2}, {"n": -1}]}', schema)
    places = [error.split(":")[0] for error in scores.validation_errors]
    assert places == ["$.items[0].n", "$.items[1]", "$.items[3].n"]


@pytest.mark.parametrize("output", ["", "{", '{"a": NaN}', "```json\n{}\n```", "[" * 100_000])
def test_what_is_no_json_is_said(output: str) -> None:
    found = validate_json_output(output, SCHEMA)
    assert not found.is_valid
    assert found.parsing_error
    assert (found.completeness_score, found.field_count) == (0.0, 0)


def test_an_answer_that_is_no_object_has_no_field() -> None:
    scores = dict(validate_json_output(json.dumps(["date"]), SCHEMA))
    assert (scores["is_valid"], scores["is_schema_compliant"]) == (True, False)
    assert (scores["completeness_score"], scores["field_count"]) == (0.0, 0)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "strong"}, "is invalid at"),
        ({"required": "total"}, "is invalid at"),
        ({"properties": {"a": {"pattern": "("}}}, "is invalid at"),
        ({"$ref": "http://127.0.0.1:9/schema.json"}, "does not contain"),
        ({"$ref": "file:///etc/hostname"}, "does not contain"),
        ({"$ref": "#/nowhere"}, "does not contain"),
        ({"$ref": "#"}, "to itself without end"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        validate_json_output("{}", schema)


@pytest.mark.parametrize(("schema", "kind"), [(["total"], "list"), ("{}", "str"), (None, "NoneType")])
def test_a_schema_of_the_wrong_type_is_refused(schema: object, kind: str) -> None:
    with pytest.raises(InputTypeError, match=f"the JSON Schema is of type {kind}, expected an object"):
        validate_json_output("{}", schema)


@pytest.mark.parametrize("output", [None, {"total": 5}, b"{}"])
def test_an_answer_that_is_no_text_is_refused(output: object) -> None:
    with pytest.raises(InputTypeError, match=r"the answer is of type .*, expected text"):
        validate_json_output(output, SCHEMA)


def test_a_fenced_answer_is_unwrapped_by_a_step_of_its_own() -> None:
    fenced = '```json\n{"total": 5}\n```'
    assert not validate_json_output(fenced, {}).is_valid
    assert validate_json_output(unwrap_code_fence(fenced), {}).is_valid
