"""Notes on transcripts: whole sentences on marks and times that may not mean what they look like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from misread.data.formats.marked_text import find_words_in_parentheses
from misread.text.alternatives import NO_WORD, Items

REFERENCES: Final = "References"


def note_marks(side: str, marked: Iterable[tuple[Items, str]], optional_words: bool) -> list[str]:
    """Notes on texts outside of braces that may not mean their characters; those without marks need not be given."""
    notes = []
    texts = list(marked)
    places = [place for items, place in texts for item in items if item == NO_WORD]
    if places:
        are = "is" if len(places) == 1 else "are"
        notes.append(f"{side}: {len(places):,} @ ({_first(places)}) {are} taken for no word, as for sclite.")
    places = [place for items, place in texts for _ in find_words_in_parentheses(items)]
    found = f"{side}: {_count(len(places), 'word')} in parentheses ({_first(places)})" if places else ""
    if found and optional_words:
        notes.append(f"{found} may be left out, which counts as correct.")
    elif found and side == REFERENCES:
        are = "is" if len(places) == 1 else "are"
        notes.append(f"{found} {are} compared as written: optional words, as for sclite -D, are off.")
    return notes


def note_overlaps(places: Sequence[str]) -> list[str]:
    """Note on the places of segments that `find_overlaps` found."""
    if not places:
        return []
    begin = "begins before one above ends" if len(places) == 1 else "begin before one above ends"
    return [
        f"{REFERENCES}: {_count(len(places), 'segment')} ({_first(places)}) {begin}; a word in both counts in the "
        "upper one, as for sclite."
    ]


def note_strays(system: str, places: Sequence[str]) -> list[str]:
    """Note on the places of words that `find_strays` found."""
    if not places:
        return []
    lie = "lies outside of all segments and counts" if len(places) == 1 else "lie outside of all segments and count"
    return [
        f"{system}: {_count(len(places), 'word')} ({_first(places)}) {lie} in the next one or the last, as for sclite."
    ]


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _first(places: Sequence[str]) -> str:
    """First place, by file name without the folder, so that results do not depend on where data lies."""
    return f"{'' if len(set(places)) == 1 else 'first '}{Path(places[0]).name}"
