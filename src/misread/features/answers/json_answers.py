"""Answers in JSON as values."""

import json
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from misread.errors import AnswerError

DEEPEST: Final = 200
"""Levels of an answer: what takes answers apart calls itself at each, and no document of fields comes near."""


def parse_json(text: str) -> Any:
    """Parse JSON (RFC 8259): NaN and Infinity are refused.

    Raises ValueError, which says where, if it is not valid JSON or nested deeper than `DEEPEST` levels.
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
            for each in layer
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    return any(isinstance(each, dict | list) for each in layer)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
