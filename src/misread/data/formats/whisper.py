"""JSON of Whisper: a transcript in segments with times.

Source: openai/whisper, `whisper.transcribe`, whose --output_format json it is; faster-whisper and WhisperX write the
same keys.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from misread.data.formats.base import Format
from misread.data.formats.timed_text import TimedText, entry_of, read_seconds, require_times, take
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text

if TYPE_CHECKING:
    from misread.data.formats.content import Content

_EXPECTED = "segments, each with start, end and text"


def read_whisper(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read the segments of a transcript, without the blank that most begin with."""
    content = decode_json(read_text(path, encoding=encoding), path)
    segments = []
    for number, segment in enumerate(take(content, "segments", list, str(path), expected=_EXPECTED), start=1):
        location = entry_of(path, number)
        text = take(segment, "text", str, location, expected="start, end and text")
        start, end = (read_seconds(segment.get(name), name, location) for name in ("start", "end"))
        require_times(start, end, location)
        speaker = segment.get("speaker")
        segments.append(
            TimedText(text.strip(), location, "", "", speaker if isinstance(speaker, str) else "", start, end)
        )
    return segments


def is_whisper(content: Content) -> bool:
    """Whether it is JSON with the keys of Whisper."""
    return {"segments", "text"} <= content.keys


WHISPER = Format(
    name="whisper",
    label="JSON of Whisper",
    kind="segments",
    paired_by="time",
    help="JSON of Whisper",
    recognise=is_whisper,
    read=read_whisper,
)
