"""All commands under one name."""

from __future__ import annotations

import gc
import inspect
import os
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from misread.cli.align import align
from misread.cli.calibrate import calibrate
from misread.cli.capture import capture
from misread.cli.compose import compose
from misread.cli.convert import convert
from misread.cli.data import data
from misread.cli.diff import diff
from misread.cli.doctor import doctor
from misread.cli.gate import gate
from misread.cli.init import init
from misread.cli.lint_paper import lint_paper
from misread.cli.macros import macros
from misread.cli.normalize import normalize
from misread.cli.patience import say_what_takes_long
from misread.cli.pin import pin
from misread.cli.replay import replay
from misread.cli.score import score
from misread.cli.show import show
from misread.cli.stage import stage
from misread.cli.usage import OneLineUsage
from misread.pipeline.console import errors_as_answers, write_out
from misread.version import __version__

_OBJECTS_BEFORE_COLLECTION = 100_000

app = typer.Typer(
    cls=OneLineUsage,
    no_args_is_help=True,
    # Help through rich would cost half a second.
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Measure how OCR, handwriting and speech systems misread, and say whether a difference is real.",
)


def _help(command: Callable[..., None]) -> str:
    r"""Docstring of a command; below a line `\b`, for which Click wants a control character, lines stay as they are."""
    return inspect.cleandoc(command.__doc__ or "").replace("\\b\n", "\b\n")


_COMMANDS: dict[str, Callable[..., None]] = {
    "score": score,
    "calibrate": calibrate,
    "align": align,
    "show": show,
    "normalize": normalize,
    "convert": convert,
    "diff": diff,
    "gate": gate,
    "replay": replay,
    "macros": macros,
    "lint-paper": lint_paper,
    "init": init,
    "compose": compose,
    "stage": stage,
    "capture": capture,
    "doctor": doctor,
    "pin": pin,
}
# They compute in this process and start no other.
_COMPUTING = (score, calibrate, align, show)


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


for _name, _command in _COMMANDS.items():
    app.command(_name, help=_help(_command))(_computing(_command) if _command in _COMPUTING else _command)
app.add_typer(data, name="data")


def main() -> None:
    """Run the command line; an error that is an answer is printed as one line, with status 1."""
    # Modules are a million objects that live until the end: by default the collector scans them again and again.
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION)
    try:
        with errors_as_answers():
            app()
    finally:
        # The interpreter would scan everything once more before the process ends.
        gc.freeze()


def _print_version(asked: bool) -> None:
    if asked:
        write_out(f"misread {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the whole command."""
