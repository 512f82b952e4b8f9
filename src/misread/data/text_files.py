"""Segments from the lines of text files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from misread.data.base import digest_text
from misread.data.formats.plain_text import read_plain_text
from misread.data.segment_table import SegmentTable
from misread.errors import InputFileError, LengthMismatchError
from misread.io.text import UTF_8, split_lines


def read_files(
    reference: Path, hypotheses: Mapping[str, Path], *, verbatim: bool = False, encoding: str = UTF_8
) -> SegmentTable:
    """Read text files whose lines are paired; `hypotheses` are files by system.

    Segment ids are line numbers from 1; a blank line is an empty text, and the newline at the end does not start
    another line. `verbatim` accepts files that look like a format other than plain text. Raises LengthMismatchError if
    files differ in number of lines.
    """
    text = read_plain_text(reference, verbatim=verbatim, encoding=encoding)
    if not text:
        raise InputFileError(f"{reference} is empty, expected references.")
    references = split_lines(text)
    found = {}
    for system, path in hypotheses.items():
        found[system] = split_lines(read_plain_text(path, verbatim=verbatim, encoding=encoding))
        if len(found[system]) != len(references):
            counted = "1 line" if len(references) == 1 else f"{len(references):,} lines"
            raise LengthMismatchError(
                f"{reference} has {counted} and {path} ({system}) has {len(found[system]):,}: they are "
                "paired line by line, so both need the same number (an empty line for an empty text). --missing is "
                "for texts with names: tables with null, TRN files, and folders."
            )
    return SegmentTable(
        name=reference.stem,
        digest=digest_text(text),
        segment_id=[str(line) for line in range(1, len(references) + 1)],
        references=references,
        hypotheses=found,
    )
