"""Checks of names: those of a fixed choice, and those that must be UTF-8."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from misread.errors import InputFileError, UnknownNameError, setting


def check_choice(kind: str, value: object, choices: Any, *, where: str = "") -> None:
    """Refuse what is not among the choices, which are names or a `Literal`; `kind` and `where` are for the message."""
    known: Collection[str] = get_args(choices) or choices
    if not isinstance(value, str) or value not in known:
        raise UnknownNameError(kind, value, known, where=where)


def check_choices(settings: Any, where: str = "", *, section: str = "") -> None:
    """Refuse a value that is not among the literals of its dataclass field; `section` of the configuration has it."""
    for name, choices in _choices(settings.__class__).items():
        check_choice(setting(f"{section}.{name}") if section else name, getattr(settings, name), choices, where=where)


@cache
def _choices(kind: type[Any]) -> Mapping[str, tuple[str, ...]]:
    """The literals of each field of a dataclass; looked up once, as dozens of metrics are made of few classes."""
    hints = get_type_hints(kind)
    return {each.name: get_args(hints[each.name]) for each in fields(kind) if get_origin(hints[each.name]) is Literal}


def require_utf8(name: str | Path) -> None:
    """Refuse a name that no list of files, configuration or table could hold; raises InputFileError with it."""
    try:
        str(name).encode()
    except UnicodeEncodeError:
        raise InputFileError(f"{str(name)!r} is not UTF-8, in which names are written; rename it.") from None
