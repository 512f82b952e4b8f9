"""Check of settings that have a fixed choice of values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from misread.errors import UnknownNameError


def check_choices(settings: Any, where: str) -> None:
    """Refuse a value that is not among the literals of its dataclass field; `where` is for the message."""
    for name, choices in _choices(settings.__class__).items():
        value = getattr(settings, name)
        if not (isinstance(value, str) and value in choices):
            raise UnknownNameError(name, value, choices, where=where)


@cache
def _choices(kind: type[Any]) -> Mapping[str, tuple[str, ...]]:
    """The literals of each field of a dataclass; looked up once, as dozens of metrics are made of few classes."""
    hints = get_type_hints(kind)
    return {each.name: get_args(hints[each.name]) for each in fields(kind) if get_origin(hints[each.name]) is Literal}
