"""Structured answers: whether they can be parsed, fit their schema, and hold what is required."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from misread.errors import ConfigurationError, MissingDependencyError
from misread.metrics.json_answers import parse_json
from misread.metrics.record import Record


@dataclass(frozen=True, slots=True)
class StructuredValidity(Record):
    """What is right and wrong with one structured answer.

    Attributes
    ----------
    is_valid : bool
        Whether it can be parsed.
    is_schema_compliant : bool
        Whether it fits the schema, too.
    parsing_error : str or None
        Why it cannot be parsed.
    validation_errors : list of str
        All violations of the schema, each with its place.
    completeness_score : float
        Share of required fields that are there; 1 where none is required.
    field_count : int
        Fields at the top level.
    """

    is_valid: bool
    is_schema_compliant: bool
    parsing_error: str | None = None
    validation_errors: list[str] = field(default_factory=list)
    completeness_score: float = 0.0
    field_count: int = 0


def validate_json_output(output: str, schema: Mapping[str, Any]) -> StructuredValidity:
    """Parse a JSON answer and hold it against a JSON Schema.

    Parameters
    ----------
    output : str
        The answer. A fence around it is not JSON: unwrap it before (normalizer step `unwrap_code_fence`).
    schema : mapping
        JSON Schema; references to other documents are not followed.

    Returns
    -------
    StructuredValidity

    Raises
    ------
    ConfigurationError
        If the schema itself is invalid or refers to another document.
    MissingDependencyError
        If jsonschema is not installed.

    References
    ----------
    seeds/002, section 2.2; JSON Schema, draft 2020-12.

    Examples
    --------
    >>> result = validate_json_output('{"total": 5}', {"required": ["total", "date"]})
    >>> result.completeness_score, result.validation_errors
    (0.5, ["$: 'date' is a required property"])
    """
    try:
        import jsonschema
        from jsonschema.validators import validator_for
        from referencing import Registry
        from referencing.exceptions import Unresolvable
    except ImportError:
        raise MissingDependencyError("JSON Schema needs jsonschema: pip install 'misread[structured]'.") from None
    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(dict(schema))
    except jsonschema.SchemaError as error:
        raise ConfigurationError(f"the JSON Schema is invalid at {error.json_path}: {error.message}.") from None
    try:
        parsed = parse_json(output)
    except ValueError as error:
        return StructuredValidity(False, False, parsing_error=str(error))
    try:
        # An empty registry: nothing is fetched from a network.
        found = sorted(kind(schema, registry=Registry()).iter_errors(parsed), key=lambda error: error.json_path)
    except Unresolvable as error:
        raise ConfigurationError(f"the JSON Schema refers to what it does not hold: {error}.") from None
    required = schema.get("required", [])
    fields = parsed if isinstance(parsed, dict) else {}
    return StructuredValidity(
        True,
        not found,
        validation_errors=[f"{error.json_path}: {error.message}" for error in found],
        completeness_score=sum(name in fields for name in required) / len(required) if required else 1.0,
        field_count=len(fields),
    )


def validate_xml_output(
    output: str, schema: str | None = None, *, required: tuple[str, ...] = ()
) -> StructuredValidity:
    """Parse an XML answer and hold it against an XML Schema.

    Entities are refused, none is expanded; nothing is fetched from a network or a file.

    Parameters
    ----------
    output : str
        The answer.
    schema : str, optional
        XML Schema as text; without one a well-formed answer is compliant.
    required : tuple of str
        Names of elements that must stand below the root.

    Returns
    -------
    StructuredValidity
        Fields are the elements below the root.

    Raises
    ------
    ConfigurationError
        If the schema itself is invalid.
    MissingDependencyError
        If lxml is not installed.

    References
    ----------
    seeds/002, section 2.2; W3C XML Schema 1.0.

    Examples
    --------
    >>> validate_xml_output("<invoice><total>5</total></invoice>", required=("total", "date")).completeness_score
    0.5
    """
    try:
        from lxml import etree
    except ImportError:
        raise MissingDependencyError("XML needs lxml: pip install 'misread[structured]'.") from None
    if "<!ENTITY" in output:
        return StructuredValidity(False, False, parsing_error="entities are not allowed")
    closed = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    validator = None
    if schema is not None:
        try:
            validator = etree.XMLSchema(etree.fromstring(schema.encode(), etree.XMLParser(**closed)))
        except (etree.XMLSyntaxError, etree.XMLSchemaParseError) as error:
            raise ConfigurationError(f"the XML Schema is invalid: {error}.") from None
    try:
        # An encoding declared inside is that of a file; this is text already.
        root = etree.fromstring(output.encode(), etree.XMLParser(encoding="utf-8", **closed))
    except (etree.XMLSyntaxError, ValueError) as error:
        return StructuredValidity(False, False, parsing_error=str(error))
    errors = []
    if validator is not None and not validator.validate(root):
        errors = [f"line {entry.line}: {entry.message}" for entry in validator.error_log]
    fields = [etree.QName(child).localname for child in root.iterchildren("*")]
    return StructuredValidity(
        True,
        not errors,
        validation_errors=errors,
        completeness_score=sum(name in fields for name in required) / len(required) if required else 1.0,
        field_count=len(fields),
    )
