"""Text that many outputs have at the same place and their references lack: openings, closings, labels, page headers."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import Final

import numpy as np

from misread.alignment import distances
from misread.errors import MisreadError
from misread.normalize.steps.chatter import BY_FUNCTION, remove_shared, removed_part

_FEWEST, _LEAST_SHARE = 3, 0.005  # outputs that share a text
_MOST_TEXTS: Final = 8
_MOST_CHARACTERS: Final = 2_000_000  # of longer outputs fewer are looked at
_MOST_RANKED, _MOST_TRIED = 50, 12  # candidates of a position, and those that are measured
_SAMPLE, _FIRST = 200, 20  # outputs of each
_INSERTED: Final = 0.8  # part of a text's characters that are errors, so that the alignment inserts it
_ALMOST_ALL, _HALF = 0.9, 0.5  # outputs in which it is inserted, with the rest of its line and without
_HEAD: Final = 100
_LONGEST: Final = 20_000
_WIDTH: Final = 8
_KEY: Final = 4

_DIGITS: Final = re.compile(r"\d+")
# Brackets, ids and numbers that a mark separates, numbers and bullets of lines, times, and marks in a row other than
# those that end a sentence.
_BEFORE_MARK: Final = r"[\w./-]*0[\w./-]*[,;|=\t]"
_IN_ROW: Final = r"([^\w\s.,;:!?…'\"()])\1+"
_LEADING: Final = re.compile(
    rf"(?:(?:[\[({{][^\[\](){{}}\n]{{1,60}}[\])}}]|{_IN_ROW}|[-–—•·▪●◦*|♪>](?=\s)"
    rf"|0[0:.,/-]*[.)\]:|]?(?=\s|\Z)|{_BEFORE_MARK}|0:(?=[^\W\d])|(?=[\w./-]*[^\W\d])[\w./-]*0(?=\s))[^\S\n]*)+"
)
_TRAILING: Final = re.compile(
    rf"(?:{_IN_ROW}|[|♪](?=\s)|[\])}}][^\[\](){{}}\n]{{1,60}}[\[({{](?=\s|\Z)|0(?=\s)|{_BEFORE_MARK})+"
)
_LABEL: Final = re.compile(r"[^\W\d_][\w.'’ -]{0,30}[:：](?=\s)[^\S\n]*")
_NOT_ORDINARY: Final = re.compile(r"\A\W|[^\w .,;!?'’-]|[\d_]|[^\w.,]\Z")
_OPEN_MARKS: Final = re.compile(r"(?<=[\s:：])[\"“”„«»‘’‚「」『』`*_]+\Z")

_RULES: Final[Mapping[str, Sequence[str]]] = {
    "begin with": (r"\A\s*TEXT[^\n]*\s*", r"\A\s*TEXT[^\n:：]*[:：][*_]*\s+", r"\A\s*TEXT\s*"),
    "have lines that begin with": (
        r"\A(?:[^\n]*\n)*?[^\S\n]*TEXT[^\n]*\s*",
        r"\s*^[^\S\n]*TEXT[\s\S]*\Z",
        r"^[^\S\n]*TEXT[^\n]*(?:\n|\Z)",
        r"^[^\S\n]*TEXT[^\S\n]*(?:\n|\Z)",
        r"^[^\S\n]*TEXT[^\S\n]*",
    ),
    "have lines that end with": (r"[^\S\n]*TEXT[^\S\n]*$",),
    "end with": (r"\s*TEXT\s*\Z",),
}
"""Places, and rules that take text off there, the longest first: with other lines, its line, or alone."""


@dataclass(frozen=True, slots=True)
class SharedText:
    """A text that outputs share, how many, and what takes it off: a regular expression, or the name of a function."""

    position: str
    rule: str
    example: str
    outputs: int


def find_shared(
    references: Sequence[str], outputs: Sequence[str | None], normalize: Callable[[Sequence[str]], Iterable[str]]
) -> list[SharedText]:
    """Texts that outputs share at one place, the most characters first.

    A text counts where the alignment of the normalized texts inserts it: without it there are fewer errors, by nearly
    as many as it has characters. Text in place of words of the reference is no such text.
    """
    pairs = [(reference, text) for reference, text in zip(references, outputs, strict=True) if text]
    pairs = pairs[:: 1 + sum(len(text) for _, text in pairs) // _MOST_CHARACTERS]
    fewest = max(_FEWEST, round(_LEAST_SHARE * len(pairs)))
    texts = [text for _, text in pairs]
    parts = [_look_at(text) for text in texts]
    shared: list[SharedText] = []
    while len(shared) < _MOST_TEXTS:
        ranked = sorted(_candidates(parts, fewest), key=lambda candidate: candidate.rank)
        likely = (
            candidate
            for candidate in ranked
            if 2 * len(_find_lacking(pairs, candidate.rows[:_FIRST], candidate.rules[-1]))
            >= len(candidate.rows[:_FIRST])
        )
        measured = (_measure(candidate, pairs, texts, fewest, normalize) for candidate in islice(likely, _MOST_TRIED))
        best = next(filter(None, measured), None)
        if best is None or best in shared:
            break
        shared.append(best)
        for row, text in enumerate(texts):
            if (left := remove_shared(text, rules=(best.rule,))) != text:
                texts[row], parts[row] = left, _look_at(left)
    return shared


_Part = tuple[str, str, str, int]
"""A position, the first characters from there, and a mark, label or function with the characters that it takes."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A text at a place, the rules that take it off, the longest first, the rows that have it, and its characters."""

    position: str
    rules: Sequence[str]
    rows: Sequence[int]
    characters: int

    @property
    def rank(self) -> tuple[bool, int]:
        """The most characters first; what ends lines, after whole lines."""
        return self.position == "have lines that end with", -self.characters


def _find_lacking(pairs: Sequence[tuple[str, str]], rows: Sequence[int], rule: str) -> list[int]:
    """Rows whose references have nothing that a rule takes off."""
    return [row for row in rows if remove_shared(pairs[row][0], rules=(rule,)) == pairs[row][0]]


def _measure(
    candidate: _Candidate,
    pairs: Sequence[tuple[str, str]],
    texts: Sequence[str],
    fewest: int,
    normalize: Callable[[Sequence[str]], Iterable[str]],
) -> SharedText | None:
    """The text of a candidate, if enough of its rows have it where their references do not, and it is inserted."""
    rows = candidate.rows
    sample = [rows[index] for index in np.unique(np.linspace(0, len(rows) - 1, _SAMPLE).astype(int)).tolist()]
    for rule in candidate.rules:
        lacking = [row for row in _find_lacking(pairs, sample, rule) if len(texts[row]) <= _LONGEST]
        enough = _ALMOST_ALL if rule is not candidate.rules[-1] else _HALF
        if len(lacking) < enough * len(sample):
            continue
        before = [*normalize([texts[row] for row in lacking])]
        after = [*normalize([remove_shared(texts[row], rules=(rule,)) for row in lacking])]
        expected = [*normalize([pairs[row][0] for row in lacking])]
        try:
            fewer = distances(expected, before) - distances(expected, after)
        except MisreadError:
            continue
        removed = np.array([*map(len, before)]) - np.array([*map(len, after)])
        share = np.count_nonzero((fewer >= _INSERTED * removed) & (removed > 0)) / len(sample)
        if share >= enough and share * len(rows) >= fewest:
            text = texts[lacking[0]]
            match = re.search(rule, text, re.MULTILINE)
            example = removed_part(text, remove_shared(text, rules=(rule,))) or (match[0] if match else rule)
            return SharedText(candidate.position, rule, example, round(share * len(rows)))
    return None


def _look_at(text: str) -> list[_Part]:
    """Beginnings and ends of a text and, of several, its lines, and functions that change it."""
    if not _NOT_ORDINARY.search(text):
        return [("begin with", text[:_HEAD], "", 0), ("end with", text[-_HEAD:][::-1], "", 0)]
    lines = [line for line in map(str.strip, text.split("\n")) if line]
    several = lines if len(lines) > 1 else []
    changed = {name: len(text) - len(change(text)) for name, change in BY_FUNCTION.items()}
    parts: list[_Part] = [("have", "", name, characters) for name, characters in changed.items() if characters > 0]
    for position, of_position in zip(_RULES, (lines[:1], several, several, lines[-1:]), strict=True):
        backwards = "end" in position
        for line in of_position:
            # Times, pages and ids differ in their numbers alone.
            head = _DIGITS.sub("0", line[-_HEAD:][::-1] if backwards else line[:_HEAD])
            mark = (_TRAILING if backwards else _LEADING).match(head)
            parts.append((position, head, mark[0] if mark else "", len(mark[0]) if mark else 0))
            if not backwards and (":" in head or "：" in head) and _LABEL.match(head):
                parts.append((position, "", _LABEL.pattern, _WIDTH))
    return parts


def _candidates(parts: Sequence[Sequence[_Part]], fewest: int) -> Iterator[_Candidate]:
    """Texts with which enough outputs, or lines of them, begin or end, and what functions change."""
    heads: dict[str, list[tuple[str, int]]] = {position: [] for position in _RULES}
    marks: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for row, of_row in enumerate(parts):
        for position, head, mark, characters in of_row:
            if head:
                heads[position].append((head, row))
            if mark:
                marks.setdefault((position, mark), []).append((row, characters))
    for (position, mark), having in marks.items():
        rows = [row for row, _ in having]
        yield from _candidate(position, mark, rows, sum(characters for _, characters in having), fewest)
    for position, of_position in heads.items():
        beginnings = [
            (len(text) * len(rows), text, rows)
            for beginning, head, rows in _beginnings(of_position, fewest)
            if (text := _whole_words(beginning, head))
        ]
        for characters, text, rows in nlargest(_MOST_RANKED, beginnings, key=lambda beginning: beginning[0]):
            yield from _candidate(position, text, rows, characters, fewest)


def _candidate(position: str, text: str, lines: Sequence[int], characters: int, fewest: int) -> Iterator[_Candidate]:
    rows = [*dict.fromkeys(lines)]
    if len(rows) >= fewest:
        exact = re.escape(text[::-1] if "end" in position else text)
        exact = text if text == _LABEL.pattern else _DIGITS.sub(r"\\d+", exact)
        yield _Candidate(
            position, [rule.replace("TEXT", exact) for rule in _RULES.get(position, [text])], rows, characters
        )


def _beginnings(heads: Sequence[tuple[str, int]], fewest: int) -> Iterator[tuple[str, str, list[int]]]:
    """All that enough texts begin with as far as they are equal, each with one of them and their rows."""
    numbers: dict[str, int] = {}
    for head, _ in heads:
        numbers[head[:_KEY]] = numbers.get(head[:_KEY], 0) + 1
    ordered = sorted(entry for entry in heads if numbers[entry[0][:_KEY]] >= fewest)
    open_since: list[tuple[int, int]] = []
    for index, length in enumerate(_count_equal([head for head, _ in ordered]), start=1):
        start = index - 1
        while open_since and open_since[-1][0] > length:
            shared, start = open_since.pop()
            if index - start >= fewest:
                head = ordered[start][0]
                yield head[:shared], head, [row for _, row in ordered[start:index]]
        if not open_since or open_since[-1][0] < length:
            open_since.append((length, start))


def _count_equal(heads: Sequence[str]) -> list[int]:
    """Numbers of characters that each text begins with as the next one does."""
    codes = np.array([*heads, ""], f"U{_HEAD}").view(np.uint32).reshape(-1, _HEAD)
    differs = np.c_[codes[1:] != codes[:-1], np.ones(len(heads), np.bool_)]
    return [*map(int, np.minimum(differs.argmax(axis=1), [*map(len, heads)]))]


def _whole_words(text: str, head: str) -> str:
    """A beginning without the part of a word at its end; "" if it is shorter than eight columns and two words."""
    if text != head and text[-1:].isalnum() and head[len(text)].isalnum() and not _is_wide(text[-1]):
        text = re.sub(r"\w+\Z", "", text)
    # A quotation mark there has another one at the other end.
    text = _OPEN_MARKS.sub("", text)
    width = len(text.strip()) + sum(map(_is_wide, text))
    return text if width >= _WIDTH or len(text.split()) > 1 or re.match(_IN_ROW, text) else ""


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
