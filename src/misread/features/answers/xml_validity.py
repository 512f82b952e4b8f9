"""Validity of XML answers: syntax, XML Schema and required elements."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from misread.alignment.encode.inputs import check_texts
from misread.errors import ConfigurationError, InputTypeError
from misread.extras import needed_for
from misread.features.answers.structured_validity import StructuredValidity, require_text
from misread.features.answers.xml_requirements import required_names

_CLOSED: Final = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
_ENTITY = "<!ENTITY"
_OTHER_DOCUMENTS = ("import", "include", "redefine", "override")


def validate_xml_output(output: str, schema: str | None = None, *, required: Sequence[str] = ()) -> StructuredValidity:
    """Parse an XML answer and validate it against an XML Schema.

    Entities are refused, none is expanded; nothing is fetched from a network or a file.

    Parameters
    ----------
    output : str
        The answer.
    schema : str, optional
        XML Schema as text, in one document; without one a well-formed answer is compliant.
    required : sequence of str
        Names of elements that must stand below the root, and with "@" of its attributes, beside those that the schema
        requires (see `misread.features.answers.xml_requirements`).

    Returns
    -------
    StructuredValidity
        Fields are the elements below the root. Completeness is the share of the required ones that are there.

    Raises
    ------
    InputTypeError
        If the answer or the schema is not text, or `required` is not a list of names.
    ConfigurationError
        If the schema itself is invalid, has entities, refers to another document, or has a pattern that libxml2 gives
        up on.
    MissingDependencyError
        If lxml is not installed.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.2; W3C XML Schema 1.0.

    Examples
    --------
    >>> validate_xml_output("<invoice><total>5</total></invoice>", required=("total", "date")).completeness_score
    0.5
    """
    return xml_check(schema, required=required)(output)


def xml_check(schema: str | None, *, required: Sequence[str] = ()) -> Callable[[str], StructuredValidity]:
    """Prepare a schema once for many answers, as `validate_xml_output`."""
    etree = _import_etree()
    validator = None if schema is None else etree.XMLSchema(_parse_schema(schema))
    names = required_by(schema, required)

    def check(output: str) -> StructuredValidity:
        if _ENTITY in require_text(output):
            return StructuredValidity(False, False, parsing_error="entities are not allowed")
        try:
            # An encoding declared inside is that of a file; this is text already.
            root = etree.fromstring(output.encode(), etree.XMLParser(encoding="utf-8", **_CLOSED))
        except (etree.XMLSyntaxError, ValueError) as error:
            return StructuredValidity(False, False, parsing_error=str(error))
        try:
            errors = [] if validator is None or validator.validate(root) else list(validator.error_log)
        except etree.XMLSchemaValidateError as error:
            raise ConfigurationError(
                f"an answer cannot be validated against the XML Schema ({error}); write its patterns without "
                "repetitions of alternatives that share a prefix."
            ) from None
        fields = [etree.QName(child).localname for child in root.iterchildren("*")]
        there = {*fields, *(f"@{etree.QName(name).localname}" for name in root.attrib)}
        return StructuredValidity(
            True,
            not errors,
            validation_errors=[f"line {entry.line}: {entry.message}" for entry in errors],
            completeness_score=sum(name in there for name in names) / len(names) if names else 1.0,
            field_count=len(fields),
        )

    return check


def required_by(schema: str | None, required: Sequence[str] = ()) -> tuple[str, ...]:
    """Names of what must be there: those that are asked for, and those that the schema requires."""
    by_schema = () if schema is None else required_names(_parse_schema(schema))
    return tuple(dict.fromkeys([*check_texts("required", required), *by_schema]))


def _parse_schema(schema: str) -> Any:
    """Root of a schema that can be used, or an error that says why not."""
    etree = _import_etree()
    if not isinstance(schema, str):
        raise InputTypeError(f"the XML Schema is of type {type(schema).__name__}, expected its text.")
    if _ENTITY in schema:
        raise ConfigurationError("the XML Schema has entities, which are not allowed.")
    try:
        tree = etree.fromstring(schema.encode(), etree.XMLParser(encoding="utf-8", **_CLOSED))
        for element in tree.iterchildren("*"):
            if etree.QName(element).localname in _OTHER_DOCUMENTS and "schemaLocation" in element.attrib:
                raise ConfigurationError(
                    f"the XML Schema refers to {element.attrib['schemaLocation']!r}, which is not fetched; put all "
                    "declarations into one document."
                )
        etree.XMLSchema(tree)
    except (etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
        raise ConfigurationError(f"the XML Schema is invalid: {error}.") from None
    return tree


def _import_etree() -> Any:
    with needed_for("XML needs", "lxml", "structured"):
        from lxml import etree
    return etree
