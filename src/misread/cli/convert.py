"""`misread convert`: segments from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

if TYPE_CHECKING:
    from misread.data.conversion import SourceFormat, TargetFormat


def convert(
    source: Annotated[Path, typer.Argument(help="File to read; of Kaldi the folder or its file text.")],
    target: Annotated[Path, typer.Argument(help="File to write.")],
    target_format: Annotated[str, typer.Option("--to", help="jsonl, trn, stm or ctm.")],
    source_format: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="lines, trn, stm, ctm, kaldi, nemo, docvqa, seglst, webvtt, srt, textgrid, whisper, or table (.csv, "
            ".tsv, .jsonl, .parquet, a saved data set; columns id, text, recording, channel, speaker, begin, end); by "
            "default what the content says beyond doubt.",
        ),
    ] = None,
    recording: Annotated[str, typer.Option(help="Name of the recording, where the source does not say it.")] = "",
    encoding: Annotated[str, typer.Option(help="Encoding of a text file; a byte order mark overrides it.")] = "utf-8",
) -> None:
    r"""Write the segments of a file in another format, and say what that cannot hold.

    For instance:

    \b
      misread convert talk.srt talk.stm --from srt --to stm --recording talk
      misread convert data/test/ test.jsonl --from kaldi --to jsonl
    """
    from misread.data import convert as convert_file
    from misread.data.conversion import guess_source_format
    from misread.io.console import warn, write_out

    read_as = cast("SourceFormat", source_format) if source_format else guess_source_format(source)
    if not source_format:
        warn(f"{source} is read as {read_as}, as its content says.")
    to = cast("TargetFormat", target_format)
    for note in convert_file(source, target, read_as, to, recording=recording, encoding=encoding):
        warn(note)
    write_out(f"wrote {target}")
