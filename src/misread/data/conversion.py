"""Segments from one format to another, with a word on everything that the other cannot hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, cast, get_args

from misread.data.formats.ctm import read_ctm
from misread.data.formats.plain_text import Recognised, recognise
from misread.data.formats.saved_dataset import is_saved_dataset
from misread.data.formats.tables import read_rows
from misread.data.formats.timed_text import TimedText, require_times
from misread.data.formats.written_segments import WRITERS
from misread.data.segment_files import READERS, SegmentFormat, name_segments
from misread.errors import ConfigurationError, InputFileError
from misread.io.checks.choices import check_choice
from misread.io.json_files import write_text
from misread.io.text import UTF_8, read_start
from misread.text.alternatives import list_words
from misread.text.words import join_words

SourceFormat = Literal[SegmentFormat, "ctm", "table"]
"""Formats that are converted; a table is CSV, TSV, JSON Lines, Parquet or a saved data set."""

TargetFormat = Literal["jsonl", "trn", "stm", "ctm"]
"""Formats that are written."""

_ENDINGS: Final[Mapping[str, SourceFormat]] = {".parquet": "table", ".textgrid": "textgrid"}

COLUMNS: Final = ("id", "text", "recording", "channel", "speaker", "begin", "end", "labels")
"""Columns of a table of segments."""

_FIELDS: Final[Mapping[str, str]] = {
    "ids": "segment_id",
    "recordings": "document",
    "channels": "channel",
    "speakers": "speaker",
    "times": "begin",
    "labels": "labels",
    "alternatives": "items",
    "marks of segments to be ignored": "ignored",
}
# What each format has a place for; a text has one everywhere.
_HOLDS: Final[Mapping[TargetFormat, frozenset[str]]] = {
    "jsonl": frozenset({"ids", "recordings", "channels", "speakers", "times", "labels"}),
    "trn": frozenset({"ids", "alternatives"}),
    "stm": frozenset({"recordings", "channels", "speakers", "times", "labels", "alternatives"})
    | {"marks of segments to be ignored"},
    "ctm": frozenset({"recordings", "channels", "alternatives"}),
}


def convert(
    source: Path,
    target: Path,
    source_format: SourceFormat,
    target_format: TargetFormat,
    *,
    recording: str = "",
    encoding: str = UTF_8,
) -> list[str]:
    """Write the segments of a file in another format.

    Parameters
    ----------
    source, target : Path
        Files; the source may be a folder of Kaldi.
    source_format : str
        A format of segments, "ctm" (every word a segment), or "table" with the columns that `convert` writes, of which
        only text is needed.
    target_format : {"jsonl", "trn", "stm", "ctm"}
        What is written.
    recording : str, optional
        Name of the recording where the source does not say it.
    encoding : str
        Of a source of text.

    Returns
    -------
    list of str
        Whole sentences on what the target cannot hold and so is lost.

    Raises
    ------
    UnknownNameError
        If there is no such format.
    InputFileError
        If the source is broken, or the target needs what the source has not; names file and line.
    ConfigurationError
        If the source would be overwritten.
    """
    check_choice("format to convert from", source_format, (*get_args(SegmentFormat), "ctm", "table"))
    check_choice("format to convert to", target_format, TargetFormat)
    if target.exists() and source.exists() and target.samefile(source):
        raise ConfigurationError(f"{target} is the source itself; name another file to write.")
    segments = _read(source, source_format, encoding)
    if not segments:
        raise InputFileError(f"{source} has no segment to convert.")
    if recording:
        segments = [each if each.document else each._replace(document=recording) for each in segments]
    notes = _list_losses(segments, target_format)
    kept = segments if target_format == "stm" else [each for each in segments if not each.ignored]
    if target_format != "jsonl":
        kept = [each for each in kept if each.text is not None]
    if not kept:
        raise InputFileError(f"{source} has no segment to convert: all are without a text, or marked to be ignored.")
    ids = name_segments(kept)
    write = _list_rows if target_format == "jsonl" else WRITERS[target_format]
    write_text(target, write(kept, ids))
    return notes


def guess_source_format(path: Path) -> SourceFormat:
    """The format of a file or folder that can be of no other, by its content.

    Raises InputFileError if there is no such file, and ConfigurationError, with the choices, if it may be of several
    formats or is of one that is not converted.
    """
    if not path.exists():
        raise InputFileError(f"there is no file {path}.")
    found = _guess_folder(path) if path.is_dir() else _guess_file(path)
    choices = (*get_args(SegmentFormat), "ctm", "table")
    if found.form not in choices:
        seems = f"is {found.label}, which has no segments to convert" if found.label else "may be of several formats"
        raise ConfigurationError(f"{path} {seems}; --from names a format: {', '.join(choices)}.")
    return cast("SourceFormat", found.form)


def _guess_folder(path: Path) -> Recognised:
    if is_saved_dataset(path):
        return Recognised("a saved data set", "table")
    if (path / "text").is_file():
        return Recognised("Kaldi's text", "kaldi")
    raise InputFileError(
        f"{path} is a folder, expected one of Kaldi, with a file text, or a data set that was saved to disk; or name a "
        "file."
    )


def _guess_file(path: Path) -> Recognised:
    """By the ending, which Parquet and TextGrid have always, else by the first lines."""
    ending = path.suffix.lower()
    if ending in _ENDINGS:
        return Recognised(ending, _ENDINGS[ending])
    start, is_whole = read_start(path)
    found = recognise(start if is_whole else start[: start.rfind("\n") + 1], ending)
    is_manifest = found.label == "JSON Lines" and '"audio_filepath"' in start.partition("\n")[0]
    return Recognised("a manifest of NeMo", "nemo") if is_manifest else found


def _read(path: Path, form: SourceFormat, encoding: str) -> list[TimedText]:
    if form == "ctm":
        return _read_words(path, encoding)
    if form == "table":
        return _read_table(path, encoding)
    return list(READERS[form](path, encoding))


def _read_words(path: Path, encoding: str) -> list[TimedText]:
    found = []
    for (file, channel), words in read_ctm(path, encoding=encoding).items():
        for word in words:
            text = " ".join(list_words((word.item,)))
            items = () if text == getattr(word.item, "text", None) else (word.item,)
            found.append(TimedText(text, word.place, "", file, "", word.begin, word.end, channel, items=items))
    return found


def _read_table(path: Path, encoding: str) -> list[TimedText]:
    rows = read_rows(path, encoding=encoding)
    texts = rows.texts("text")
    of = {name: rows.texts(name) if name in rows.columns else [None] * len(rows) for name in COLUMNS[2:5]}
    ids = rows.ids(["id"]) if "id" in rows.columns else [""] * len(rows)
    begins, ends = (rows.seconds(name) if name in rows.columns else [None] * len(rows) for name in ("begin", "end"))
    for row, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        if begin is not None and end is not None:
            require_times(begin, end, rows.place(row))
    labels = rows.columns.get("labels", [None] * len(rows))
    return [
        TimedText(
            texts[row],
            rows.place(row),
            ids[row],
            of["recording"][row] or "",
            of["speaker"][row] or "",
            begins[row],
            ends[row],
            of["channel"][row] or "",
            tuple(labels[row].split(",") if isinstance(labels[row], str) else labels[row] or ()),
        )
        for row in range(len(rows))
    ]


def _list_rows(segments: Sequence[TimedText], ids: Sequence[str]) -> str:
    """One object of JSON per segment, with the columns that any segment has."""
    values = [
        (
            key,
            each.text,
            each.document or None,
            each.channel or None,
            each.speaker or None,
            each.begin,
            each.end,
            list(each.labels) or None,
        )
        for key, each in zip(ids, segments, strict=True)
    ]
    columns = dict(zip(COLUMNS, map(list, zip(*values, strict=True)), strict=True))
    used = {name: of for name, of in columns.items() if name in ("id", "text") or any(each is not None for each in of)}
    rows = (dict(zip(used, row, strict=True)) for row in zip(*used.values(), strict=True))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def _list_losses(segments: Sequence[TimedText], form: TargetFormat) -> list[str]:
    notes = []
    for what, name in _FIELDS.items():
        # A time of 0 is one.
        values = [getattr(each, name) for each in segments]
        having = sum(value is not False and value not in ("", None, ()) for value in values)
        if having and what not in _HOLDS[form]:
            taken = "; the first of each is written" if what == "alternatives" else ""
            taken = "; those are left out" if what.startswith("marks") else taken
            notes.append(f"{form} has no place for {what}, found in {having:,} of {_count(len(segments))}{taken}.")
    spaced = 0 if form == "jsonl" else sum(each.text != join_words(each.text) for each in segments if each.text)
    if spaced:
        notes.append(f"{form} has one blank between words: other white space becomes a blank in {_count(spaced)}.")
    missing = sum(each.text is None for each in segments)
    if missing and form != "jsonl":
        notes.append(f"{form} has no sign for a missing text: {_count(missing)} without one left out.")
    if form == "ctm":
        notes.append("ctm has words with times of their own: those of a segment share its time evenly.")
    if form == "stm" and not all(each.speaker for each in segments):
        notes.append("stm needs a speaker: where there is none, it is called unknown.")
    return notes


def _count(number: int) -> str:
    return f"{number:,} segment{'' if number == 1 else 's'}"
