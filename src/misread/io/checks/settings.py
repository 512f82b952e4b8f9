"""Check of configured values against the types that a class declares for its settings."""

import json
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from numbers import Integral
from textwrap import shorten
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from misread.errors import ConfigurationError, UnknownNameError

_EXPECTED: Final = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text (in quotes, where it looks like anything else)",
    NoneType: "null",
}
_ACCEPTED: Final = {float: (int, float)}
_LONGEST_VALUE: Final = 60


class _Fault(NamedTuple):
    """A value that is not of its type, with its location inside the setting."""

    location: str
    value: object
    expected: str
    choices: Sequence[str] = ()


def check_types(target: Callable[..., Any], settings: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """Check settings against the types that a class or function declares; `where` is their location, for messages.

    Messages name arguments alone where it is "". Text is not a number, true is not 1, 1000.0 is not a whole number, and
    one text is not a list; a whole number is accepted as any number. Only whole numbers of other types, such as
    NumPy's, are converted, to Python's. Settings without an annotation that can be resolved are not checked. Raises
    UnknownNameError for a value outside of a `Literal`, else ConfigurationError.
    """
    annotations = declared_types(target)
    plain = {name: _plain(value) for name, value in settings.items()}
    for name, value in plain.items():
        for fault in _faults(value, annotations.get(name, Any), f"{where}.{name}" if where else name):
            if fault.choices and isinstance(fault.value, str):
                raise UnknownNameError("value", fault.value, fault.choices, where=fault.location)
            raise ConfigurationError(f"{fault.location} is {_shown(fault.value)}, expected {fault.expected}.")
    return plain


def _plain(value: object) -> object:
    is_foreign = isinstance(value, Integral) and not isinstance(value, int)
    return operator.index(value) if is_foreign else value  # type: ignore[arg-type]


def declared_types(target: Callable[..., Any]) -> dict[str, Any]:
    """Types of the settings of a class or function, by name; none where they cannot be resolved."""
    own_init = isinstance(target, type) and not is_dataclass(target)
    try:
        return get_type_hints(target.__init__ if own_init else target)
    except (NameError, TypeError):
        return {}


def _faults(value: object, kind: Any, location: str) -> Iterator[_Fault]:
    """Parts of a value of a wrong type, outermost first; nothing where a type is of another sort than those here."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        yield from _faults_of_union(value, arguments, location)
    elif origin is Annotated:
        yield from _faults(value, arguments[0], location)
    elif origin is Literal:
        # By type too: true is not 1.
        if not any(value == choice and type(value) is type(choice) for choice in arguments):
            *others, last = map(repr, arguments)
            expected = f"{', '.join(others)} or {last}" if others else last
            yield _Fault(location, value, expected, list(map(str, arguments)))
    elif kind in _EXPECTED:
        is_truth = isinstance(value, bool)
        if not isinstance(value, _ACCEPTED.get(kind, kind)) or (is_truth and kind is not bool):
            yield _Fault(location, value, _EXPECTED[kind])
    elif isinstance(origin or kind, type) and kind is not Any:
        yield from _faults_of_class(value, origin or kind, arguments, location)


def _faults_of_union(value: object, kinds: Sequence[Any], location: str) -> Iterator[_Fault]:
    first = [next(_faults(value, kind, location), None) for kind in kinds]
    faults = [fault for fault in first if fault]
    if len(faults) < len(kinds):
        return
    inside = [fault for fault in faults if fault.location != location]
    if len(inside) == 1:
        # One of the types is right, but for something in it.
        yield inside[0]
        return
    choices = [choice for fault in faults for choice in fault.choices]
    expected = dict.fromkeys(fault.expected for fault in faults if fault.expected != _EXPECTED[NoneType])
    yield _Fault(location, value, " or ".join(expected), choices)


def _faults_of_class(value: object, kind: type, arguments: Sequence[Any], location: str) -> Iterator[_Fault]:
    if issubclass(kind, Mapping):
        if not isinstance(value, Mapping):
            yield _Fault(location, value, "names with values")
            return
        for key, item in value.items():
            for part, part_kind in zip((key, item), arguments, strict=False):
                yield from _faults(part, part_kind, f"{location}.{key}")
    elif issubclass(kind, Sequence) and not issubclass(kind, str | bytes):
        if not isinstance(value, list | tuple):
            yield _Fault(location, value, "a list")
            return
        for position, item in enumerate(value):
            for item_kind in arguments[:1]:
                yield from _faults(item, item_kind, f"{location}[{position}]")
    elif not isinstance(value, kind):
        yield _Fault(location, value, f"settings with a _target_ (an instance of {kind.__name__})")


def _shown(value: object) -> str:
    return shorten(json.dumps(value, default=repr, ensure_ascii=False), _LONGEST_VALUE, placeholder=" ...")
