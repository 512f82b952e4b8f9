"""Kaldi data directories: `text` with an id before every transcript, and `utt2spk` and `segments` next to it.

Source: Kaldi documentation, "Data preparation".
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from misread.data.base import require_distinct
from misread.data.formats.base import Format
from misread.data.formats.blank_fields import has_one_blank, has_other_space, join_columns, split_columns
from misread.data.formats.marked_text import location_of, read_time
from misread.data.formats.timed_text import TimedTexts, require_times
from misread.errors import InputFileError
from misread.io.stored_columns import release_memory
from misread.io.text import UTF_8, read_text, split_lines
from misread.text.arrow import ArrowTexts
from misread.text.words import join_words
from misread.types import IntArray


def read_kaldi(path: Path, *, encoding: str = UTF_8) -> TimedTexts:
    """Read a file of lines `ID TEXT`, or the file `text` of a folder; a line with an id alone is an empty text.

    `utt2spk` (`ID SPEAKER`) and `segments` (`ID RECORDING BEGIN END`) in its folder are optional, but need every id.
    """
    file = path / "text" if path.is_dir() else path
    lines, ids, texts = _read_columns(file, encoding)
    require_distinct(ids, (location_of(file, line) for line in lines.tolist()))
    segments = TimedTexts(file, lines, texts, ids)
    if speakers := _read_beside(file, "utt2spk", 2, "ID SPEAKER", ids, encoding):
        segments = replace(segments, speaker=[speakers[key][1][0] for key in ids])
    if spans := _read_beside(file, "segments", 4, "ID RECORDING BEGIN END", ids, encoding):
        placed = [_read_span(*spans[key], file.with_name("segments")) for key in ids]
        starts, ends = (np.array([span[field] for span in placed], np.float64) for field in (1, 2))
        segments = replace(segments, document=[span[0] for span in placed], start=starts, end=ends)
    # Otherwise the process would keep the memory of reading while it scores.
    release_memory()
    return segments


def _read_columns(file: Path, encoding: str) -> tuple[IntArray, Sequence[str], Sequence[str]]:
    """Numbers of the lines that have an id, the ids, and the texts."""
    content = read_text(file, encoding=encoding)
    parts = list(split_columns(content, 1, comments=False))
    if not parts:
        return np.zeros(0, np.int64), [], []
    ids, rest = join_columns([[*part.columns, part.rest] for part in parts])
    is_joined = not has_other_space(content) and has_one_blank(rest)
    texts = ArrowTexts.of(rest) if is_joined else [join_words(text) for text in rest.to_pylist()]
    return np.concatenate([part.lines for part in parts]), ArrowTexts.of(ids), texts


def _read_span(line: int, fields: list[str], path: Path) -> tuple[str, float, float]:
    """Recording, begin and end of a segment."""
    recording, *times = fields
    start, end = (read_time(text, name, path, line) for text, name in zip(times, ("begin", "end"), strict=True))
    require_times(start, end, location_of(path, line))
    return recording, start, end


def _read_beside(
    file: Path, name: str, fields: int, expected: str, ids: Iterable[str], encoding: str
) -> dict[str, tuple[int, list[str]]]:
    """Line and fields of a file in the folder of the texts, by id; nothing where there is no such file."""
    path = file.with_name(name)
    if not path.is_file():
        return {}
    entries: dict[str, tuple[int, list[str]]] = {}
    for number, content in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        values = content.replace("\t", " ").split(" ")
        values = [value for value in values if value]
        if not values:
            continue
        if len(values) != fields:
            raise InputFileError(f"{location_of(path, number)}: {len(values)} fields, expected {expected}.")
        if values[0] in entries:
            raise InputFileError(f"{location_of(path, number)}: id {values[0]!r} occurs twice.")
        entries[values[0]] = number, values[1:]
    lacking = next((key for key in ids if key not in entries), None)
    if lacking is not None:
        raise InputFileError(f"{path} has no line for id {lacking!r}, which {file} has; add it or remove the file.")
    return entries


KALDI = Format(
    name="kaldi",
    label="Kaldi's text",
    kind="segments",
    paired_by="id",
    help="Kaldi's `text`, with `utt2spk` and `segments` of the same folder",
    read=read_kaldi,
)
