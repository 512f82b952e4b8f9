"""Segments from files and folders of plain text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from misread.datasets.base import digest_text
from misread.datasets.formats.paired_files import DEFAULT, FolderOptions, pair_folders
from misread.datasets.formats.plain_text import read_plain_text
from misread.errors import InputFileError, LengthMismatchError
from misread.files.text import UTF_8, join_lines, split_lines
from misread.records import SegmentTable


def read_files(
    reference: Path, hypotheses: Mapping[str, Path], *, by_line: bool, verbatim: bool = False, encoding: str = UTF_8
) -> SegmentTable:
    """Read text files whose lines, or whole texts, are paired; `hypotheses` are files by system.

    With `by_line` segment ids are line numbers from 1; a blank line is an empty text, and the newline at the end does
    not start another line. Otherwise each file is one segment, whose lines are joined by line feeds. `verbatim` accepts
    files that look like a format other than plain text. Raises LengthMismatchError if files differ in number of lines.
    """
    text = read_plain_text(reference, verbatim=verbatim, encoding=encoding)
    if not text:
        raise InputFileError(f"{reference} is empty, expected references.")
    references = _cut(text, by_line)
    found = {}
    for system, path in hypotheses.items():
        found[system] = _cut(read_plain_text(path, verbatim=verbatim, encoding=encoding), by_line)
        if len(found[system]) != len(references):
            raise LengthMismatchError(
                f"{reference} has {len(references)} lines and {path} ({system}) has {len(found[system])}: they are "
                "paired line by line, so both need the same number (an empty line for an empty text). --missing is "
                "for texts with names: tables with null, TRN files, and folders."
            )
    return SegmentTable(
        name=reference.stem,
        digest=digest_text(text),
        segment_id=[str(line) for line in range(1, len(references) + 1)] if by_line else [reference.name],
        references=references,
        hypotheses=found,
    )


def read_folders(
    reference: Path,
    hypotheses: Mapping[str, Path],
    options: FolderOptions = DEFAULT,
    *,
    verbatim: bool = False,
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read folders of texts, paired by path or stem; a file is a segment, and a missing one a missing hypothesis."""

    def read(path: Path) -> str:
        return join_lines(read_plain_text(path, verbatim=verbatim, encoding=encoding))

    pairs = pair_folders(reference, hypotheses, options)
    references = [read(path) for path in pairs.references]
    return pairs.describe(
        SegmentTable(
            name=reference.resolve().name,
            digest=digest_text("\x1e".join(references)),
            segment_id=pairs.segment_id,
            references=references,
            hypotheses={
                system: [None if path is None else read(path) for path in paths]
                for system, paths in pairs.hypotheses.items()
            },
        )
    )


def _cut(text: str, by_line: bool) -> list[str]:
    return split_lines(text) if by_line else [join_lines(text)]
