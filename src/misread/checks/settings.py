"""The types that a class declares for its settings, held against the values that a file gives."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Final, get_type_hints

from misread.errors import ConfigurationError, UnknownNameError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_EXPECTED: Final = {
    "bool_type": "true or false",
    "dict_type": "names with values",
    "float_type": "a number",
    "int_type": "a whole number",
    "list_type": "a list",
    "mapping_type": "names with values",
    "none_required": "null",
    "sequence_str": "a list",
    "string_type": "text (in quotes, where it looks like anything else)",
    "tuple_type": "a list",
}
_LONGEST_VALUE: Final = 60


def check_types(target: type[Any], settings: Mapping[str, Any], *, where: str) -> None:
    """Refuse settings that are not of the types that a class declares.

    Nothing is converted: text is not a number, true is not 1, 1000.0 is not a whole number, and one text is not a
    list. A whole number will do where any number is expected.

    Parameters
    ----------
    target : type
        A class; what it does not annotate, or annotates by names that cannot be resolved, is not checked.
    settings : mapping of name to value
        Keyword arguments for it.
    where : str
        The place of the settings, for messages.

    Raises
    ------
    UnknownNameError
        If a value is not among the choices of a `Literal`; lists them.
    ConfigurationError
        If a value has another type; names the setting, what was expected and what is there.

    Examples
    --------
    >>> from misread.engines import Threads
    >>> check_types(Threads, {"workers": 2.0}, where="params.yaml: executor")
    Traceback (most recent call last):
        ...
    misread.errors.ConfigurationError: params.yaml: executor.workers is 2.0, expected a whole number.
    """
    from pydantic import ConfigDict, TypeAdapter, ValidationError
    from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError

    strict = ConfigDict(strict=True, arbitrary_types_allowed=True)
    annotations = _annotations(target)
    for name, value in settings.items():
        # With its name around it, any type may be given a configuration, a dataclass too.
        named: Any = dict[str, annotations.get(name, Any)]  # type: ignore[misc]
        try:
            TypeAdapter(named, config=strict).validate_python({name: value})
        except ValidationError as error:
            raise _refusal(error.errors(), name, value, where) from None
        except (PydanticUserError, PydanticUndefinedAnnotation):
            continue


def _annotations(target: type[Any]) -> dict[str, Any]:
    try:
        return get_type_hints(target if is_dataclass(target) else target.__init__)
    except (NameError, TypeError):
        return {}


def _refusal(errors: list[ErrorDetails], name: str, value: object, where: str) -> ConfigurationError | UnknownNameError:
    """What is wrong with one setting: in its one place, or as a whole where several things are."""
    place = f"{where}.{name}"
    if len(errors) == 1:
        [error] = errors
        inside = [part for part in error["loc"][1:] if part != "[key]"]
        place += "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in inside)
        value = error["input"]
        if error["type"] == "literal_error" and isinstance(value, str):
            return UnknownNameError("value", value, re.findall("'([^']*)'", error["ctx"]["expected"]), where=place)
    expected = " or ".join(dict.fromkeys(map(_expected, errors)))
    return ConfigurationError(f"{place} is {_shown(value)}, expected {expected}.")


def _expected(error: ErrorDetails) -> str:
    expected = _EXPECTED.get(error["type"], error["msg"].removeprefix("Input should be "))
    is_class = {"class", "class_name"} & set(error.get("ctx", {}))
    return f"settings with a _target_ ({expected})" if is_class else expected


def _shown(value: object) -> str:
    return shorten(json.dumps(value, default=repr, ensure_ascii=False), _LONGEST_VALUE, placeholder=" ...")
