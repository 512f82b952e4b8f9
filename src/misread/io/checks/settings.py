"""Check of configured values against the types that a class declares for its settings."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from numbers import Integral
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


def check_types(target: Callable[..., Any], settings: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """Check settings against the types that a class or function declares; `where` is their location, for messages.

    Messages name arguments alone where it is "". Text is not a number, true is not 1, 1000.0 is not a whole number, and
    one text is not a list; a whole number is accepted as any number. Only whole numbers of other types, such as
    NumPy's, are converted, to Python's. Settings without an annotation that can be resolved are not checked. Raises
    UnknownNameError for a value outside of a `Literal`, else ConfigurationError.
    """
    from pydantic import ConfigDict, TypeAdapter, ValidationError
    from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError

    strict = ConfigDict(strict=True, arbitrary_types_allowed=True)
    annotations = _annotations(target)
    plain = {name: _plain(value) for name, value in settings.items()}
    for name, value in plain.items():
        # With its name around it, any type may be given a configuration, a dataclass too.
        setting_type: Any = dict[str, annotations.get(name, Any)]  # type: ignore[misc]
        try:
            TypeAdapter(setting_type, config=strict).validate_python({name: value})
        except ValidationError as error:
            raise _refusal(error.errors(), name, value, where) from None
        except (PydanticUserError, PydanticUndefinedAnnotation):
            continue
    return plain


def _plain(value: object) -> object:
    is_foreign = isinstance(value, Integral) and not isinstance(value, int)
    return operator.index(value) if is_foreign else value  # type: ignore[arg-type]


def _annotations(target: Callable[..., Any]) -> dict[str, Any]:
    own_init = isinstance(target, type) and not is_dataclass(target)
    try:
        return get_type_hints(target.__init__ if own_init else target)
    except (NameError, TypeError):
        return {}


def _refusal(errors: list[ErrorDetails], name: str, value: object, where: str) -> ConfigurationError | UnknownNameError:
    """Error for one setting: for the part that is wrong, or for the whole setting where several parts are."""
    location = f"{where}.{name}" if where else name
    if len(errors) == 1:
        [error] = errors
        inside = [part for part in error["loc"][1:] if part != "[key]"]
        location += "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in inside)
        value = error["input"]
        if error["type"] == "literal_error" and isinstance(value, str):
            return UnknownNameError("value", value, re.findall("'([^']*)'", error["ctx"]["expected"]), where=location)
    expected = " or ".join(dict.fromkeys(map(_expected, errors)))
    return ConfigurationError(f"{location} is {_shown(value)}, expected {expected}.")


def _expected(error: ErrorDetails) -> str:
    expected = _EXPECTED.get(error["type"], error["msg"].removeprefix("Input should be "))
    context = error.get("ctx", {})
    if context.get("class") == "Sequence":
        return "a list"
    is_class = {"class", "class_name"} & set(context)
    return f"settings with a _target_ ({expected})" if is_class else expected


def _shown(value: object) -> str:
    return shorten(json.dumps(value, default=repr, ensure_ascii=False), _LONGEST_VALUE, placeholder=" ...")
