"""All commands under one name."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from misread.cli.patience import say_what_takes_long
from misread.cli.usage import OneLineUsage
from misread.pipeline.console import errors_as_answers, write_out
from misread.version import __version__

COMMANDS: Final = (
    "score",
    "calibrate",
    "plan",
    "predict",
    "align",
    "show",
    "suspects",
    "judge",
    "agreement",
    "regimes",
    "normalize",
    "convert",
    "diff",
    "gate",
    "replay",
    "macros",
    "lint-paper",
    "init",
    "compose",
    "stage",
    "capture",
    "serve",
    "doctor",
    "pin",
    "data",
)
"""Each is the function of its name, or a group of commands, in the module of its name beside this one."""

# They compute in this process and start no other.
_COMPUTING: Final = ("score", "calibrate", "plan", "predict", "align", "show", "suspects", "agreement", "regimes")


def make_app(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """Put commands under one name; only their modules are imported."""
    app = typer.Typer(
        cls=OneLineUsage,
        no_args_is_help=True,
        # Help through rich would cost half a second.
        rich_markup_mode=None,
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Measure how OCR, handwriting and speech systems misread, and say whether a difference is real.",
    )
    app.callback()(_options)
    for name in names:
        attribute = name.replace("-", "_")
        command = getattr(import_module(f"misread.cli.{attribute}"), attribute)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name, help=_help(command))(_computing(command) if name in _COMPUTING else command)
    return app


def _help(command: Callable[..., None]) -> str:
    r"""Docstring of a command; below a line `\b`, for which Click wants a control character, lines stay as they are."""
    return inspect.cleandoc(command.__doc__ or "").replace("\\b\n", "\b\n")


def _computing(command: Callable[..., None]) -> Callable[..., None]:
    """Run a command with a word on what takes long, and without threads that NumPy and SciPy would start for nothing.

    To start and stop threads for linear algebra takes two tenths of a second, and no command has any to speak of.
    """

    @wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        with say_what_takes_long():
            command(*arguments, **options)

    return run


def main() -> None:
    """Run the command line; an error that is an answer is printed as one line, with status 1."""
    with errors_as_answers():
        make_app(_asked(sys.argv[1:2]))()


def _asked(first: Sequence[str]) -> Sequence[str]:
    """Name the command of the first argument, or all: to import and declare all of them takes a while."""
    return first if set(first) & set(COMMANDS) else COMMANDS


def _print_version(asked: bool) -> None:
    if asked:
        write_out(f"misread {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the whole command."""
