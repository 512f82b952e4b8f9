"""Errors in the use of the command line, as one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

from misread.errors import ConfigurationError, MisreadError, UnknownNameError
from misread.pipeline.console import print_error

# Its own name lies in a package that differs between versions of Typer.
_USAGE_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[1]
_WRONG_USE: Final = 2


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
    found: list[Any] = getattr(error.__cause__, "errors", list)()
    if param is None or not found:
        command = error.ctx.command_path if error.ctx else "misread"
        return ConfigurationError(f"{' '.join(error.format_message().split())} See `{command} --help`.")
    option, value = param.opts[0], str(found[0]["input"])
    choices = re.search(r"is not one of (.*)\.$", error.message)
    if choices:
        return UnknownNameError("value", value, re.findall("'([^']*)'", choices[1]), where=option)
    expected = error.message.removeprefix("Input should be ").partition(",")[0]
    expected = re.sub("^(greater|less)", r"a number \1", expected).replace("valid integer", "whole number")
    return ConfigurationError(f"{option} is {value!r}, expected {expected.replace('valid ', '')}.")
