"""Notes on transcripts: whole sentences on marks and times that may not mean what they look like."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from misread.data.formats.marked_text import find_words_in_parentheses
from misread.text.alternatives import NO_WORD, Items
from misread.text.nouns import count_of

REFERENCES: Final = "References"


def note_marks(side: str, marked: Iterable[tuple[Items, str]], optional_words: bool) -> list[str]:
    """Notes on marks that may not be meant literally; texts without marks need not be given."""
    notes = []
    texts = list(marked)
    locations = [location for items, location in texts for item in items if item == NO_WORD]
    if locations:
        are = "is" if len(locations) == 1 else "are"
        notes.append(f"{side}: {len(locations):,} @ ({_first(locations)}) {are} taken for no word, as for sclite.")
    locations = [location for items, location in texts for _ in find_words_in_parentheses(items)]
    note = f"{side}: {count_of(len(locations), 'word')} in parentheses ({_first(locations)})" if locations else ""
    if note and optional_words:
        by_rule = "" if side == REFERENCES else " with alignment=sclite, and else count as words"
        notes.append(f"{note} may be left out, which counts as correct{by_rule}.")
    elif note and side == REFERENCES:
        are = "is" if len(locations) == 1 else "are"
        notes.append(f"{note} {are} compared as written: optional words, as for sclite -D, are off.")
    return notes


def note_overlaps(locations: Sequence[str]) -> list[str]:
    """Note on the places of segments that `find_overlaps` found."""
    if not locations:
        return []
    verb = "begins before one above ends" if len(locations) == 1 else "begin before one above ends"
    return [
        f"{REFERENCES}: {count_of(len(locations), 'segment')} ({_first(locations)}) {verb}; a word in both counts in "
        "the upper one, as for sclite."
    ]


def note_strays(system: str, locations: Sequence[str]) -> list[str]:
    """Note on the places of words that `find_strays` found."""
    if not locations:
        return []
    lie = "lies outside of all segments and counts" if len(locations) == 1 else "lie outside of all segments and count"
    return [
        f"{system}: {count_of(len(locations), 'word')} ({_first(locations)}) {lie} in the next one or the last, "
        "as for sclite."
    ]


def _first(locations: Sequence[str]) -> str:
    """First place, by file name without the folder, so that results do not depend on where data lies."""
    return f"{'' if len(set(locations)) == 1 else 'first '}{Path(locations[0]).name}"
