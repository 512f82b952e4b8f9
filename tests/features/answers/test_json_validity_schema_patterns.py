"""Patterns of a schema: the same answers as jsonschema gives, but never without end."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from misread.errors import ConfigurationError
from misread.features.answers import json_validity
from misread.features.answers.structured import StructuredAnswers
from misread.metrics.base import ScoredText
from misread.spec import validate_json_output

ENDLESS = "^(a|aa)+$"
LONG = "a" * 60 + "!"


@pytest.fixture(autouse=True)
def _short_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_validity, "SECONDS", 0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "answer"),
    [
        ({"pattern": ENDLESS}, LONG),
        ({"properties": {"name": {"pattern": ENDLESS}}}, {"name": LONG}),
        ({"patternProperties": {ENDLESS: {}}}, {LONG: 1}),
        ({"patternProperties": {ENDLESS: {}}, "additionalProperties": False}, {LONG: 1}),
        ({"propertyNames": {"pattern": ENDLESS}}, {LONG: 1}),
        ({"$schema": "http://json-schema.org/draft-04/schema#", "pattern": ENDLESS}, LONG),
    ],
)
def test_a_pattern_without_end_is_an_error_that_names_it_and_the_limit(schema: dict[str, Any], answer: object) -> None:
    with pytest.raises(ConfigurationError, match=r"pattern '\^\(a\|aa\)\+\$' takes longer than 0.1 s on 'a{40}\.\.\.'"):
        validate_json_output(json.dumps(answer), schema)


def test_the_pattern_that_everyone_is_warned_of_ends() -> None:
    assert not validate_json_output(json.dumps(LONG), {"pattern": "^(a+)+$"}).is_schema_compliant


@pytest.mark.slow
def test_a_metric_names_itself() -> None:
    metric = StructuredAnswers("letters", "json", "compliance", {"pattern": ENDLESS})
    with pytest.raises(ConfigurationError, match="the JSON Schema of letters: pattern"):
        metric.count(ScoredText([""], [json.dumps(LONG)]))


@pytest.mark.parametrize(
    "schema",
    [
        {"pattern": "^[A-Z]{3}-\\d+$"},
        {"patternProperties": {"^n_": {"type": "integer"}}},
        {"patternProperties": {"^n_": {"type": "integer"}, "_s$": {"type": "string"}}, "additionalProperties": False},
        {"properties": {"n_1": {}}, "patternProperties": {"^n_": {"type": "string"}}, "additionalProperties": False},
        {"patternProperties": {"^n_": {}}, "additionalProperties": {"pattern": "^I"}},
        {"properties": {"name": {}}, "additionalProperties": False},
        {"properties": {"name": {}}, "unevaluatedProperties": False},
    ],
)
@pytest.mark.parametrize(
    "answer", ["INV-01", "inv", 5, [], {"n_1": 5}, {"n_1": "5"}, {"x_s": "a", "y": 1}, {"n_x_s": 5}, {"name": "INV"}]
)
def test_violations_are_at_the_places_where_jsonschema_finds_them(schema: dict[str, Any], answer: object) -> None:
    expected = sorted(error.json_path for error in jsonschema.Draft202012Validator(schema).iter_errors(answer))
    found = validate_json_output(json.dumps(answer), schema)
    assert [error.split(": ")[0] for error in found.validation_errors] == expected


def test_the_pair_of_keywords_that_cannot_be_limited_is_refused() -> None:
    schema = {"allOf": [{"patternProperties": {"^a": {}}}], "unevaluatedProperties": False}
    with pytest.raises(ConfigurationError, match="use additionalProperties"):
        validate_json_output("{}", schema)
