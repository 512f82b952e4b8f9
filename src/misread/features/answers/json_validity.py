"""Validity of structured answers, with checks of JSON: syntax, JSON Schema and required fields."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from misread.errors import AnswerError, ConfigurationError, InputTypeError, needed_for
from misread.named_result import Record
from misread.text.patterns import compile_pattern, search


@dataclass(frozen=True, slots=True)
class StructuredValidity(Record):
    """Validity of one structured answer."""

    is_valid: bool
    is_schema_compliant: bool
    parsing_error: str | None = None  # why it cannot be parsed
    validation_errors: list[str] = field(default_factory=list)  # all violations of the schema, each with its path
    completeness_score: float = 0.0  # share of required fields that are present; 1 if none is required
    field_count: int = 0  # fields at the top level


def require_text(output: object) -> str:
    """Raise InputTypeError for an answer that is not text, such as one already parsed."""
    if not isinstance(output, str):
        raise InputTypeError(f"the answer is of type {type(output).__name__}, expected text.")
    return output


DEEPEST: Final = 200
"""Limit of levels of an answer, since its readers are recursive; no document of fields comes near it."""


def parse_json(text: str) -> Any:
    """Parse JSON (RFC 8259): NaN and Infinity are refused.

    Raises ValueError, with the position, if it is not valid JSON or is nested deeper than `DEEPEST` levels.
    """
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text.count("[") + text.count("{") > DEEPEST and _is_deeper(value, DEEPEST):
        raise ValueError("nested too deeply")
    return value


def parse_fields(text: str) -> Mapping[str, Any]:
    """Parse a JSON object; raises AnswerError if the text is not one."""
    try:
        fields = parse_json(text)
    except ValueError as error:
        raise AnswerError(f"it is not valid JSON ({error}).") from None
    if not isinstance(fields, Mapping):
        raise AnswerError(f"it is of type {type(fields).__name__}, expected fields by name.")
    return fields


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [
            inner
            for container in layer
            if isinstance(container, dict | list)
            for inner in (container.values() if isinstance(container, dict) else container)
        ]
    return any(isinstance(container, dict | list) for container in layer)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


SECONDS: Final = 1.0
"""Time limit of one pattern on one text; `^(a+)+$` would take hours."""


def limit_patterns(kind: Any, name: str) -> Any:
    """Subclass of a jsonschema validator that raises ConfigurationError if a pattern takes too long.

    `name` is that of the schema, for messages.
    """
    from jsonschema import ValidationError
    from jsonschema.validators import extend

    setting = f"{name}: pattern"

    def found(pattern: str, text: str) -> bool:
        return search(compile_pattern(pattern, name=setting), text, name=setting, seconds=SECONDS) is not None

    def match(validator: Any, pattern: str, instance: Any, _: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not found(pattern, instance):
            yield ValidationError(f"{instance!r} does not match {pattern!r}")

    def match_names(validator: Any, patterns: Mapping[str, Any], instance: Any, _: Any) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for pattern, inner in patterns.items():
                for name, value in instance.items():
                    if found(pattern, name):
                        yield from validator.descend(value, inner, path=name, schema_path=pattern)

    def match_no_name(validator: Any, allowed: Any, instance: Any, schema: Mapping[str, Any]) -> Iterable[Any]:
        patterns = schema.get("patternProperties", {})
        if patterns and validator.is_type(instance, "object"):
            instance = {
                name: value
                for name, value in instance.items()
                if name in schema.get("properties", {}) or not any(found(pattern, name) for pattern in patterns)
            }
            schema = {keyword: value for keyword, value in schema.items() if keyword != "patternProperties"}
        return kind.VALIDATORS["additionalProperties"](validator, allowed, instance, schema) or ()

    limited = {"pattern": match, "patternProperties": match_names, "additionalProperties": match_no_name}
    return extend(kind, limited)  # type: ignore[no-untyped-call]


def refuse_unlimited(schema: object, name: str) -> None:
    """Refuse the pair of keywords whose patterns cannot be limited in time: jsonschema matches them elsewhere."""
    if {"unevaluatedProperties", "patternProperties"} <= set(_keywords(schema)):
        raise ConfigurationError(
            f"{name} has unevaluatedProperties and patternProperties, whose patterns cannot be limited in time; "
            "use additionalProperties."
        )


def _keywords(schema: object) -> Iterator[str]:
    if isinstance(schema, Mapping):
        yield from schema
    if isinstance(schema, Mapping | list | tuple):
        for inner in schema.values() if isinstance(schema, Mapping) else schema:
            yield from _keywords(inner)


def validate_json_output(output: str, schema: Mapping[str, Any]) -> StructuredValidity:
    """Parse a JSON answer and validate it against a JSON Schema.

    Parameters
    ----------
    output : str
        The answer. A fence around it is not JSON: unwrap it first (normalizer step `unwrap_code_fence`).
    schema : mapping
        JSON Schema; references to other documents are not followed.

    Raises
    ------
    InputTypeError
        If the answer is not text, or the schema is not a mapping.
    ConfigurationError
        If the schema is invalid, refers to another document or endlessly to itself, or if one of its patterns takes
        longer than a second on a text of the answer.
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
    """As `validate_json_output`, with a schema prepared once for many answers; `name` names it in messages.

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
            violations = sorted(validator.iter_errors(parsed), key=lambda error: error.json_path)
        except Unresolvable as error:
            raise ConfigurationError(f"{name} refers to something that it does not contain: {error}.") from None
        except RecursionError:
            raise ConfigurationError(f"{name} refers to itself without end.") from None
        fields = parsed if isinstance(parsed, dict) else {}
        return StructuredValidity(
            True,
            not violations,
            validation_errors=[f"{error.json_path}: {error.message}" for error in violations],
            completeness_score=sum(name in fields for name in required) / len(required) if required else 1.0,
            field_count=len(fields),
        )

    return check
