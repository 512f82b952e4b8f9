"""Structured answers over a corpus."""

from __future__ import annotations

import re

import numpy as np
import pytest

from misread import evaluate
from misread.errors import ConfigurationError, InputTypeError, MisreadError, UnknownNameError
from misread.features.answers.structured import StructuredAnswers
from misread.metrics import summarize
from misread.metrics.base import ScoredText
from misread.sockets import METRICS
from misread.sockets.metric_names import get_metric

SCHEMA = {"type": "object", "required": ["date", "total"], "properties": {"total": {"type": "number"}}}
XSD = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/></xs:schema>'
JSON_ANSWERS = ['{"date": "1", "total": 5}', '{"total": "5"}', "five", "[]"]
XML_ANSWERS = ["<a><date/><total/></a>", "<b><date/></b>", "<a", "<a/>"]


def counts(metric: StructuredAnswers, answers: list[str]) -> list[list[int]]:
    return metric.count(ScoredText([""] * len(answers), answers)).tolist()


@pytest.mark.parametrize(
    ("answer_format", "score", "settings", "expected"),
    [
        ("json", "validity", (SCHEMA,), [[1, 1], [1, 1], [0, 1], [1, 1]]),
        ("json", "compliance", (SCHEMA,), [[1, 1], [0, 1], [0, 1], [0, 1]]),
        ("json", "completeness", (SCHEMA,), [[2, 2], [1, 2], [0, 2], [0, 2]]),
        ("json", "completeness", (None, ("date", "total")), [[2, 2], [1, 2], [0, 2], [0, 2]]),
        ("xml", "validity", (XSD, ("date", "total")), [[1, 1], [1, 1], [0, 1], [1, 1]]),
        ("xml", "compliance", (XSD, ("date", "total")), [[1, 1], [0, 1], [0, 1], [1, 1]]),
        ("xml", "completeness", (XSD, ("date", "total")), [[2, 2], [1, 2], [0, 2], [0, 2]]),
    ],
)
def test_answers_are_counted(answer_format, score, settings, expected) -> None:
    answers = JSON_ANSWERS if answer_format == "json" else XML_ANSWERS
    assert counts(StructuredAnswers("m", answer_format, score, *settings), answers) == expected


def test_the_rate_is_a_share_and_nothing_has_none() -> None:
    metric = METRICS["json_validity"]
    scored = metric.count(ScoredText([""] * 4, JSON_ANSWERS))
    assert summarize(metric, scored).micro == 3 / 4
    assert np.isnan(metric.rate(np.array([0, 0])))
    assert metric.is_exact(scored).tolist() == [True, True, False, True]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("json_compliance", r"needs a schema: name it json_compliance\(schema=FILE\)\."),
        ("xml_compliance", r"xml_compliance needs a schema: name it xml_compliance\(schema=FILE\)\."),
        ("xml_completeness", r"xml_completeness needs fields that are required: .*\(required=\[FIELDS\]\)"),
        ("json_completeness", "json_completeness needs fields that are required"),
    ],
)
def test_a_score_without_its_schema_says_where_to_name_it(name: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        METRICS[name].count(ScoredText([""], ["{}"]))


def test_the_schema_of_xml_says_what_is_required_beside_the_settings() -> None:
    children = '<xs:element name="date"/><xs:element name="note" minOccurs="0"/>'
    schema = XSD.replace(
        '<xs:element name="a"/>',
        f'<xs:element name="a"><xs:complexType><xs:sequence>{children}</xs:sequence></xs:complexType></xs:element>',
    )
    metric = StructuredAnswers("m", "xml", "completeness", schema)
    assert counts(metric, ["<a><date/></a>", "<a><note/></a>", "<a"]) == [[1, 1], [0, 1], [0, 1]]
    both = StructuredAnswers("m", "xml", "completeness", schema, required=("note",))
    assert counts(both, ["<a><date/></a>", "<a"]) == [[1, 2], [0, 2]]


def test_an_xml_schema_that_requires_nothing_is_not_enough() -> None:
    with pytest.raises(ConfigurationError, match="needs fields that are required"):
        counts(StructuredAnswers("m", "xml", "completeness", XSD), ["<a/>"])


def test_unknown_settings_list_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="There are: json, xml"):
        StructuredAnswers("m", "yaml", "validity")
    with pytest.raises(UnknownNameError, match="There are: completeness, compliance, validity"):
        StructuredAnswers("m", "json", "valid")


def test_another_schema_has_another_signature() -> None:
    schemas = [
        StructuredAnswers("m", "json", "compliance", schema).signature("none").facts["schema"]
        for schema in (None, SCHEMA)
    ]
    assert schemas[0] == "none" != schemas[1]


def test_the_schema_of_a_file_is_that_of_the_metric_that_names_it(tmp_path) -> None:
    (tmp_path / "a.json").write_text('{"required": ["date"]}')
    path = tmp_path / "a.json"
    metric = get_metric(f"json_compliance(schema={path})")
    assert (metric.id, metric.schema) == ("json_compliance_a", {"required": ["date"]})
    assert re.fullmatch(r"json_compliance\(schema=a\.json@[0-9a-f]{8}\)\|.*", str(metric.signature("none")))


def test_one_name_is_not_taken_for_a_list_of_letters() -> None:
    with pytest.raises(InputTypeError, match="required of metric 'm' is one string"):
        StructuredAnswers("m", "json", "completeness", required="total")
    with pytest.raises(ConfigurationError, match=r"json_completeness\.required is \"total\", expected a list"):
        get_metric("json_completeness(required=total)")


def test_a_schema_as_xml_goes_to_xml(tmp_path) -> None:
    path = tmp_path / "a,b.xsd"
    path.write_text(XSD)
    metric = get_metric(f'dated=xml_compliance(required=[date], schema="{path}")')
    assert (metric.id, metric.schema, metric.required) == ("dated", XSD, ["date"])
    assert metric.name.startswith('xml_compliance(required=[date],schema="a,b.xsd@')


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [("a.json", "{", "a.json, line 1: not valid JSON"), ("b.json", "{}", "there is no file")],
)
def test_a_schema_that_cannot_be_read_is_an_error(tmp_path, name, content, message) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(MisreadError, match=message):
        get_metric(f"json_validity(schema={tmp_path / name})")


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("json_completeness(required=[total,dat])", ["json_completeness: no answer of a has the required fields dat."]),
        ("json_completeness(required=[total,date])", []),
        ("json_validity", []),
    ],
)
def test_a_required_field_that_no_answer_has_is_named(metric: str, said: list[str]) -> None:
    result = evaluate([""] * 4, {"a": JSON_ANSWERS}, metrics={metric.partition("(")[0]: metric}, seed=1)
    assert [warning for warning in result.warnings if "required fields" in warning] == said
