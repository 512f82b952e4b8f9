"""Checks of names: those of a fixed choice, and those that must be UTF-8."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from misread.errors import Catalogue, InputFileError, UnknownNameError, setting


def check_choice(
    kind: str, value: object, choices: Any, *, where: str = "", catalogue: Catalogue | None = None
) -> None:
    """Raise UnknownNameError unless `value` is one of the choices, names or a `Literal`; `kind` and `where` name it.

    `catalogue` is the word after `misread list` that prints the choices.
    """
    known: Collection[str] = get_args(choices) or choices
    if not isinstance(value, str) or value not in known:
        raise UnknownNameError(kind, value, known, where=where, catalogue=catalogue)


def check_choices(settings: Any, where: str = "", *, section: str = "") -> None:
    """Raise UnknownNameError for a value that is not among the literals of its field; `section` names its settings."""
    for name, choices in _choices(settings.__class__).items():
        check_choice(setting(f"{section}.{name}") if section else name, getattr(settings, name), choices, where=where)


@cache
def _choices(kind: type[Any]) -> Mapping[str, tuple[str, ...]]:
    """The literals of each field of a dataclass; looked up once, as dozens of metrics share a few classes."""
    hints = get_type_hints(kind)
    return {
        field.name: get_args(hints[field.name]) for field in fields(kind) if get_origin(hints[field.name]) is Literal
    }


def require_utf8(name: str | Path) -> None:
    """Raise InputFileError for a name that is not UTF-8, which no list of files, configuration or table could hold."""
    try:
        str(name).encode()
    except UnicodeEncodeError:
        raise InputFileError(f"{str(name)!r} is not UTF-8, in which names are written; rename it.") from None
