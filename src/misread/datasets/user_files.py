"""Captures from files of references and hypotheses that a user names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from misread.datasets.base import require_distinct
from misread.datasets.formats.paired_files import pair_by_stem
from misread.datasets.formats.plain_text import read_plain_text
from misread.datasets.formats.tables import read_rows
from misread.datasets.text_capture import text_capture
from misread.errors import InputFileError, LengthMismatchError
from misread.files.text import join_lines, split_lines
from misread.records import Capture, SegmentKeys


def read_files(
    reference: Path, hypotheses: Mapping[str, Path], *, by_line: bool, verbatim: bool = False
) -> dict[str, Capture]:
    """Captures, by system, of text files whose lines, or whole texts, are paired.

    With `by_line` segment ids are line numbers from 1; a blank line is an empty text, and the newline at the end does
    not start another line. Otherwise each file is one segment, whose lines are joined by line feeds. `verbatim` accepts
    files that look like a format other than plain text. Raises LengthMismatchError if files differ in number of lines.
    """
    text = read_plain_text(reference, verbatim=verbatim)
    if not text:
        raise InputFileError(f"{reference} is empty, expected references.")
    references = _cut(text, by_line)
    ids = list(map(str, range(1, len(references) + 1))) if by_line else [reference.name]
    captures = {}
    for system, path in hypotheses.items():
        found = _cut(read_plain_text(path, verbatim=verbatim), by_line)
        if len(found) != len(references):
            raise LengthMismatchError(
                f"{reference} has {len(references)} lines and {path} ({system}) has {len(found)}: they are paired line "
                "by line, so both need the same number (an empty line for an empty text). --missing is for texts with "
                "names: tables with null, TRN files, and folders."
            )
        captures[system] = text_capture(reference.stem, text, system, SegmentKeys(ids, None, {}), references, found, "")
    return captures


def read_folders(reference: Path, hypotheses: Mapping[str, Path], *, verbatim: bool = False) -> dict[str, Capture]:
    """Captures of folders of texts, paired by stem, which is the segment id; a missing file is a missing hypothesis."""
    captures = {}
    for system, folder in hypotheses.items():
        pairs = pair_by_stem(reference, folder)
        references = [join_lines(read_plain_text(file, verbatim=verbatim)) for file, _ in pairs.values()]
        found = [
            None if file is None else join_lines(read_plain_text(file, verbatim=verbatim)) for _, file in pairs.values()
        ]
        keys = SegmentKeys(list(pairs), None, {})
        captures[system] = text_capture(reference.name, "\x1e".join(references), system, keys, references, found, "")
    return captures


def take_texts(reference: str, hypotheses: Mapping[str, str]) -> dict[str, Capture]:
    """Captures of the texts themselves, as one segment with the id 1."""
    keys = SegmentKeys(["1"], None, {})
    return {
        system: text_capture("text", reference, system, keys, [reference], [text], "")
        for system, text in hypotheses.items()
    }


def read_table(
    path: Path,
    reference: str,
    hypotheses: Mapping[str, str],
    *,
    segment_id: Sequence[str] = (),
    cluster: str = "",
    groups: Sequence[str] = (),
) -> dict[str, Capture]:
    """Captures of columns of a table; `hypotheses` maps systems to columns.

    A null is a missing hypothesis, unlike an empty text. Segment ids join the columns `segment_id`; without these, rows
    are numbered from 1.
    """
    rows = read_rows(path)
    references = rows.present_texts(reference)
    ids = rows.labels(segment_id) if segment_id else [str(row) for row in range(1, len(references) + 1)]
    require_distinct(ids, rows.places())
    keys = SegmentKeys(
        ids,
        rows.labels([cluster]) if cluster else None,
        {group: rows.labels([group]) for group in groups},
    )
    content = "\x1e".join(f"{key}\x1f{text}" for key, text in zip(ids, references, strict=True))
    return {
        system: text_capture(path.stem, content, system, keys, references, rows.texts(column), cluster)
        for system, column in hypotheses.items()
    }


def _cut(text: str, by_line: bool) -> list[str]:
    return split_lines(text) if by_line else [join_lines(text)]
