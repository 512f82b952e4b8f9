"""TSV of Whisper: begin and end of every segment in milliseconds, and its text.

Sources: `WriteTSV` of openai-whisper 20250625; stable-ts 2.19, which writes no header, and blank lines between rows.
"""

import re
from pathlib import Path
from typing import Final

from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.marked_text import location_of
from misread.data.formats.timed_text import TimedText, require_times
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text, split_lines

_HEADER: Final = "start\tend\ttext"
_ROW: Final = re.compile(r"(?P<start>[0-9]{1,12})\t(?P<end>[0-9]{1,12})\t(?P<text>.*)")


def read_whisper_tsv(path: Path, *, encoding: str = UTF_8) -> list[TimedText]:
    """Read the segments; raises InputFileError, with the line, where one is no row."""
    segments = []
    for number, line in enumerate(split_lines(read_text(path, encoding=encoding)), start=1):
        location = location_of(path, number)
        if not line or (number == 1 and line == _HEADER):
            continue
        row = _ROW.fullmatch(line)
        if row is None:
            raise InputFileError(f"{location}: expected start and end in milliseconds and a text, separated by tabs.")
        start, end = int(row["start"]) / 1000, int(row["end"]) / 1000
        require_times(start, end, location)
        segments.append(TimedText(row["text"], location, start=start, end=end))
    return segments


def is_whisper_tsv(content: Content) -> bool:
    """Whether rows, several if there is no header, are in order of times in whole milliseconds."""
    has_header = content.lines[:1] == [_HEADER]
    rows = list(map(_ROW.fullmatch, content.lines[has_header:]))
    times = [(int(row["start"]), int(row["end"])) for row in rows if row]
    return len(times) == len(rows) > 1 - has_header and times == sorted(times) and all(a <= b for a, b in times)


WHISPER_TSV = Format(
    name="whisper_tsv",
    label="TSV of Whisper",
    kind="segments",
    paired_by="time",
    help="TSV of Whisper and stable-ts, in milliseconds",
    recognise=is_whisper_tsv,
    read=read_whisper_tsv,
)
