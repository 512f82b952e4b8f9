"""Parts that writers of NIST's formats share: texts in its notation, and what its fields cannot hold."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from misread.data.formats.marked_text import BLANKS, COMMENT
from misread.data.formats.timed_text import TimedText
from misread.errors import InputFileError, setting
from misread.text.alternatives import Word, render_alternatives
from misread.text.words import split_words

FIELD: Final = re.compile(rf"(?!{COMMENT})[^{BLANKS}\n\r]+")
"""A name followed by others."""

_NO_CHANNEL: Final = "1"


def mark_up(segment: TimedText) -> str:
    """The text in NIST's notation, with one blank between words."""
    items = segment.items or tuple(map(Word, split_words(segment.text or "")))
    # A semicolon would begin a tag, here and in the files of NIST alone.
    return render_alternatives(items).replace(";", "\\;")


def in_order(segments: Sequence[TimedText]) -> list[TimedText]:
    """Segments by recording, channel and time."""
    return sorted(
        segments, key=lambda segment: (segment.document.casefold(), segment.channel.casefold(), segment.start or 0.0)
    )


def recording_of(segment: TimedText, form: str) -> tuple[str, str]:
    """Recording and channel of a segment, as names without blanks."""
    if not segment.document:
        raise InputFileError(
            f"{segment.location}: no recording, which {form} needs; name it with {setting('recording')}."
        )
    channel = segment.channel or _NO_CHANNEL
    for name, value in (("recording", segment.document), ("channel", channel)):
        require_match(FIELD, value, name, segment, f"{form} has names without blanks")
    return segment.document, channel


def times_of(segment: TimedText, form: str) -> tuple[float, float]:
    """Begin and end of a segment, which must have both."""
    if segment.start is None or segment.end is None:
        raise InputFileError(f"{segment.location}: no times, which {form} needs.")
    return segment.start, segment.end


def show_seconds(value: float) -> str:
    """A time as a decimal number."""
    return np.format_float_positional(value, trim="-")


def require_match(pattern: re.Pattern[str], value: str, what: str, segment: TimedText, rule: str) -> None:
    """Refuse a value that a field of the format cannot hold; `rule` says why."""
    if not pattern.fullmatch(value):
        raise InputFileError(f"{segment.location}: {what} is {value!r}; {rule}.")
