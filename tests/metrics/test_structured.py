"""JSON and XML answers: parsed, held against their schema, never expanded, never fetched."""

from __future__ import annotations

import json

import pytest

from misread.errors import ConfigurationError
from misread.metrics import validate_json_output, validate_xml_output

SCHEMA = {
    "type": "object",
    "required": ["invoice_number", "date", "total"],
    "properties": {name: {"type": "string"} for name in ("invoice_number", "date", "total")},
}
XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="invoice"><xs:complexType><xs:sequence>
<xs:element name="date" type="xs:date"/><xs:element name="total" type="xs:decimal"/>
</xs:sequence></xs:complexType></xs:element></xs:schema>"""


def test_the_worked_example_of_the_specification() -> None:
    found = validate_json_output('{"invoice_number": "INV-001", "date": "2024-03-15", "total": "$150.00"}', SCHEMA)
    assert dict(found) == {
        "is_valid": True,
        "is_schema_compliant": True,
        "parsing_error": None,
        "validation_errors": [],
        "completeness_score": 1.0,
        "field_count": 3,
    }


def test_all_violations_are_named_with_their_place() -> None:
    found = validate_json_output('{"invoice_number": 1, "date": 2}', SCHEMA)
    assert found.is_valid
    assert not found.is_schema_compliant
    assert found.validation_errors == [
        "$: 'total' is a required property",
        "$.date: 2 is not of type 'string'",
        "$.invoice_number: 1 is not of type 'string'",
    ]
    assert found.completeness_score == pytest.approx(2 / 3)


@pytest.mark.parametrize("output", ["", "{", '{"a": NaN}', "```json\n{}\n```", "[" * 100_000])
def test_what_is_no_json_is_said(output: str) -> None:
    found = validate_json_output(output, SCHEMA)
    assert not found.is_valid
    assert found.parsing_error
    assert (found.completeness_score, found.field_count) == (0.0, 0)


def test_an_answer_that_is_no_object_has_no_field() -> None:
    found = validate_json_output(json.dumps(["date"]), SCHEMA)
    assert (found.is_valid, found.is_schema_compliant, found.completeness_score, found.field_count) == (
        True,
        False,
        0.0,
        0,
    )


@pytest.mark.parametrize(
    ("schema", "message"),
    [({"type": "strong"}, "is invalid at"), ({"$ref": "http://127.0.0.1:9/schema.json"}, "does not hold")],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        validate_json_output("{}", schema)


def test_xml_fits_its_schema_or_all_violations_are_named() -> None:
    good = validate_xml_output(
        "<invoice><date>2024-03-15</date><total>150.00</total></invoice>", XSD, required=("date",)
    )
    assert (good.is_valid, good.is_schema_compliant, good.completeness_score, good.field_count) == (True, True, 1.0, 2)
    bad = validate_xml_output("<invoice><date>March</date><total>much</total></invoice>", XSD)
    assert bad.is_valid
    assert not bad.is_schema_compliant
    assert "March" in " ".join(bad.validation_errors)
    assert "much" in " ".join(bad.validation_errors)


@pytest.mark.parametrize("output", ["", "<a>", "<a></b>", "plain", "<a>\0</a>"])
def test_what_is_no_xml_is_said(output: str) -> None:
    found = validate_xml_output(output)
    assert not found.is_valid
    assert found.parsing_error


def test_entities_are_refused_and_files_are_not_read(tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    attack = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>&x;</a>'
    assert validate_xml_output(attack).parsing_error == "entities are not allowed"


def test_an_encoding_declared_inside_does_not_matter() -> None:
    assert validate_xml_output('<?xml version="1.0" encoding="latin-1"?><a><b>é</b></a>').is_valid


def test_an_xml_schema_that_cannot_be_used_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="the XML Schema is invalid"):
        validate_xml_output("<a/>", "<xs:schema/>")
