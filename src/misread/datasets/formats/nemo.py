"""Manifests of NeMo: a JSON object per line with an audio file, its duration and its text.

Source: NVIDIA NeMo documentation, "Speech data processing: manifest", and `transcribe_speech.py`, which adds pred_text.
"""

from __future__ import annotations

from pathlib import Path

from misread.datasets.formats.marked_text import place_of
from misread.datasets.formats.timed_text import TimedText, read_seconds, require_times, take
from misread.errors import InputFileError
from misread.files.json_files import decode_json
from misread.files.text import UTF_8, read_text, split_lines

_EXPECTED = "audio_filepath, text or pred_text, and if they are known duration and offset"


def read_nemo(path: Path, *, encoding: str = UTF_8, predicted: bool = False) -> list[TimedText]:
    """Read a manifest; segments are called by their audio file, and by their offset in it where they have one.

    With `predicted`, texts are those of pred_text where the manifest has it, else those of text.
    """
    found = []
    for number, line in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        if not line.strip():
            continue
        place = place_of(path, number)
        entry = decode_json(line, path, line=number)
        audio = take(entry, "audio_filepath", str, place, expected=_EXPECTED)
        key = "pred_text" if predicted and "pred_text" in entry else "text"
        if key not in entry:
            raise InputFileError(f"{place}: no text, expected {_EXPECTED}.")
        text = entry[key] if entry[key] is None else take(entry, key, str, place, expected=_EXPECTED)
        begin = end = None
        name = audio
        if entry.get("offset") is not None:
            begin = read_seconds(entry["offset"], "offset", place)
            name = f"{audio}@{entry['offset']}"
        if entry.get("duration") is not None:
            end = (begin or 0.0) + read_seconds(entry["duration"], "duration", place)
            require_times(begin or 0.0, end, place)
            begin = begin or 0.0
        speaker = entry.get("speaker")
        found.append(TimedText(text, place, name, audio, speaker if isinstance(speaker, str) else "", begin, end))
    return found
