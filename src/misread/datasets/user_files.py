"""References and hypotheses from files that a user names, as captures."""

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
    """Read text files whose lines, or whole texts, belong together.

    Parameters
    ----------
    reference : Path
        UTF-8 text.
    hypotheses : mapping of system to Path
        UTF-8 texts.
    by_line : bool
        True pairs line with line: a blank line is an empty text, the newline at the end opens no further line.
        False takes each file as one segment, its lines parted by line feeds and none at its end.
    verbatim : bool
        Whether to take files as they stand even if they look like a format other than plain text.

    Returns
    -------
    dict of system to Capture
        Segment ids are line numbers from 1 on, or the name of the reference file.

    Raises
    ------
    InputFileError
        If a file is missing, not UTF-8 or not plain text, or the reference is empty.
    LengthMismatchError
        If files differ in number of lines; names both.
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
    """Read folders of text files, each file one segment; files of one stem belong together.

    Parameters
    ----------
    reference : Path
        Folder of UTF-8 texts.
    hypotheses : mapping of system to Path
        Folders of UTF-8 texts; a file that is not there is a missing hypothesis.
    verbatim : bool
        As in `read_files`.

    Returns
    -------
    dict of system to Capture
        Segment ids are the stems.

    Raises
    ------
    InputFileError
        If a hypothesis has no reference, or a file is not UTF-8 or not plain text.
    """
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
    """Take texts themselves as captures of one segment, whose id is 1.

    Parameters
    ----------
    reference : str
        What should have been read.
    hypotheses : mapping of system to str
        What was.

    Returns
    -------
    dict of system to Capture
    """
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
    """Read columns of a table.

    Parameters
    ----------
    path : Path
        A .csv, .tsv, .jsonl or .parquet file.
    reference : str
        Column of references.
    hypotheses : mapping of system to column
        A missing value (null) is a missing hypothesis; an empty text is an empty one.
    segment_id : sequence of str
        Columns of segment ids; without them rows are numbered from 1 on.
    cluster : str
        Column of clusters.
    groups : sequence of str
        Columns by which results are broken down.

    Returns
    -------
    dict of system to Capture

    Raises
    ------
    UnknownNameError
        If a column is not there; lists those there are.
    InputFileError
        If the table is missing, empty or broken, or an id is missing or occurs twice; names file and line.
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
