"""Rolling captions: a cue repeats text of the one before, by design, as live captions and word-by-word cues do.

So are YouTube's automatic captions as yt-dlp saves them, roll-up captions of television, and cues of openai-whisper
that highlight each word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

from misread.data.formats.base import Format
from misread.data.formats.timed_text import TimedText
from misread.data.segment_table import Doubt
from misread.text.words import split_words

Repeats = Literal["keep", "drop"]

_TOUCHING: Final = 0.1
"""Seconds that may lie between the cues."""

_FEWEST_CUES: Final = 2
_SMALLEST_SHARE: Final = 0.2


@dataclass(frozen=True, kw_only=True)
class CaptionSettings:
    """Settings of subtitles: whether text that a cue repeats of the one before is kept or dropped."""

    repeats: Repeats = "keep"


def take_once(cues: Sequence[TimedText]) -> list[TimedText]:
    """Cues without the text that is shown already; those that show nothing else are left out."""
    once = []
    for cue, repeated in zip(cues, _repeated_words(cues), strict=True):
        words = split_words(cue.text or "")
        if not repeated:
            once.append(cue)
        elif repeated < len(words):
            once.append(cue._replace(text=" ".join(words[repeated:])))
    return once


def describe_repeats(path: Path, form: Format, cues: Sequence[TimedText]) -> list[Doubt]:
    """How much of captions that roll repeats the cue before, where the format could leave it out."""
    if form.values.get("repeats") != "keep":
        return []
    repeated = _repeated_words(cues)
    cues_with, words = sum(map(bool, repeated)), sum(len(split_words(cue.text or "")) for cue in cues)
    if cues_with < _FEWEST_CUES or sum(repeated) < _SMALLEST_SHARE * words:
        return []
    sentence = (
        f"{path.name}: {sum(repeated):,} of {words:,} words repeat the cue before, in {cues_with:,} of {len(cues):,} "
        f"cues, as in rolling captions; the format {form.given(repeats='drop')} takes them once."
    )
    return [Doubt(sentence=sentence, brief=sentence)]


def _repeated_words(cues: Sequence[TimedText]) -> list[int]:
    """Words at the beginning of each cue that the cue before, if the two touch, has as well.

    They are the last whole lines of that cue, or all its words where the first line goes on.
    """
    return [0, *(_count_repeated(before, cue) for before, cue in pairwise(cues))][: len(cues)]


def _count_repeated(before: TimedText, cue: TimedText) -> int:
    is_next = before.end is not None and cue.start is not None and cue.start <= before.end + _TOUCHING
    if not is_next or before.speaker != cue.speaker:
        return 0
    shown, lines = ([split_words(line) for line in (text or "").split("\n")] for text in (before.text, cue.text))
    words = [word for line in lines for word in line]
    for first in range(len(shown)):
        lasting = [word for line in shown[first:] for word in line]
        if lasting and words[: len(lasting)] == lasting:
            return len(lasting)
    return 0
