"""Patterns of a JSON Schema, matched with a time limit: some would take hours on a text of 40 characters."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from misread.errors import ConfigurationError
from misread.text.patterns import compile_pattern, search

SECONDS: Final = 1.0
"""Time limit of one pattern on one text; `^(a+)+$` would take hours."""


def limit_patterns(kind: Any, name: str) -> Any:
    """Class of jsonschema's validators that raises ConfigurationError when a pattern takes too long.

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
    """Refuse the one pair of keywords whose patterns cannot be limited in time: jsonschema matches them elsewhere."""
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
