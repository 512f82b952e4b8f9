"""Kaldi data directories: `text` with an id before every transcript, and `utt2spk` and `segments` beside it.

Source: Kaldi documentation, "Data preparation".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from misread.datasets.formats.marked_text import place_of, read_time
from misread.datasets.formats.timed_text import TimedText, require_times
from misread.errors import InputFileError
from misread.files.text import UTF_8, read_text, split_lines
from misread.text.words import join_words


def read_kaldi(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read a file of lines `ID TEXT`, or the file `text` of a folder; a line with an id alone is an empty text.

    `utt2spk` (`ID SPEAKER`) and `segments` (`ID RECORDING BEGIN END`) beside it must have every id, if they are there.
    """
    file = path / "text" if path.is_dir() else path
    found: list[TimedText] = []
    rows: dict[str, int] = {}
    name = str(file)
    for number, content in enumerate(split_lines(read_text(file, encoding=encoding)), start=1):
        line = content.replace("\t", " ") if "\t" in content else content
        segment_id, _, text = line.strip(" ").partition(" ")
        if not segment_id:
            continue
        place = f"{name}, line {number}"
        row = rows.setdefault(segment_id, len(found))
        if row < len(found):
            raise InputFileError(f"{place}: id {segment_id!r} was taken by {found[row].place} already.")
        found.append(TimedText(join_words(text), place, segment_id))
    speakers = _read_beside(file, "utt2spk", 2, "ID SPEAKER", rows, encoding)
    if speakers:
        found = [each._replace(speaker=speakers[each.segment_id][1][0]) for each in found]
    spans = _read_beside(file, "segments", 4, "ID RECORDING BEGIN END", rows, encoding)
    if spans:
        found = [_place(each, *spans[each.segment_id], file.with_name("segments")) for each in found]
    return found


def _place(segment: TimedText, line: int, fields: list[str], path: Path) -> TimedText:
    recording, *times = fields
    begin, end = (read_time(each, name, path, line) for each, name in zip(times, ("begin", "end"), strict=True))
    require_times(begin, end, place_of(path, line))
    return segment._replace(document=recording, begin=begin, end=end)


def _read_beside(
    file: Path, name: str, fields: int, expected: str, texts: Mapping[str, object], encoding: str
) -> dict[str, tuple[int, list[str]]]:
    """Line and fields of a file beside the texts, by id; nothing where there is no such file."""
    path = file.with_name(name)
    if not path.is_file():
        return {}
    found: dict[str, tuple[int, list[str]]] = {}
    for number, content in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        values = content.replace("\t", " ").split(" ")
        values = [value for value in values if value]
        if not values:
            continue
        if len(values) != fields:
            raise InputFileError(f"{place_of(path, number)}: {len(values)} fields, expected {expected}.")
        if values[0] in found:
            raise InputFileError(f"{place_of(path, number)}: id {values[0]!r} occurs twice.")
        found[values[0]] = number, values[1:]
    lacking = next((key for key in texts if key not in found), None)
    if lacking is not None:
        raise InputFileError(f"{path} has no line for id {lacking!r}, which {file} has; add it or remove the file.")
    return found
