"""TRN files of NIST: a text with an id after it on every line."""

import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from misread.data.base import require_known_ids
from misread.data.formats.account import Account
from misread.data.formats.base import Format, MarkedSettings
from misread.data.formats.content import Content
from misread.data.formats.marked_text import (
    BLANKS,
    MarkedText,
    entries,
    in_one_notation,
    leave_out_unread,
    location_of,
    read_marked,
)
from misread.data.formats.timed_text import TimedText, TimedTexts, column_of
from misread.data.formats.written_segments import mark_up, require_match
from misread.data.segment_table import SegmentTable
from misread.data.transcript_notes import REFERENCES, note_marks
from misread.errors import InputFileError, setting
from misread.io.text import UTF_8, read_text
from misread.text.patterns import take_group

_ENDS_IN_ID: Final = re.compile(r"(?:.*\s)?\(([^\s()]+)\)\s*")
_ID: Final = re.compile(rf"[^(){BLANKS}\n\r]+")
# Letters and digits, parts, or a number with leading zeros; not a year, as in a list of books.
_UTTERANCE_ID: Final = re.compile(r"(?!\d{4}[a-z]?$)(?=.*\d)(?=.*[A-Za-z_-]|0\d).{3,}")
_UTTERANCE: Final = re.compile(rf"(.*)\(([^(){BLANKS}]+)\)")


def read_trn(path: Path, *, optional_words: bool = False, encoding: str = UTF_8) -> TimedTexts:
    """Read lines `TEXT (ID)`, with alternatives; blank lines and those that begin with ;; are skipped.

    Ids must be distinct without case. With `optional_words`, words in parentheses may be omitted.
    """
    ids: list[str] = []
    texts: list[MarkedText] = []
    lines = array("q")
    rows: dict[str, int] = {}
    content = read_text(path, encoding=encoding)
    leave_out_unread(Account(TRN.label, path), content)
    for line, entry in entries(content):
        match = _UTTERANCE.fullmatch(entry)
        if match is None:
            raise InputFileError(
                f"{location_of(path, line)}: expected `TEXT (ID)`, found no id in parentheses at the end."
            )
        text, utterance_id = match.groups()
        row = rows.setdefault(utterance_id.casefold(), len(ids))
        if row < len(ids):
            raise InputFileError(
                f"{location_of(path, line)}: id {utterance_id!r} was taken by {location_of(path, lines[row])} already."
            )
        ids.append(utterance_id)
        texts.append(read_marked(text, path, line, optional_words=optional_words))
        lines.append(line)
    return TimedTexts(path, np.array(lines, np.int64), texts, ids)


def has_utterances(content: Content) -> bool:
    """Whether every line ends in an id of its own, as in TRN."""
    if not _ENDS_IN_ID.fullmatch(content.first):
        return False
    ids = set()
    for line in content.entries:
        match = _ENDS_IN_ID.fullmatch(line)
        if match is None or not _UTTERANCE_ID.fullmatch(match[1]):
            return False
        ids.add(match[1])
    return len(ids) == len(content.entries) and len(ids) > 1


def read_trn_files(
    reference: Path,
    hypotheses: Mapping[str, Path],
    *,
    cluster: str = "",
    optional_words: bool = False,
    encoding: str = UTF_8,
) -> SegmentTable:
    """Read TRN files, of hypotheses by system; ids are matched without case, and spelt as in the references.

    An utterance without hypothesis is a missing one. `cluster` is a regular expression whose one group is the cluster
    in an id. With `optional_words`, a word in parentheses may be omitted; otherwise it is compared as written.
    """
    references = read_trn(reference, optional_words=optional_words, encoding=encoding)
    if not references:
        raise InputFileError(f"{reference} has no utterance, expected lines `TEXT (ID)`.")
    ids = column_of(references, "segment_id")
    clusters = _clusters(ids, cluster)
    known = _rows_by_id(references)
    texts: dict[str, Sequence[MarkedText | None]] = {}
    notes_on: dict[str, list[str]] = {}
    for system, path in hypotheses.items():
        read = read_trn(path, optional_words=optional_words, encoding=encoding)
        rows_by_id = _rows_by_id(read)
        require_known_ids(rows_by_id, known, ids, read, f"{reference} has no utterance")
        rows = [rows_by_id.get(key) for key in known]
        texts[system] = [None if row is None else read.text[row] for row in rows]
        notes_on[system] = [
            *([] if read else [f"{system}: {path.name} has no utterance."]),
            *note_marks(system, read.marked(), optional_words),
        ]
    table = in_one_notation(reference.stem, ids, references.text, texts)
    return replace(
        table,
        cluster=clusters,
        cluster_name="speaker" if clusters else "",
        facts=table.facts.with_notes(*note_marks(REFERENCES, references.marked(), optional_words)),
        notes_on_hypotheses=notes_on,
    )


def _rows_by_id(segments: TimedTexts) -> dict[str, int]:
    """Rows by id without case."""
    return {key.casefold(): row for row, key in enumerate(column_of(segments, "segment_id"))}


def _clusters(ids: Sequence[str], pattern: str) -> list[str] | None:
    if not pattern:
        return None
    # As everywhere in this format, case is not told apart.
    return [cluster.casefold() for cluster in take_group(pattern, ids, name=setting("cluster"), what="cluster")[1]]


def write_trn(segments: Sequence[TimedText], ids: Sequence[str]) -> str:
    """Lines `TEXT (ID)`; what would have a meaning of its own there is escaped."""
    seen: dict[str, str] = {}
    for segment, key in zip(segments, ids, strict=True):
        require_match(_ID, key, "id", segment, "TRN has ids without blanks and parentheses")
        if (folded := key.casefold()) in seen:
            raise InputFileError(
                f"{segment.location}: ids {seen[folded]!r} and {key!r} differ by case alone, which TRN ignores."
            )
        seen[folded] = key
    return "".join(f"{mark_up(segment)} ({key})\n".lstrip(" ") for segment, key in zip(segments, ids, strict=True))


TRN = Format(
    name="trn",
    label="TRN",
    kind="segments",
    paired_by="id",
    help="NIST's TRN: `TEXT (ID)` on every line, with alternatives; ids are told apart without case",
    endings=frozenset({".trn"}),
    settings=MarkedSettings(),
    takes=frozenset({"cluster"}),
    holds=frozenset({"ids", "alternatives"}),
    recognise=has_utterances,
    read=read_trn,
    pair=read_trn_files,
    write=write_trn,
)
