"""All commands under one name."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, Final

import typer

from misread.cli.patience import say_what_takes_long
from misread.cli.usage import OneLineUsage
from misread.io.console import errors_as_answers, write_out
from misread.version import __version__

COMMANDS: Final = {
    "score": "misread.cli.score:score",
    "calibrate": "misread.features.null_simulation.command:calibrate",
    "plan": "misread.features.planning.plan_command:plan",
    "predict": "misread.features.prediction.command:predict",
    "align": "misread.cli.align:align",
    "show": "misread.features.dossier.command:show",
    "suspects": "misread.features.suspects.command:suspects",
    "judge": "misread.features.judges.command:judge",
    "agreement": "misread.features.judges.agreement_command:agreement",
    "regimes": "misread.features.regimes.command:regimes",
    "normalize": "misread.cli.normalize:normalize",
    "convert": "misread.cli.convert:convert",
    "diff": "misread.cli.diff:diff",
    "gate": "misread.cli.gate:gate",
    "replay": "misread.cli.replay:replay",
    "macros": "misread.features.paper.macros_command:macros",
    "lint-paper": "misread.features.paper.lint_command:lint_paper",
    "init": "misread.cli.init:init",
    "compose": "misread.cli.compose:compose",
    "stage": "misread.cli.stage:stage",
    "capture": "misread.cli.capture:capture",
    "serve": "misread.cli.serve:serve",
    "doctor": "misread.cli.doctor:doctor",
    "pin": "misread.cli.pin:pin",
    "data": "misread.cli.data:data",
}
"""Name of each command, and the function or group of commands behind it: module:attribute."""

# They compute in this process and start no other.
_COMPUTING: Final = ("score", "calibrate", "plan", "predict", "align", "show", "suspects", "agreement", "regimes")


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
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
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
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


def _asked(first: Sequence[str]) -> Iterable[str]:
    """Name the command of the first argument, or all: to import and declare all of them takes a while."""
    return first if COMMANDS.keys() & first else COMMANDS


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
