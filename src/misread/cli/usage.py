"""Errors in the use of the command line, as one line."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from misread.errors import ConfigurationError, MisreadError, UnknownNameError
from misread.io.console import print_error

# Its own name lies in a package that differs between versions of Typer.
_USAGE_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[1]
_WRONG_USE: Final = 2
_TYPES: Final = {"int": "whole number", "float": "number"}


class OneLineUsage(TyperGroup):
    """Commands whose usage errors are one line on standard error and status 2."""

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        """Read the options of the group."""
        with _in_one_line():
            return super().make_context(*arguments, **options)

    def invoke(self, context: Any) -> Any:
        """Read the options of a command, and run it."""
        with _in_one_line():
            return super().invoke(context)


@contextmanager
def _in_one_line() -> Iterator[None]:
    try:
        yield
    except _USAGE_ERROR as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            raise
        print_error(_answer(error))
        raise typer.Exit(_WRONG_USE) from None


def _answer(error: Any) -> MisreadError:
    """Say which option has which value, and what was expected."""
    param = getattr(error, "param", None)
    found = re.fullmatch(r"(.+?) is not (one of|a valid|in the range) (.+)\.", getattr(error, "message", ""), re.DOTALL)
    if param is None or found is None:
        command = error.ctx.command_path if error.ctx else "misread"
        return ConfigurationError(f"{' '.join(error.format_message().split())} See `{command} --help`.")
    option, (value, kind, expected) = param.opts[0], found.groups()
    if kind == "one of":
        return UnknownNameError("value", literal_eval(value), literal_eval(f"[{expected}]"), where=option)
    named = (
        f"number in the range {expected}"
        if kind == "in the range"
        else _TYPES.get(expected.removesuffix(" range"), expected)
    )
    return ConfigurationError(f"{option} is {value}, expected a {named}.")
