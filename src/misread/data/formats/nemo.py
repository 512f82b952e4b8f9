"""Manifests of NeMo: a JSON object per line with an audio file, its duration and its text.

Source: NVIDIA NeMo documentation, "Speech data processing: manifest", and `transcribe_speech.py`, which adds pred_text.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.marked_text import location_of
from misread.data.formats.tables import has_object_lines
from misread.data.formats.timed_text import TimedText, read_name, read_seconds, require_times, take
from misread.data.formats.written_segments import show_seconds
from misread.errors import InputFileError
from misread.io.json_files import decode_lines
from misread.io.text import UTF_8, read_text

_NO_TEXT: Final = silent(
    "audio_filepath duration offset speaker lang language source_lang target_lang taskname pnc label id dataset "
    "rttm_filepath uem_filepath ctm_filepath"
)
_EXPECTED = "audio_filepath, text or pred_text, and if they are known duration and offset"


def read_nemo(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read the texts of a manifest; a segment is called by its audio file and, where it has one, its offset in it."""
    return _read_texts(path, _read_entries(path, encoding), "text")


def read_predictions(path: Path, references: Sequence[TimedText], *, encoding: str = UTF_8) -> list[TimedText]:
    """Read a system's manifest: pred_text if any line has it, where a line without it has no text, else text.

    Raises InputFileError if it has no pred_text and its texts are all those of the references: it is the references.
    """
    entries = _read_entries(path, encoding)
    if any("pred_text" in entry for _, entry in entries):
        return _read_texts(path, entries, "pred_text")
    predictions = _read_texts(path, entries, "text")
    said = {(segment.segment_id, segment.text) for segment in references}
    if predictions and said.issuperset((segment.segment_id, segment.text) for segment in predictions):
        raise InputFileError(
            f"{path}: no line has pred_text, and every text is that of the references; expected what a system "
            "recognised, as pred_text."
        )
    return predictions


def _read_entries(path: Path, encoding: str) -> list[tuple[str, dict[str, Any]]]:
    """Place and object of every line that is not blank."""
    entries = []
    for number, entry in decode_lines(read_text(path, encoding=encoding), path):
        location = location_of(path, number)
        take(entry, "audio_filepath", str, location, expected=_EXPECTED)
        entries.append((location, entry))
    return entries


def _read_texts(path: Path, entries: Sequence[tuple[str, dict[str, Any]]], key: str) -> list[TimedText]:
    segments = []
    for location, entry in entries:
        audio = entry["audio_filepath"]
        if key == "text" and key not in entry:
            raise InputFileError(f"{location}: no text, expected {_EXPECTED}.")
        text = None if entry.get(key) is None else take(entry, key, str, location, expected=_EXPECTED)
        start = end = None
        name = audio
        if entry.get("offset") is not None:
            start = read_seconds(entry["offset"], "offset", location)
            # An offset of 0, which is where a recording begins, need not be written.
            name = f"{audio}@{show_seconds(start)}" if start else audio
        if entry.get("duration") is not None:
            end = (start or 0.0) + read_seconds(entry["duration"], "duration", location)
            require_times(start or 0.0, end, location)
            start = start or 0.0
        speaker = read_name(entry.get("speaker"), "speaker", location)
        segments.append(TimedText(text, location, name, audio, speaker, start, end))
    other = {"pred_text": "texts of a system"} if key == "text" else {"text": "texts of the references"}
    written = ([entry for _, entry in entries], (segment.text or "" for segment in segments))
    Account(NEMO.label, path).add_json(*written, {**_NO_TEXT, **other, key: ""})
    return segments


def is_nemo(content: Content) -> bool:
    """Whether lines are JSON objects and the first names an audio file."""
    return '"audio_filepath"' in content.first and has_object_lines(content)


NEMO = Format(
    name="nemo",
    label="a manifest of NeMo",
    kind="segments",
    paired_by="id",
    help="manifests of NeMo: `text` of the references, `pred_text` of the system; a line without it is a missing "
    "hypothesis, and `text` counts where no line has it; ids are audio files with offsets",
    recognise=is_nemo,
    read=read_nemo,
    read_hypotheses=read_predictions,
)
