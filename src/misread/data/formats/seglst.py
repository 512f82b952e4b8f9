"""SegLST: a JSON array of segments, each with session, speaker, words and times.

Source: CHiME-7 and CHiME-8 challenges, DASR task, "SegLST"; meeteval reads and writes it.
"""

from pathlib import Path
from typing import Final

from misread.data.formats.account import Account, silent
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.timed_text import TimedText, entry_of, read_name, read_seconds, require_times, take
from misread.errors import InputFileError
from misread.io.json_files import decode_json
from misread.io.text import UTF_8, read_text

_NO_TEXT: Final = silent("words session_id speaker start_time end_time segment_index channel")
_EXPECTED = "session_id, words, and if they are known speaker, start_time and end_time"


def read_seglst(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read the segments; times are seconds, as numbers or as text."""
    entries = decode_json(read_text(path, encoding=encoding), path)
    if not isinstance(entries, list):
        raise InputFileError(f"{path}: expected a JSON array of objects with {_EXPECTED}.")
    segments = []
    for number, entry in enumerate(entries, start=1):
        location = entry_of(path, number)
        session = take(entry, "session_id", object, location, expected=_EXPECTED)
        document = read_name(session, "session_id", location)
        words = take(entry, "words", str, location, expected=_EXPECTED)
        speaker = read_name(entry.get("speaker"), "speaker", location)
        start = end = None
        if entry.get("start_time") is not None or entry.get("end_time") is not None:
            start, end = (read_seconds(entry.get(name), name, location) for name in ("start_time", "end_time"))
            require_times(start, end, location)
        segments.append(TimedText(words, location, "", document, speaker, start, end))
    Account(SEGLST.label, path).add_json(entries, (segment.text or "" for segment in segments), _NO_TEXT)
    return segments


def is_seglst(content: Content) -> bool:
    """Whether it is JSON with the keys of SegLST."""
    return {"session_id", "words"} <= content.keys


SEGLST = Format(
    name="seglst",
    label="SegLST",
    kind="segments",
    paired_by="time",
    help="SegLST: JSON of segments with recordings, speakers and times",
    has_turns=True,
    recognise=is_seglst,
    read=read_seglst,
)
