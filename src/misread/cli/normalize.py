"""`misread normalize`: texts as a normalizer leaves them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.normalizer_option import make_normalizer
from misread.errors import ConfigurationError, InputFileError, setting
from misread.text.display import show_label

if TYPE_CHECKING:
    from misread.normalize import LintResult, Normalizer


def normalize(
    file: Annotated[
        Path | None, typer.Argument(help="Text, one per line; without it or with -, standard input.")
    ] = None,
    text: Annotated[str | None, typer.Option(help="One text instead of a file.")] = None,
    normalizer: Annotated[
        str | None,
        typer.Option(
            help="A name (`misread list normalizers`), a YAML file with a list of steps or with name and steps, or the "
            "steps: names joined by commas or, with settings, a list as in a configuration: "
            "'[nfc, {step: fold_case, language: tr}]'."
        ),
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Print the text after every step.")] = False,
    lint: Annotated[
        bool,
        typer.Option(
            "--lint",
            help="Print words and letters by script before and after, and what may be a mistake (with status 1).",
        ),
    ] = False,
) -> None:
    r"""Normalize texts, line by line.

    For instance:

    \b
      misread normalize --normalizer turkish --text "Bu 42 sayısı önemlidir"
      misread normalize lines.txt --normalizer nfc,collapse_whitespace --trace
      misread normalize lines.txt --normalizer basic --lint
    """
    from misread.data.segment_table import TextPairs
    from misread.io.console import write_out
    from misread.normalize import lint as lint_texts

    if normalizer is None:
        raise ConfigurationError(
            f"{setting('normalizer')} is missing: a name, a file, or steps; `misread list normalizers` has the names."
        )
    if trace and lint:
        raise ConfigurationError(f"{setting('trace')} prints texts and {setting('lint')} findings; choose one.")
    chosen = make_normalizer(normalizer)
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
