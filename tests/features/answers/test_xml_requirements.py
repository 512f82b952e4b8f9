"""Requirements of an XML Schema; libxml2 confirms that a document without them is invalid."""

from __future__ import annotations

import pytest
from lxml import etree

from misread.features.answers.xml_requirements import required_names

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
