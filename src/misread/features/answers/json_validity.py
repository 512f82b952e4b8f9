"""Validity of JSON answers: syntax, JSON Schema and required fields."""

from collections.abc import Callable, Mapping
from typing import Any

from misread.errors import ConfigurationError, InputTypeError
from misread.extras import needed_for
from misread.features.answers.json_answers import parse_json
from misread.features.answers.schema_patterns import limit_patterns, refuse_unlimited
from misread.features.answers.structured_validity import StructuredValidity, require_text


def validate_json_output(output: str, schema: Mapping[str, Any]) -> StructuredValidity:
    """Parse a JSON answer and validate it against a JSON Schema.

    Parameters
    ----------
    output : str
        The answer. A fence around it is not JSON: unwrap it before (normalizer step `unwrap_code_fence`).
    schema : mapping
        JSON Schema; references to other documents are not followed.

    Raises
    ------
    InputTypeError
        If the answer is not text, or the schema is not a mapping.
    ConfigurationError
        If the schema itself is invalid, refers to another document, or to itself without end, or if one of its
        patterns takes longer than a second on a text of the answer.
    MissingDependencyError
        If jsonschema is not installed.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.2; JSON Schema, draft 2020-12.

    Examples
    --------
    >>> result = validate_json_output('{"total": 5}', {"required": ["total", "date"]})
    >>> result.completeness_score, result.validation_errors
    (0.5, ["$: 'date' is a required property"])
    """
    return json_check(schema)(output)


def json_check(schema: Mapping[str, Any], *, name: str = "the JSON Schema") -> Callable[[str], StructuredValidity]:
    """Prepare a schema once for many answers, as `validate_json_output`; `name` is that of the schema, for messages.

    The callable raises ConfigurationError if a pattern takes too long.
    """
    with needed_for("JSON Schema needs", "jsonschema", "structured"):
        import jsonschema
        from jsonschema.validators import validator_for
        from referencing import Registry
        from referencing.exceptions import Unresolvable
    if not isinstance(schema, Mapping):
        raise InputTypeError(f"{name} is of type {type(schema).__name__}, expected an object.")
    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(dict(schema))
    except jsonschema.SchemaError as error:
        raise ConfigurationError(f"{name} is invalid at {error.json_path}: {error.message}.") from None
    refuse_unlimited(schema, name)
    # An empty registry: nothing is fetched from a network.
    validator = limit_patterns(kind, name)(dict(schema), registry=Registry())
    required = schema.get("required", [])

    def check(output: str) -> StructuredValidity:
        try:
            parsed = parse_json(require_text(output))
        except ValueError as error:
            return StructuredValidity(False, False, parsing_error=str(error))
        try:
            found = sorted(validator.iter_errors(parsed), key=lambda error: error.json_path)
        except Unresolvable as error:
            raise ConfigurationError(f"{name} refers to something that it does not contain: {error}.") from None
        except RecursionError:
            raise ConfigurationError(f"{name} refers to itself without end.") from None
        fields = parsed if isinstance(parsed, dict) else {}
        return StructuredValidity(
            True,
            not found,
            validation_errors=[f"{error.json_path}: {error.message}" for error in found],
            completeness_score=sum(name in fields for name in required) / len(required) if required else 1.0,
            field_count=len(fields),
        )

    return check
