"""All commands under one name: how they are found, and messages on wrong use and long waits."""

import inspect
import os
import re
import sys
import threading
import time
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final

import typer

from misread.cli.help_pages import COLUMNS, PanelledCommand, PanelledGroup
from misread.compiled.jit import Kernel
from misread.data.table_columns import BRACKETS
from misread.errors import ConfigurationError, MisreadError, UnknownNameError, setting, spell_as_key, spelled_by
from misread.io.checks.outputs import check_outputs
from misread.io.console import errors_as_answers, print_error, write_out
from misread.io.json_files import LARGEST
from misread.version import __version__

# Its own name lies in a package that differs between versions of Typer.
_USAGE_ERROR: Final[type[Exception]] = typer.BadParameter.__mro__[1]
_WRONG_USE: Final = 2
_TYPES: Final = {"int": "whole number", "float": "number"}

OUTPUTS: Final = frozenset({"markdown", "out", "output", "page", "run_dir", "target"})
"""Parameters of commands that name a file or a folder to write, where they are paths."""

_OF_A_PROJECT: Final = tuple(map(Path, ("params.yaml", "dvc.yaml", "dvc.lock", "conf", "reports/counts")))
"""Parts of a project that commands read without being told."""

_options_by_setting: Final[dict[str, str]] = {}
"""Options of the command that runs, by the names of its parameters."""


class Command(PanelledCommand):
    """A command in whose errors a setting is the option of its name."""

    def invoke(self, context: Any) -> Any:
        """Remember the options, refuse an output that is an input, and run the command."""
        _options_by_setting.clear()
        _options_by_setting.update((param.name, param.opts[0]) for param in self.params if param.name)
        outputs = {param.name for param in self.params if param.name in OUTPUTS and param.type.name == "path"}
        for name, value in context.params.items():
            if isinstance(value, int | float) and abs(value) > LARGEST:
                raise ConfigurationError(f"{setting(name)} is too large, expected a number up to {LARGEST:g}.")
        paths = {name: list(_paths_in(value)) for name, value in context.params.items()}
        check_outputs(
            [path for name in outputs for path in paths[name][:1]],
            [*_OF_A_PROJECT, *(path for name in paths.keys() - outputs for path in paths[name])],
        )
        return super().invoke(context)


def _paths_in(value: object) -> Iterator[Path]:
    """Paths that an option may name, alone or after the name of a system."""
    for entry in value if isinstance(value, list | tuple) else (value,):
        if isinstance(entry, str | Path):
            text = str(entry)
            yield from map(Path, filter(None, (text, text.partition("=")[2], text.partition("(")[0])))


def spell_as_option(name: str, value: str) -> str:
    """Spell a setting as an option of the command that runs, or as a key of the configuration where it has none."""
    option = _options_by_setting.get(name.rpartition(".")[2])
    if option is None and name in BRACKETS and "table" in _options_by_setting:
        return f"{_options_by_setting['table']} 'FILE({name}={value or 'COLUMN'})'"
    if option is None:
        return spell_as_key(name, value)
    return option if value in ("", "true") else f"{option} {_quote(value)}"


def _quote(value: str) -> str:
    """A value as a shell takes it."""
    return f"'{value}'" if "(" in value and "'" not in value else value


class OneLineUsage(PanelledGroup):
    """Commands whose usage errors are one line on standard error and status 2."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  given by Click
        """Names of the commands in the order of `COMMANDS`."""
        return [word for word in _WORDS if word in self.commands]

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
    match = re.fullmatch(r"(.+?) is not (one of|a valid|in the range) (.+)\.", getattr(error, "message", ""), re.DOTALL)
    if param is None or match is None:
        command = error.ctx.command_path if error.ctx else "misread"
        if error.ctx and error.ctx.parent and isinstance(error.ctx.command, OneLineUsage):
            choices = error.ctx.command.list_commands(error.ctx)
            return ConfigurationError(f"`{command}` needs one more word: {', '.join(choices)}. See `{command} --help`.")
        return ConfigurationError(f"{' '.join(error.format_message().split())} See `{command} --help`.")
    option, (value, kind, expected) = param.opts[0], match.groups()
    if kind == "one of":
        return UnknownNameError("value", literal_eval(value), literal_eval(f"[{expected}]"), where=option)
    noun = (
        f"number in the range {expected}"
        if kind == "in the range"
        else _TYPES.get(expected.removesuffix(" range"), expected)
    )
    return ConfigurationError(f"{option} is {value}, expected a {noun}.")


SECONDS: Final = 2.0

_COMPILER: Final = "numba.core"
# By the package that is at work, innermost first.
_ACTIVITIES: Final = {
    "misread.data": "reading the data",
    "misread.io": "reading files",
    "misread.normalize": "normalizing texts",
    "misread.alignment": "aligning texts",
    "misread.metrics": "counting errors",
    "misread.tally": "counting errors",
    "misread.stats": "resampling and testing differences",
}


@contextmanager
def say_what_takes_long() -> Iterator[None]:
    """Say what this thread is doing if it is not done after two seconds of the processor's time.

    A command that waits for a file, or for its turn on a busy machine, does not take long by itself.
    """
    done = threading.Event()
    threading.Thread(target=_watch, args=(done, threading.get_ident(), time.process_time()), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _watch(done: threading.Event, thread: int, start: float) -> None:
    while (left := start + SECONDS - time.process_time()) > 0:
        if done.wait(left):
            return
    if not done.is_set():
        _say(thread)


def _say(thread: int) -> None:
    frames = sys._current_frames()  # noqa: SLF001  documented, for debuggers
    # This frame would hold itself, and with it what every other one has in memory.
    del frames[threading.get_ident()]
    # Kernels may be compiled by the thread that needs them first.
    if any(_COMPILER in map(_package, _stack(frame)) for frame in frames.values()):
        remark = (
            "done once, and kept" if Kernel.are_kept else ("in every run, as there is no writable folder to keep it in")
        )
        sys.stderr.write(f"note: compiling machine code for this computer ({remark}).\n")
        return
    at_work = (_ACTIVITIES[package] for package in map(_package, _stack(frames[thread])) if package in _ACTIVITIES)
    sys.stderr.write(f"note: {next(at_work, 'starting')}; not done yet.\n")


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    """Frames from the innermost on."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _package(frame: FrameType) -> str:
    """First two parts of the name of the module that a frame runs in."""
    return ".".join(str(frame.f_globals.get("__name__")).split(".")[:2])


_COMMANDS_BY_PANEL: Final = {
    "score": {
        "score": "misread.cli.score:score",
        "regimes": "misread.features.regimes.command:regimes",
        "judge record": "misread.features.judges.command:record",
        "judge agreement": "misread.features.judges.agreement_command:agreement",
    },
    "look": {
        "inspect align": "misread.cli.align:align",
        "list": "misread.cli.list_names:list_names",
    },
    "decide": {
        "diff": "misread.cli.diff:diff",
        "gate": "misread.cli.gate:gate",
        "dispute": "misread.features.disputes.dispute_command:dispute",
        "decide": "misread.features.disputes.decide_command:decide",
        "plan size": "misread.features.size.command:plan_size",
        "plan next": "misread.features.disputes.agreement.command:plan_next",
        "plan predict": "misread.features.disputes.agreement.command:plan_predict",
    },
    "texts": {
        "normalize": "misread.cli.normalize:normalize",
        "convert": "misread.cli.convert:convert",
        "data list": "misread.cli.data:list_public",
        "data fetch": "misread.cli.data:fetch_public",
    },
    "study": {
        "init": "misread.cli.init:init",
        "compose": "misread.cli.compose:compose",
        "stage": "misread.cli.stage:stage",
        "capture": "misread.cli.capture:capture",
        "serve": "misread.cli.serve:serve",
        "doctor": "misread.cli.doctor:doctor",
        "pin": "misread.cli.pin:pin",
    },
    "paper": {
        "paper macros": "misread.features.paper.commands:macros",
        "replay": "misread.cli.replay:replay",
    },
}

COMMANDS: Final = {name: target for commands in _COMMANDS_BY_PANEL.values() for name, target in commands.items()}
"""Name of each command, of two words in a group, and the function behind it: module:attribute."""

_PANELS: Final = {name.split()[0]: panel for panel, commands in _COMMANDS_BY_PANEL.items() for name in commands}
_WORDS: Final = dict.fromkeys(" ".join(COMMANDS).split())

GROUPS: Final = {
    "judge": "Record what a judge decides, or compare judges.",
    "inspect": "Align outputs.",
    "plan": "Plan a comparison.",
    "data": "List and fetch the public data sets of the presets.",
    "paper": "Write the numbers of a manuscript.",
}

# They compute in this process and start no other.
_COMPUTING: Final = ("score", "regimes", "judge agreement", "inspect", "dispute", "decide", "plan")


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Put commands under one name; only their modules are imported."""
    app = _make_group(
        add_completion=False,
        pretty_exceptions_enable=False,
        help="Measure how OCR, handwriting and speech systems misread, and say whether a difference is real.",
    )
    app.callback(options_metavar="[--version] [--cite] [--help]")(_global_options)
    groups: dict[str, typer.Typer] = {}
    for name in names:
        *group_words, last = name.split()
        for group in group_words:
            if group not in groups:
                groups[group] = _make_group(help=GROUPS[group])
                app.add_typer(groups[group], name=group, rich_help_panel=_PANELS[group])
        module, _, attribute = COMMANDS[name].partition(":")
        command = getattr(import_module(module), attribute)
        parent = groups[group_words[0]] if group_words else app
        declare = parent.command(
            last, cls=Command, help=_help(command), options_metavar="[OPTIONS]", rich_help_panel=_PANELS.get(name)
        )
        declare(_computing(command) if name.startswith(_COMPUTING) else command)
    return app


def _make_group(**settings: Any) -> typer.Typer:
    """A group of commands without rich, help through which would cost half a second."""
    return typer.Typer(
        cls=OneLineUsage,
        no_args_is_help=True,
        rich_markup_mode=None,
        context_settings={"max_content_width": COLUMNS},
        options_metavar="[--help]",
        **settings,
    )


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
    with spelled_by(spell_as_option), errors_as_answers():
        _declare(tuple(_asked(sys.argv[1:3])))()


@cache
def _declare(names: tuple[str, ...]) -> Any:
    """The command that typer makes of an app, once: to declare options takes as long as little work."""
    return typer.main.get_command(make_app(names))


def _asked(words: Sequence[str]) -> Iterable[str]:
    """Name the commands that the first arguments mean, or all: to import and declare all of them takes a while."""
    matches = [name for name in COMMANDS if name.split() in (words, words[:1])]
    return matches or [name for name in COMMANDS if name.split()[:1] == words[:1]] or COMMANDS


def _print_version(asked: bool) -> None:
    if asked:
        write_out(f"misread {__version__}")
        raise typer.Exit


def _print_citation(asked: bool) -> None:
    if asked:
        from misread.cli.citation import cite

        write_out(cite())
        raise typer.Exit


def _global_options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
    cite: Annotated[
        bool, typer.Option("--cite", callback=_print_citation, is_eager=True, help="Print how to cite misread.")
    ] = False,
) -> None:
    """Options of the whole command."""
