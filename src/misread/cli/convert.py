"""`misread convert`: segments from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from misread.errors import ConfigurationError, setting


def convert(
    source: Annotated[Path | None, typer.Argument(help="File to read; of Kaldi the folder or its file text.")] = None,
    target: Annotated[Path | None, typer.Argument(help="File to write.")] = None,
    target_format: Annotated[
        str, typer.Option("--to", metavar="NAME", help="Format to write; see `misread list formats`.")
    ] = "",
    source_format: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="NAME",
            help="Format to read; see `misread list formats`. A table has columns id, text, recording, channel, "
            "speaker, begin, end; only text is needed. By default it is recognised by the content.",
        ),
    ] = "",
    recording: Annotated[str, typer.Option(help="Name of the recording, if the source has none.")] = "",
    encoding: Annotated[str, typer.Option(help="Encoding of a text file; a byte order mark overrides it.")] = "utf-8",
) -> None:
    r"""Write the segments of a file in another format.

    Warnings say what the other format cannot hold.

    For instance:

    \b
      misread convert talk.srt talk.stm --from srt --to stm --recording talk
      misread convert data/test/ test.jsonl --from kaldi --to jsonl
    """
    from misread.cli.options import use_own_module
    from misread.data import convert as convert_file
    from misread.data.conversion import guess_source_format
    from misread.data.formats.recognition import describe_recognised
    from misread.io.console import warn, write_out
    from misread.io.names import bare_name

    if source is None or target is None or not target_format:
        raise ConfigurationError(
            f"give SOURCE, TARGET and {setting('target_format', 'NAME')}; `misread list formats` prints the formats."
        )
    for name in (source_format, target_format):
        use_own_module(bare_name(name))
    read_as = source_format or guess_source_format(source)
    if not source_format:
        warn(describe_recognised(source, read_as))
    for note in convert_file(source, target, read_as, target_format, recording=recording, encoding=encoding):
        warn(note)
    write_out(f"wrote {target}")
