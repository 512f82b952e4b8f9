"""CTM files of NIST: words of recordings with their times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, overload

import numpy as np

from misread.data.formats.blank_fields import Fields, bytes_of, find_runs, read_numbers, split_columns
from misread.data.formats.marked_text import place_of, read_times
from misread.data.formats.stm import group_rows, require_order
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text
from misread.text.alternatives import NO_WORD, Choice, Item, Items, Word, read_word
from misread.text.arrow_numpy import to_arrow, to_flags
from misread.types import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    import pyarrow as pa

_FIELDS: Final = "FILE CHANNEL BEGIN DURATION WORD"
_CONFIDENCE: Final = r"^(|na|[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?)$"
_MARK_BYTES: Final = np.isin(np.arange(256), list(b"(@;\\"))


Confidences = list[list[float | None]]
"""Of the words of each alternative."""


class TimedItem(NamedTuple):
    """A word, or alternatives, with its time in seconds, and how sure the system was."""

    middle: float
    item: Item
    place: str
    begin: float
    end: float
    confidence: float | Confidences | None


@dataclass(frozen=True, slots=True)
class TimedWords(Sequence[TimedItem]):
    """Words of one channel, in order of time, as columns."""

    path: Path
    begins: FloatArray
    middles: FloatArray
    words: pa.Array
    lines: IntArray
    marked: Mapping[int, Item] = field(default_factory=dict)  # by row: what is not the word as it stands
    confidences: FloatArray | None = None  # NaN where a word has none; None where no word has one
    of_alternatives: Mapping[int, Confidences] = field(default_factory=dict)  # by row

    def __len__(self) -> int:
        return len(self.middles)

    @overload
    def __getitem__(self, index: int) -> TimedItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[TimedItem]: ...
    def __getitem__(self, index: int | slice) -> TimedItem | list[TimedItem]:
        if isinstance(index, slice):
            return [self[row] for row in range(len(self))[index]]
        item = self.marked.get(index) or Word(self.words[index].as_py())
        begin, middle = float(self.begins[index]), float(self.middles[index])
        known = self.of_alternatives.get(index, None if self.confidences is None else float(self.confidences[index]))
        confidence = None if known != known else known
        return TimedItem(middle, item, self.place(index), begin, round(2 * middle - begin, 6), confidence)

    def place(self, row: int) -> str:
        """File and line of a word, for messages."""
        return place_of(self.path, int(self.lines[row]))


def read_ctm(path: Path, *, optional_words: bool = False, encoding: str = UTF_8) -> dict[tuple[str, str], TimedWords]:
    """Read lines `FILE CHANNEL BEGIN DURATION WORD [CONFIDENCE ...]`, by file and channel.

    Words between <ALT_BEGIN>, <ALT> and <ALT_END>, whose times are stars, are alternatives; together they count as
    spoken at the latest middle of any of them. A word `@` stands for no word at all. With `optional_words`, words in
    parentheses may be omitted.
    """
    whole = _read_words(path, read_text(path, encoding=encoding))
    rows_of = group_rows(whole.runs)
    choices = _find_choices(path, whole)
    is_inside = np.zeros(len(whole.lines), np.bool_)
    for choice in choices:
        is_inside[choice.marks[0] : choice.marks[-1] + 1] = True
    require_order(path, whole.lines, whole.begins, {key: rows[~is_inside[rows]] for key, rows in rows_of.items()})
    marked = _read_marked(whole.words, optional_words=optional_words)
    spread: dict[int, Confidences] = {}
    for choice in choices:
        # It stands where it ends.
        whole.begins[choice.marks[-1]] = whole.begins[choice.marks[0] + 1]
        marked[choice.marks[-1]] = choice.read(whole.words, marked)
        spread[choice.marks[-1]] = choice.confidences(whole.confidences, marked)
        is_inside[choice.marks[-1]] = False
        whole.middles[choice.marks[-1]] = whole.middles[choice.marks[0] : choice.marks[-1]].max()
    found = {}
    for key, rows in rows_of.items():
        kept = rows[~is_inside[rows]] if choices else rows
        items = {place: marked[row] for place, row in enumerate(kept.tolist()) if row in marked} if marked else {}
        begins, middles, words, lines = whole.take(kept)
        sure = None if whole.confidences is None else whole.confidences[kept]
        sure = None if sure is None or np.isnan(sure).all() else sure
        of = {place: spread[row] for place, row in enumerate(kept.tolist()) if row in spread} if spread else {}
        found[key] = TimedWords(path, begins, middles, words, lines, items, sure, of)
    return found


class _Words(NamedTuple):
    """Rows of a file as columns; marks of alternatives have no times."""

    words: pa.Array
    begins: FloatArray
    middles: FloatArray
    is_mark: BoolArray
    lines: IntArray
    confidences: FloatArray | None
    runs: Sequence[tuple[tuple[str, ...], int, int]] = ()  # by file and channel

    def take(self, rows: IntArray) -> tuple[FloatArray, FloatArray, pa.Array, IntArray]:
        """Begins, middles, words and lines of some rows, which ascend; no copy of those that follow each other."""
        if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
            part = slice(int(rows[0]), int(rows[-1]) + 1)
            return self.begins[part], self.middles[part], self.words[part], self.lines[part]
        return self.begins[rows], self.middles[rows], self.words.take(to_arrow(rows)), self.lines[rows]


def _read_words(path: Path, content: str) -> _Words:
    """All rows of a file; its columns are made whole from the start, as small pieces would leave gaps in memory."""
    import pyarrow as pa

    most = content.count("\n") + 1
    begins, middles, sure = np.full((3, most), np.nan)
    lines, is_mark = np.zeros(most, np.int64), np.zeros(most, np.bool_)
    words: list[pa.Array] = [pa.nulls(0, pa.large_string())]
    runs: list[tuple[tuple[str, ...], int, int]] = []
    done = 0
    for fields in split_columns(content, 6):
        part, rows = _read_part(fields, path), slice(done, done + len(fields))
        begins[rows], middles[rows], lines[rows], is_mark[rows] = part.begins, part.middles, part.lines, part.is_mark
        if part.confidences is not None:
            sure[rows] = part.confidences
        words.append(part.words)
        runs += [(key, done + begin, done + end) for key, begin, end in part.runs]
        done += len(fields)
    known = None if np.isnan(sure[:done]).all() else sure[:done]
    return _Words(pa.concat_arrays(words), begins[:done], middles[:done], is_mark[:done], lines[:done], known, runs)


def _read_part(fields: Fields, path: Path) -> _Words:
    import pyarrow.compute as pc

    fields.require(5, path, _FIELDS)
    files, channels, *others, words, confidences = fields.columns
    is_mark = np.zeros(len(fields), np.bool_)
    if (bytes_of(words) == ord("<")).any():
        matches = pc.match_substring_regex(words, "^<alt(_begin|_end)?>$", ignore_case=True)
        is_mark = to_flags(matches)
    spoken = np.flatnonzero(~is_mark)
    if is_mark.any():
        *others, confidences = (column.take(to_arrow(spoken)) for column in (*others, confidences))
    begins, middles = np.zeros((2, len(fields)))
    columns = dict(zip(("begin", "duration"), others, strict=True))
    begins[spoken], durations = read_times(columns, path, fields.lines[spoken])
    middles[spoken] = begins[spoken] + durations / 2
    known = _read_confidences(path, fields.lines[spoken], confidences)
    sure = None
    if known is not None:
        sure = np.full(len(fields), np.nan)
        sure[spoken] = known
    return _Words(words, begins, middles, is_mark, fields.lines, sure, list(find_runs(files, channels)))


class _Choice(NamedTuple):
    """Rows of the marks of alternatives: the first and last open and close them, others separate them."""

    marks: list[int]

    def read(self, words: pa.Array, marked: Mapping[int, Item]) -> Choice:
        """The alternatives between the marks."""
        ways: list[Items] = []
        for before, behind in pairwise(self.marks):
            rows = range(before + 1, behind)
            way = tuple(marked.get(row) or Word(words[row].as_py()) for row in rows)
            ways.append(() if way == (NO_WORD,) else way)
        return Choice(tuple(ways))

    def confidences(self, of: FloatArray | None, marked: Mapping[int, Item]) -> Confidences:
        """Confidences of the words between the marks; an `@` is not a word."""
        spread: Confidences = []
        for before, behind in pairwise(self.marks):
            values = [np.nan if of is None else float(of[row]) for row in range(before + 1, behind)]
            rows = range(before + 1, behind)
            known = [value for row, value in zip(rows, values, strict=True) if marked.get(row) != NO_WORD]
            spread.append([None if value != value else value for value in known])
        return spread


def _find_choices(path: Path, whole: _Words) -> list[_Choice]:
    choices: list[_Choice] = []
    is_open = False
    for row in np.flatnonzero(whole.is_mark).tolist():
        mark, place = whole.words[row].as_py(), place_of(path, int(whole.lines[row]))
        if (mark.casefold() == "<alt_begin>") == is_open:
            raise InputFileError(f"{place}: {mark} where <ALT_BEGIN>, <ALT>, <ALT_END> follow each other.")
        if not is_open:
            choices.append(_Choice([]))
        choices[-1].marks.append(row)
        is_open = mark.casefold() != "<alt_end>"
        if not is_open and len(choices[-1].marks) < 3:
            raise InputFileError(f"{place}: <ALT_END> after one alternative, expected two or more, separated by <ALT>.")
    if is_open:
        raise InputFileError(
            f"{place_of(path, int(whole.lines[choices[-1].marks[0]]))}: <ALT_BEGIN> without <ALT_END>."
        )
    return choices


def _read_confidences(path: Path, lines: IntArray, confidences: pa.Array) -> FloatArray | None:
    """Confidences, NaN where there is none or NA; None where no word has one."""
    import pyarrow.compute as pc

    if not len(bytes_of(confidences)):
        return None
    if (numbers := read_numbers(confidences)) is not None:
        return numbers
    fits = to_flags(pc.match_substring_regex(confidences, _CONFIDENCE, ignore_case=True))
    if (wrong := np.flatnonzero(~fits)).size:
        row = int(wrong[0])
        raise InputFileError(
            f"{place_of(path, int(lines[row]))}: confidence is {confidences[row].as_py()!r}, expected a decimal number "
            "or NA."
        )
    texts = confidences.to_pylist()
    return np.array([np.nan if text.casefold() in ("", "na") else float(text) for text in texts], np.float64)


def _read_marked(words: pa.Array, *, optional_words: bool) -> dict[int, Item]:
    """Words with characters that may be marks, by row."""
    import pyarrow.compute as pc

    if not _MARK_BYTES[bytes_of(words)].any():
        return {}
    rows = np.flatnonzero(to_flags(pc.match_substring_regex(words, r"[(@;\\]"))).tolist()
    return {row: read_word(words[row].as_py(), optional_words=optional_words, tags=True) for row in rows}
