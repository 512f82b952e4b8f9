"""Check of settings that have a fixed choice of values."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from misread.errors import UnknownNameError


def check_choices(settings: Any, where: str) -> None:
    """Refuse a value that is not among the literals of its dataclass field; `where` is for the message."""
    hints = get_type_hints(type(settings))
    for field in fields(settings):
        choices = get_args(hints[field.name]) if get_origin(hints[field.name]) is Literal else ()
        value = getattr(settings, field.name)
        if choices and not (isinstance(value, str) and value in choices):
            raise UnknownNameError(field.name, value, choices, where=where)
