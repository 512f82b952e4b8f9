"""Segments that were not read but made up, in whole or in part: loops, runs of insertions, unrelated text."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

import numpy as np

from misread.alignment import (
    PairedTexts,
    PeriodicRun,
    Texts,
    distances,
    find_operations,
    find_runs,
    have_one_root,
    join_runs,
    may_repeat,
    paired_error_counts,
    split_graphemes,
)
from misread.alignment.encode.inputs import check_pairs, check_text, check_texts
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.alignment.periodic_runs import code_units
from misread.errors import ConfigurationError
from misread.text.display import show_label
from misread.text.words import split_words
from misread.types import BoolArray, IntArray

LEAST_REPEATS: Final = 4
SHORTEST: Final = 16
# A run that the reference has, too, is a loop only where it is so many times as long.
_MOST_TIMES: Final = 2


@dataclass(frozen=True, slots=True)
class Loop:
    """A stretch of a hypothesis that repeats itself; positions are graphemes of the hypothesis."""

    start: int
    end: int  # one past the last
    period: int  # of its longest run
    repeats: float  # length of that run over its period
    repeated: str  # the first `period` graphemes of that run
    share: float  # of the graphemes of the hypothesis


def find_loops(
    reference: str, hypothesis: str, *, min_repeats: int = LEAST_REPEATS, min_length: int = SHORTEST
) -> list[Loop]:
    """Find where a hypothesis repeats itself and the reference does not: the union of its exact periodic runs.

    Runs that overlap or touch are one loop, so that nothing is counted twice. A run is legitimate where the reference
    repeats the same at least half as long: table rules, "ha ha ha".

    Parameters
    ----------
    reference, hypothesis : str
        Texts, compared by extended grapheme clusters as they are written.
    min_repeats : int
        How often something is repeated in a loop at least; 3 or more.
    min_length : int
        Graphemes that a loop has at least.

    Returns
    -------
    list of Loop
        In reading order.

    Raises
    ------
    InputTypeError
        If a side is not one text.

    Examples
    --------
    >>> find_loops("we meet at ten", "we meet at ten at ten at ten at ten at ten")
    [Loop(start=7, end=42, period=7, repeats=5.0, repeated=' at ten', share=0.8333333333333334)]
    >>> find_loops("ha ha ha ha ha ha!", "ha ha ha ha ha ha ha!")
    []
    """
    check_text("reference", reference)
    check_text("hypothesis", hypothesis)
    return loops_of(reference, hypothesis, min_repeats, min_length)


def loops_of(reference: str, hypothesis: str, min_repeats: int, min_length: int) -> list[Loop]:
    """As `find_loops`, of texts that were checked."""
    known, codes = code_units(reference, hypothesis)
    runs = find_runs(codes, min_repeats, min_length)
    if not runs:
        return []
    legitimate: dict[int, list[PeriodicRun]] = {}
    shortest = -(-min_length // _MOST_TIMES)
    for run in find_runs(known, 2, shortest, {run.period for run in runs}):
        legitimate.setdefault(run.period, []).append(run)
    runs = [
        run
        for run in runs
        if not any(
            _MOST_TIMES * len(other) >= len(run) and have_one_root(codes, run, known, other)
            for other in legitimate.get(run.period, ())
        )
    ]
    units = hypothesis if len(codes) == len(hypothesis) else split_graphemes(hypothesis)
    loops = []
    for joined in join_runs(runs):
        start, end = joined[0].start, max(run.end for run in joined)
        longest: PeriodicRun = max(joined, key=len)
        repeated = "".join(units[longest.start : longest.start + longest.period])
        loops.append(Loop(start, end, longest.period, longest.repeats, repeated, (end - start) / len(codes)))
    return loops


FlagKind = Literal["loop", "insertions", "compression", "long", "unrelated"]
FLAG_KINDS: Final[tuple[FlagKind, ...]] = get_args(FlagKind)

# What is shown of a repeated text.
_SHOWN: Final = 30
# Characters below which a text says nothing about its compression, or about being unrelated.
_FEW_TO_COMPRESS: Final = 100
_FEW_TO_ALIGN: Final = 20
# Errors against the hypothesis in reverse, beyond the difference in length, below which nothing can be said.
_FEW_ERRORS: Final = 8


@dataclass(frozen=True, kw_only=True)
class FlagRules:
    """From where on a segment is flagged.

    Parameters
    ----------
    min_repeats, min_length : int
        Of a loop: how often something is repeated (3 or more), and its graphemes.
    inserted_words : int
        Words in a row that the reference does not have.
    compression : float
        UTF-8 bytes of the hypothesis over those that zlib makes of them, from 100 characters on, if it is also half as
        much again as that of the reference. Decoders of speech take 2.4.
    length : float
        Characters of the hypothesis over those of the reference; 20 more at least.
    unrelated : float
        Errors of the alignment over those of an alignment with the hypothesis in reverse, which is chance; in both
        without those that the lengths alone make. 80 % of the pairs of unrelated sentences are above .85, and below 1 %
        of those in which 70 % of the characters are wrong.

    Raises
    ------
    ConfigurationError
        If a number is too small to mean anything; names it.
    """

    min_repeats: int = LEAST_REPEATS
    min_length: int = SHORTEST
    inserted_words: int = 10
    compression: float = 2.4
    length: float = 2.0
    unrelated: float = 0.85

    def __post_init__(self) -> None:
        least = {"min_repeats": 3, "min_length": 3, "inserted_words": 1, "compression": 1, "length": 1, "unrelated": 0}
        for name, smallest in least.items():
            if not getattr(self, name) >= smallest:
                raise ConfigurationError(f"{name} of flags is {getattr(self, name)}, expected {smallest} or more.")

    @property
    def fact(self) -> str:
        """All numbers in one word of a signature."""
        return "-".join(f"{getattr(self, field.name):g}" for field in fields(self))


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a segment is suspect, and which characters of the hypothesis are."""

    kind: FlagKind
    start: int
    end: int  # one past the last
    reason: str


Flags = tuple[Flag, ...]


def find_flags(references: Texts, hypotheses: Texts, rules: FlagRules | None = None) -> list[Flags]:
    """Find the segments whose text was made up, in whole or in part.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        Texts of equal number.
    rules : FlagRules, optional
        From where on a segment is flagged.

    Returns
    -------
    list of tuple of Flag
        One tuple per pair, empty for most. "loop": the hypothesis repeats what the reference does not
        (`find_loops`). "insertions": the longest run of words that the reference does not have. "compression" and
        "long": the whole text. "unrelated": as wrong as a text that has nothing to do with the reference.

    Raises
    ------
    LengthMismatchError, InputTypeError
        As in `error_counts`.

    Examples
    --------
    >>> (flags,) = find_flags("we meet at ten", "we meet at ten at ten at ten at ten at ten")
    >>> for flag in flags:
    ...     print(flag.kind, flag.start, flag.end, flag.reason)
    loop 7 42 ' at ten' 5 times, 83 % of the text
    long 0 42 42 characters for 14
    """
    texts = check_pairs(references, hypotheses)
    pairs = PairedTexts(check_texts("references", texts[0]), check_texts("hypotheses", texts[1]))
    flags = flags_of(pairs, rules or FlagRules())
    return [flags.get(row, ()) for row in range(len(pairs))]


def flags_of(texts: PairedTexts, rules: FlagRules) -> Mapping[int, Flags]:
    """As `find_flags`, of texts that are counted in other ways, too: flags by position, in the order of `FlagKind`."""
    by_row: dict[int, list[Flag]] = {}
    for flags in (
        _find_loops(texts, rules),
        _find_insertions(texts, rules),
        _find_compressed(texts, rules),
        _find_long(texts, rules),
        _find_unrelated(texts, rules),
    ):
        for row, flag in flags:
            by_row.setdefault(row, []).append(flag)
    return {row: tuple(by_row[row]) for row in sorted(by_row)}


def loops_by_row(texts: PairedTexts, rules: FlagRules) -> dict[int, list[Loop]]:
    """Loops of the segments that have any; positions are characters."""
    by_row = {}
    for row in np.flatnonzero(may_repeat(texts, rules.min_repeats, rules.min_length)).tolist():
        hypothesis = texts.hypotheses[row]
        if loops := loops_of(texts.references[row], hypothesis, rules.min_repeats, rules.min_length):
            by_row[row] = _in_characters(loops, hypothesis)
    return by_row


def errors_in_loops(texts: PairedTexts, loops: Mapping[int, Sequence[Loop]]) -> IntArray:
    """Substitutions and insertions of characters inside loops, shape (pairs,)."""
    errors = np.zeros(len(texts), np.int64)
    rows = list(loops)
    operations = find_operations([texts.references[row] for row in rows], [texts.hypotheses[row] for row in rows])
    for index, row in enumerate(rows):
        codes = operations.codes[operations.offsets[index] : operations.offsets[index + 1]]
        # One operation for each character of the hypothesis.
        is_wrong = codes[codes != DELETION] != HIT
        errors[row] = sum(int(is_wrong[loop.start : loop.end].sum()) for loop in loops[row])
    return errors


def _in_characters(loops: list[Loop], text: str) -> list[Loop]:
    units = split_graphemes(text)
    if len(units) == len(text):
        return loops
    starts = np.concatenate([[0], np.cumsum([*map(len, units)])]).tolist()
    return [
        Loop(starts[loop.start], starts[loop.end], loop.period, loop.repeats, loop.repeated, loop.share)
        for loop in loops
    ]


def _find_loops(texts: PairedTexts, rules: FlagRules) -> Iterable[tuple[int, Flag]]:
    for row, loops in loops_by_row(texts, rules).items():
        for loop in loops:
            shown = loop.repeated if len(loop.repeated) <= _SHOWN else f"{loop.repeated[: _SHOWN - 2]} …"
            times = f"{loop.repeats:.3g} times"
            reason = f"'{show_label(shown)}' {times}, {100 * loop.share:.0f} % of the text"
            yield row, Flag("loop", loop.start, loop.end, reason)


def _find_insertions(texts: PairedTexts, rules: FlagRules) -> Iterable[tuple[int, Flag]]:
    rows = np.flatnonzero(paired_error_counts(texts, unit="word").insertions >= rules.inserted_words).tolist()
    if not rows:
        return
    hypotheses = [texts.hypotheses[row] for row in rows]
    operations = find_operations([texts.references[row] for row in rows], hypotheses, unit="word")
    for index, row in enumerate(rows):
        codes = operations.codes[operations.offsets[index] : operations.offsets[index + 1]]
        start, end = _longest_run(codes == INSERTION)
        if end - start >= rules.inserted_words:
            # Words of the hypothesis before it: all operations but deletions.
            before = int(np.count_nonzero(codes[:start] != DELETION))
            spans = _word_spans(hypotheses[index])
            first, last = spans[before][0], spans[before + end - start - 1][1]
            yield row, Flag("insertions", first, last, f"{end - start} words in a row that the reference does not have")


def _longest_run(marked: BoolArray) -> tuple[int, int]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], marked.astype(np.int8), [0]])))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(starts[longest]), int(ends[longest])


def _word_spans(text: str) -> list[tuple[int, int]]:
    spans, end = [], 0
    for word in split_words(text):
        start = text.index(word, end)
        end = start + len(word)
        spans.append((start, end))
    return spans


def _find_compressed(texts: PairedTexts, rules: FlagRules) -> Iterable[tuple[int, Flag]]:
    lengths = _lengths(texts)
    for row in np.flatnonzero(lengths[:, 1] >= _FEW_TO_COMPRESS).tolist():
        ratio = _compress(texts.hypotheses[row])
        if ratio <= rules.compression:
            continue
        expected = _compress(texts.references[row])
        if ratio > 1.5 * expected:
            reason = f"compresses {ratio:.1f} times, the reference {expected:.1f} times"
            yield row, Flag("compression", 0, int(lengths[row, 1]), reason)


def _compress(text: str) -> float:
    data = text.encode("utf-8", "surrogatepass")
    return len(data) / len(zlib.compress(data)) if data else 1.0


def _find_long(texts: PairedTexts, rules: FlagRules) -> Iterable[tuple[int, Flag]]:
    lengths = _lengths(texts)
    reference, hypothesis = lengths.T
    too_long = (hypothesis > rules.length * reference) & (hypothesis - reference >= _FEW_TO_ALIGN)
    for row in np.flatnonzero(too_long).tolist():
        expected, got = lengths[row].tolist()
        yield row, Flag("long", 0, got, f"{got:,} characters for {expected:,}")


def _find_unrelated(texts: PairedTexts, rules: FlagRules) -> Iterable[tuple[int, Flag]]:
    """Segments that are no nearer to the reference than their hypothesis in reverse is."""
    lengths = _lengths(texts)
    by_length = np.abs(lengths[:, 0] - lengths[:, 1])
    errors = paired_error_counts(texts).errors - by_length
    # With fewer errors, chance cannot be as good.
    likely = (lengths.min(axis=1) >= _FEW_TO_ALIGN) & (2 * errors >= rules.unrelated * lengths.min(axis=1))
    rows = np.flatnonzero(likely)
    if not len(rows):
        return
    numbers = rows.tolist()
    references = [texts.references[row] for row in numbers]
    by_chance = distances(references, [texts.hypotheses[row][::-1] for row in numbers]) - by_length[rows]
    for index, row in enumerate(numbers):
        if by_chance[index] >= _FEW_ERRORS and errors[row] >= rules.unrelated * by_chance[index]:
            share = errors[row] / by_chance[index]
            reason = f"{100 * share:.0f} % of the errors of unrelated text"
            yield row, Flag("unrelated", 0, int(lengths[row, 1]), reason)


def _lengths(texts: PairedTexts) -> IntArray:
    """Characters of both sides, shape (pairs, 2)."""
    counts = paired_error_counts(texts)
    return np.stack([counts.reference_length, counts.hypothesis_length], axis=-1)
