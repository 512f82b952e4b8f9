"""Values of settings as a class takes them: settings in braces become the objects that its annotations name."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Final, Union, cast, get_args, get_origin

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice

NEEDED: Final = inspect.Parameter.empty
"""Default of a setting that has none."""


def default_settings(kind: Callable[..., Any]) -> dict[str, Any]:
    """Value that each setting of a class has where it is not named, by name; `NEEDED` for one that has to be."""
    made = {
        setting.name: setting.default_factory()
        for setting in (fields(kind) if isinstance(kind, type) and is_dataclass(kind) else ())
        if setting.default_factory is not MISSING
    }
    return {
        name: made.get(name, parameter.default)
        for name, parameter in inspect.signature(kind).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


def fit_settings(kind: Callable[..., Any], settings: Mapping[str, Any], *, where: str) -> dict[str, Any]:
    """Settings as a class takes them, checked against its annotations.

    A whole number becomes any number where one is declared, and a mapping the dataclass that is. Raises as
    `misread.io.checks.settings.check_types`, and UnknownNameError for a setting that such a dataclass does not have.
    """
    # Imported here: a name alone needs no check.
    from misread.io.checks.settings import check_types, declared_types

    types = declared_types(kind)
    fitted = {name: _fit(value, types.get(name), f"{where}.{name}") for name, value in settings.items()}
    return check_types(kind, fitted, where=where)


def require_all(settings: Mapping[str, Any], where: str) -> None:
    """Raise ConfigurationError for settings that have to be named and are not."""
    lacking = [name for name, value in settings.items() if value is NEEDED]
    if lacking:
        raise ConfigurationError(f"{where}: no {', '.join(lacking)} given.")


def _fit(value: Any, declared: Any, where: str) -> Any:
    for choice in get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,):
        if choice is float and type(value) is int:
            return float(value)
        if isinstance(value, Mapping) and get_origin(choice) is Mapping:
            return {name: _fit(part, get_args(choice)[1], f"{where}.{name}") for name, part in value.items()}
        if isinstance(value, Mapping) and is_dataclass(choice):
            return _make(cast("type[Any]", choice), value, where)
    return value


def _make(kind: type[Any], described: Mapping[str, Any], where: str) -> Any:
    """Make the object that settings in braces describe."""
    defaults = default_settings(kind)
    for setting in described:
        check_choice("setting", setting, defaults, where=where)
    settings = fit_settings(kind, described, where=where)
    require_all({**defaults, **settings}, where)
    return kind(**settings)
