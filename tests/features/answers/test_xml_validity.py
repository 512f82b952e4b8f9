"""XML answers: parsed, validated against their schema, never expanded, never fetched."""

from __future__ import annotations

import pytest

from misread.errors import ConfigurationError, InputTypeError
from misread.spec import validate_xml_output

XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="invoice"><xs:complexType><xs:sequence>
<xs:element name="date" type="xs:date"/><xs:element name="total" type="xs:decimal"/>
</xs:sequence></xs:complexType></xs:element></xs:schema>"""


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


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("<invoice><date/><total/></invoice>", 1.0),
        ("<invoice><total/></invoice>", 0.5),
        ("<invoice><total/><total/><vendor/></invoice>", 0.5),
        ("<invoice/>", 0.0),
        ("<invoice>", 0.0),
        ("<letter><date/></letter>", 0.5),
    ],
)
def test_completeness_is_the_share_of_what_the_schema_requires(answer: str, score: float) -> None:
    assert validate_xml_output(answer, XSD).completeness_score == score


def test_names_that_are_asked_for_count_beside_those_of_the_schema() -> None:
    answer = '<invoice id="7"><total/></invoice>'
    assert validate_xml_output(answer, XSD, required=("total", "@id", "vendor")).completeness_score == 0.5
    assert validate_xml_output(answer, required=("@id",)).completeness_score == 1.0


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


INCLUDE = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="{}"/></xs:schema>'


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("<xs:schema/>", "is invalid"),
        ("<a/>", "is invalid"),
        (INCLUDE.format("http://127.0.0.1:9/a.xsd"), "refers to 'http://127.0.0.1:9/a.xsd', which is not fetched"),
        (INCLUDE.format("/etc/hostname"), "refers to '/etc/hostname', which is not fetched"),
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "has entities"),
    ],
)
def test_an_xml_schema_that_cannot_be_used_is_refused(schema: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"the XML Schema {message}"):
        validate_xml_output("<a/>", schema)


def test_an_xml_schema_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(InputTypeError, match="the XML Schema is of type dict, expected its text"):
        validate_xml_output("<a/>", {})


def test_a_pattern_on_which_the_validator_gives_up_is_an_error() -> None:
    pattern = '<xs:restriction base="xs:string"><xs:pattern value="(a|aa)+"/></xs:restriction>'
    schema = (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:simpleType>'
        f"{pattern}</xs:simpleType></xs:element></xs:schema>"
    )
    with pytest.raises(ConfigurationError, match="an answer cannot be validated against the XML Schema"):
        validate_xml_output(f"<a>{'a' * 60}!</a>", schema)


def test_a_bomb_of_entities_is_refused_before_it_is_parsed() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><a t="&c;">&c;</a>'
    assert validate_xml_output(bomb).parsing_error == "entities are not allowed"


def test_a_document_type_elsewhere_is_not_read(tmp_path) -> None:
    dtd = tmp_path / "a.dtd"
    dtd.write_text('<!ELEMENT a ANY><!ATTLIST a secret CDATA "read">')
    found = validate_xml_output(f'<!DOCTYPE a SYSTEM "{dtd.as_uri()}"><a/>', XSD.replace("invoice", "a"))
    assert found.is_valid
    assert not any("secret" in error for error in found.validation_errors)


def test_an_answer_that_is_no_text_is_refused() -> None:
    with pytest.raises(InputTypeError, match="the answer is of type bytes, expected text"):
        validate_xml_output(b"<a/>")
