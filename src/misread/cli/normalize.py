"""`misread normalize`: texts as a normalizer leaves them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from misread.cli.options import split_list
from misread.errors import ConfigurationError, InputFileError, SettingError, setting
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.normalize import LintResult, Normalizer


def normalize(
    file: Annotated[
        Path | None, typer.Argument(help="Text, one per line; without it or with -, standard input.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="One text instead of a file.")] = None,
    profile: Annotated[str | None, typer.Option(help="Name of a profile; --list has them.")] = None,
    steps: Annotated[
        str | None,
        typer.Option(
            help="Steps instead of a profile: names joined by commas or, with settings, a list as in a configuration: "
            "'[nfc, {step: fold_case, language: tr}]'."
        ),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Print the text after every step.")] = False,
    lint: Annotated[
        bool,
        typer.Option(
            "--lint",
            help="Print words and letters by script before and after, and what may not be wanted; status 1 then.",
        ),
    ] = False,
    list_profiles: Annotated[bool, typer.Option("--list", help="Print all profiles with their steps.")] = False,
) -> None:
    r"""Normalize texts, line by line.

    For instance:

    \b
      misread normalize --profile turkish --text "Bu 42 sayısı önemlidir"
      misread normalize lines.txt --steps nfc,collapse_whitespace --trace
      misread normalize lines.txt --profile basic --lint
    """
    from misread.data.segment_table import TextPairs
    from misread.io.console import write_out
    from misread.normalize import PROFILES
    from misread.normalize import lint as lint_texts

    if list_profiles:
        write_out("\n".join(profile_lines(PROFILES)))
        return
    if trace and lint:
        raise ConfigurationError(f"{setting('trace')} prints texts and {setting('lint')} findings; choose one.")
    chosen = _choose_normalizer(profile, steps)
    texts = _read_texts(file, text)
    if lint:
        result = lint_texts(chosen, TextPairs(texts, [None] * len(texts)))
        write_out("\n".join(lint_lines(chosen.name, result)))
        if result.findings:
            raise typer.Exit(1)
    elif trace:
        for line in trace_lines(chosen, texts):
            write_out(line)
    else:
        for line in texts:
            write_out(one_line(chosen(line)))


def _choose_normalizer(profile: str | None, steps: str | None) -> Normalizer:
    from misread.normalize import Normalizer, get_normalizer

    if (profile is None) == (steps is None):
        raise ConfigurationError(
            f"give {setting('profile', 'NAME')} or {setting('steps')}; {setting('list_profiles')} prints the profiles."
        )
    if profile is not None:
        return get_normalizer(profile)
    if steps is not None and steps.lstrip().startswith("["):
        return Normalizer("steps", _read_steps(steps))
    return Normalizer("steps", split_list(steps, option=setting("steps")))


def _read_steps(text: str) -> list[Any]:
    """Steps as a configuration lists them."""
    import yaml

    try:
        read = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ConfigurationError(
            f"{setting('steps')} is not a list that YAML can read: {error}.".replace("\n", " ")
        ) from None
    if not isinstance(read, list) or not all(isinstance(step, str | dict) for step in read):
        raise SettingError("steps", read, "names of steps, or mappings with `step` and settings")
    return read


def _read_texts(file: Path | None, text: str | None) -> list[str]:
    from misread.io.text import read_text, split_lines

    if text is not None:
        if file is not None:
            raise ConfigurationError(f"give {file} or {setting('text')}, not both.")
        return [text]
    if file is None or str(file) == "-":
        return split_lines(_decode(sys.stdin.buffer.read()))
    return split_lines(read_text(file))


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputFileError(
            f"standard input, line {line}: byte 0x{data[error.start]:02x} is not valid UTF-8; convert the text first."
        ) from None


_BREAK = " "


def one_line(text: str) -> str:
    """A text without line breaks, so that there is one line of output for each of input."""
    return _BREAK.join(text.splitlines())


def trace_lines(normalizer: Normalizer, texts: Iterable[str]) -> Iterator[str]:
    """Every text with the names of the steps, and the text after each; = where a step changed nothing."""
    width = max((len(step.name) for step in normalizer.bound), default=0)
    for text in texts:
        yield f"{'':{width}}  {show_label(text)}"
        before = text
        for name, after in normalizer.trace(text):
            yield f"{name:{width}}  {'=' if after == before else show_label(after)}"
            before = after


def profile_lines(profiles: Mapping[str, Sequence[str | Mapping[str, Any]]]) -> Iterator[str]:
    """Every profile with its steps."""
    width = max(map(len, profiles))
    for name, steps in profiles.items():
        yield f"{name:{width}}  {', '.join(map(_described, steps)) or 'no step'}"


def lint_lines(name: str, result: LintResult) -> Iterator[str]:
    """Words and letters by script before and after, and every finding with its examples."""
    width = max((len(script) for script in result.scripts), default=6)
    yield f"{'script':{width}}  {'words':>20}  {'letters and marks':>20}"
    for script, change in result.scripts.items():
        words, letters = (f"{before:,} -> {after:,}" for before, after in (change.words, change.letters))
        yield f"{script.title():{width}}  {words:>20}  {letters:>20}"
    for finding in result.findings:
        yield f"{name} {finding.sentence}."
        yield from (f"    {show_label(before)} -> {show_label(after)}" for before, after in finding.examples)
    if not result.findings:
        yield f"{name}: nothing to name."


def _described(step: str | Mapping[str, Any]) -> str:
    if isinstance(step, str):
        return step
    settings = ", ".join(f"{name}={value!r}" for name, value in step.items() if name != "step")
    return f"{step['step']}({settings})"
