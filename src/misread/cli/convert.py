"""`misread convert`: segments from one format to another, and the list of formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from misread.errors import ConfigurationError, setting


def convert(
    source: Annotated[Path | None, typer.Argument(help="File to read; of Kaldi the folder or its file text.")] = None,
    target: Annotated[Path | None, typer.Argument(help="File to write.")] = None,
    target_format: Annotated[str, typer.Option("--to", metavar="NAME", help="Format to write; --list has them.")] = "",
    source_format: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="NAME",
            help="Format to read; --list has them. A table has columns id, text, recording, channel, speaker, begin, "
            "end, of which only text is needed. By default what the content says beyond doubt.",
        ),
    ] = "",
    recording: Annotated[str, typer.Option(help="Name of the recording, where the source does not say it.")] = "",
    encoding: Annotated[str, typer.Option(help="Encoding of a text file; a byte order mark overrides it.")] = "utf-8",
    list_formats: Annotated[
        bool,
        typer.Option("--list", help="Print all formats: what each is, and what its segments are paired by."),
    ] = False,
) -> None:
    r"""Write the segments of a file in another format.

    What the other format cannot hold is said in warnings.

    For instance:

    \b
      misread convert talk.srt talk.stm --from srt --to stm --recording talk
      misread convert data/test/ test.jsonl --from kaldi --to jsonl
    """
    from misread.cli.options import use_own_module
    from misread.data import convert as convert_file
    from misread.data.conversion import guess_source_format
    from misread.io.console import warn, write_out

    if list_formats:
        write_out("\n".join(format_lines()))
        return
    if source is None or target is None or not target_format:
        raise ConfigurationError(
            f"give SOURCE, TARGET and {setting('target_format', 'NAME')}; {setting('list_formats')} prints the formats."
        )
    for name in (source_format, target_format):
        use_own_module(name)
    read_as = source_format or guess_source_format(source)
    if not source_format:
        warn(f"{source} is read as {read_as}, as its content says.")
    for note in convert_file(source, target, read_as, target_format, recording=recording, encoding=encoding):
        warn(note)
    write_out(f"wrote {target}")


def format_lines() -> Iterator[str]:
    """Every format with what segments are paired by, whether it is converted, and what it is; tables come last."""
    from misread.data.formats import FORMATS, TABLES

    width = max(map(len, (*FORMATS, *TABLES)))
    yield f"{'format':{width}}  paired by  convert  what it is"
    for form in FORMATS.values():
        ways = " ".join([*(["from"] if form.has_segments else []), *(["to"] if form.write else [])])
        yield f"{form.name:{width}}  {form.paired_by:9}  {ways:7}  {form.help}"
    for form in TABLES.values():
        yield f"{form.name:{width}}  {'--table':9}  {'from to' if form.write else 'from':7}  {form.help} (--from table)"
