"""XML answers: parsed, validated against their schema, never expanded, never fetched.

Requirements of an XML Schema; libxml2 confirms that a document without them is invalid.
"""

from __future__ import annotations

import pytest
from lxml import etree

from misread.errors import ConfigurationError, InputTypeError
from misread.features.answers.xml_validity import required_names
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
    bomb = '<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><a t="&c;">&c;</a>'
    for answer in (attack, bomb):
        assert validate_xml_output(answer).parsing_error == "entities are not allowed"


def test_an_encoding_declared_inside_does_not_matter() -> None:
    assert validate_xml_output('<?xml version="1.0" encoding="latin-1"?><a><b>é</b></a>').is_valid


INCLUDE = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation="{}"/></xs:schema>'


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ("<xs:schema/>", r"is invalid: .*[^.]\.$"),
        ("<a/>", r"is invalid: .*[^.]\.$"),
        (INCLUDE.format("http://127.0.0.1:9/a.xsd"), "refers to 'http://127.0.0.1:9/a.xsd', which is not fetched"),
        (INCLUDE.format("/etc/hostname"), "refers to '/etc/hostname', which is not fetched"),
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "has entities"),
    ],
)
def test_an_xml_schema_that_cannot_be_used_is_refused(schema: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"the XML Schema {message}"):
        validate_xml_output("<a/>", schema)


def test_an_answer_or_schema_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(InputTypeError, match="the XML Schema is of type dict, expected its text"):
        validate_xml_output("<a/>", {})
    with pytest.raises(InputTypeError, match="the answer is of type bytes, expected text"):
        validate_xml_output(b"<a/>")


@pytest.mark.slow
def test_a_pattern_on_which_the_validator_gives_up_is_an_error() -> None:
    pattern = '<xs:restriction base="xs:string"><xs:pattern value="(a|aa)+"/></xs:restriction>'
    schema = (
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"><xs:simpleType>'
        f"{pattern}</xs:simpleType></xs:element></xs:schema>"
    )
    with pytest.raises(ConfigurationError, match="an answer cannot be validated against the XML Schema"):
        validate_xml_output(f"<a>{'a' * 60}!</a>", schema)


def test_a_document_type_elsewhere_is_not_read(tmp_path) -> None:
    dtd = tmp_path / "a.dtd"
    dtd.write_text('<!ELEMENT a ANY><!ATTLIST a secret CDATA "read">')
    found = validate_xml_output(f'<!DOCTYPE a SYSTEM "{dtd.as_uri()}"><a/>', XSD.replace("invoice", "a"))
    assert found.is_valid
    assert not any("secret" in error for error in found.validation_errors)


HEAD = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:t="urn:t" targetNamespace="urn:t">'
SEQUENCE = '<xs:element name="date"/><xs:element name="total"/>'


def of_type(content: str, others: str = "") -> str:
    return f'{HEAD}<xs:element name="a"><xs:complexType>{content}</xs:complexType></xs:element>{others}</xs:schema>'


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        (of_type(f"<xs:sequence>{SEQUENCE}</xs:sequence>"), ("date", "total")),
        (of_type(f"<xs:all>{SEQUENCE}</xs:all>"), ("date", "total")),
        (of_type('<xs:sequence><xs:element name="x" minOccurs="0"/><xs:element name="y" minOccurs="2" '
                 'maxOccurs="3"/></xs:sequence>'), ("y",)),
        (of_type(f'<xs:sequence minOccurs="0">{SEQUENCE}</xs:sequence>'), ()),
        (of_type(f'<xs:sequence><xs:sequence minOccurs="0">{SEQUENCE}</xs:sequence><xs:element name="x"/>'
                 '</xs:sequence>'), ("x",)),
        (of_type(f"<xs:choice>{SEQUENCE}</xs:choice>"), ()),
        (of_type('<xs:choice><xs:sequence><xs:element name="x"/><xs:element name="y"/></xs:sequence>'
                 '<xs:sequence><xs:element name="y"/><xs:element name="z"/></xs:sequence></xs:choice>'), ("y",)),
        (of_type('<xs:sequence><xs:element name="x"/></xs:sequence><xs:attribute name="id" use="required"/>'
                 '<xs:attribute name="note"/>'), ("x", "@id")),
        (of_type('<xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="unit" use="required"/>'
                 '</xs:extension></xs:simpleContent>'), ("@unit",)),
        (of_type('<xs:sequence><xs:group ref="t:g"/></xs:sequence><xs:attributeGroup ref="t:h"/>',
                 f'<xs:group name="g"><xs:sequence>{SEQUENCE}</xs:sequence></xs:group>'
                 '<xs:attributeGroup name="h"><xs:attribute name="id" use="required"/></xs:attributeGroup>'),
         ("date", "total", "@id")),
        (of_type('<xs:complexContent><xs:extension base="t:base"><xs:sequence><xs:element name="x"/></xs:sequence>'
                 '</xs:extension></xs:complexContent>',
                 f'<xs:complexType name="base"><xs:sequence>{SEQUENCE}</xs:sequence>'
                 '<xs:attribute name="id" use="required"/></xs:complexType>'),
         ("date", "total", "x", "@id")),
        (of_type('<xs:complexContent><xs:restriction base="t:base"><xs:sequence><xs:element name="date"/>'
                 '</xs:sequence></xs:restriction></xs:complexContent>',
                 '<xs:complexType name="base"><xs:sequence><xs:element name="date" minOccurs="0"/></xs:sequence>'
                 '<xs:attribute name="id" use="required"/></xs:complexType>'),
         ("date", "@id")),
        # An element that others refer to is not the document's.
        (HEAD + '<xs:element name="date"/><xs:element name="a" type="t:b"/><xs:complexType name="b"><xs:sequence>'
         '<xs:element ref="t:date"/></xs:sequence></xs:complexType></xs:schema>', ("date",)),
        # Another may stand for the head of a substitution group.
        (of_type('<xs:sequence><xs:element ref="t:head"/><xs:element name="x"/></xs:sequence>',
                 '<xs:element name="head"/><xs:element name="member" substitutionGroup="t:head"/>'), ("x",)),
        (HEAD + '<xs:element name="date" type="xs:date"/><xs:complexType name="date"><xs:sequence>'
         '<xs:element name="x"/></xs:sequence></xs:complexType></xs:schema>', ()),
        (of_type('<xs:sequence><xs:any/></xs:sequence>'), ()),
        (HEAD + "</xs:schema>", ()),
    ],
)  # fmt: skip
def test_required_are_the_names_that_every_valid_document_has(schema: str, names: tuple[str, ...]) -> None:
    tree = etree.fromstring(schema)
    etree.XMLSchema(tree)
    assert required_names(tree) == names


@pytest.mark.parametrize("left_out", ["date", "total", "@id"])
def test_a_document_without_a_required_name_is_invalid(left_out: str) -> None:
    tree = etree.fromstring(of_type(f'<xs:sequence>{SEQUENCE}</xs:sequence><xs:attribute name="id" use="required"/>'))
    document = etree.fromstring('<a xmlns="urn:t" id="1"><date xmlns=""/><total xmlns=""/></a>')
    validator = etree.XMLSchema(tree)
    assert validator.validate(document)
    assert left_out in required_names(tree)
    if left_out.startswith("@"):
        del document.attrib[left_out[1:]]
    else:
        document.remove(document.find(left_out))
    assert not validator.validate(document)
