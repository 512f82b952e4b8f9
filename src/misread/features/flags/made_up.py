"""Text that was not read but made up: loops, runs of insertions, unrelated text."""

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

import numpy as np

from misread.alignment import (
    PairedTexts,
    distances,
    find_operations,
    may_repeat,
    paired_error_counts,
    split_graphemes,
)
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.errors import ConfigurationError
from misread.features.flags.flag import Flag
from misread.features.flags.loops import LEAST_REPEATS, SHORTEST, Loop, loops_of
from misread.features.flags.operation_runs import find_runs
from misread.text.display import show_label
from misread.types import IntArray

# What is shown of a repeated text.
_SHOWN: Final = 30
# Characters below which a text says nothing about its compression, or about being unrelated.
_FEW_TO_COMPRESS: Final = 100
_FEW_TO_ALIGN: Final = 20
# Errors against the hypothesis in reverse, beyond the difference in length, below which nothing can be said.
_FEW_ERRORS: Final = 8


@dataclass(frozen=True, kw_only=True)
class FlagRules:
    """Thresholds above which a segment is flagged.

    Parameters
    ----------
    min_repeats, min_length : int
        Of a loop: how often something is repeated (3 or more), and its graphemes.
    insertion : int
        Characters in a row that the reference does not have. Half of the output and a whole line of it are an insertion
        from 8 characters on.
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
    insertion: int = 50
    compression: float = 2.4
    length: float = 2.0
    unrelated: float = 0.85

    def __post_init__(self) -> None:
        least = {"min_repeats": 3, "min_length": 3, "insertion": 1, "compression": 1, "length": 1, "unrelated": 0}
        for name, smallest in least.items():
            if not getattr(self, name) >= smallest:
                raise ConfigurationError(f"{name} of flags is {getattr(self, name)}, expected {smallest} or more.")

    @property
    def fact(self) -> str:
        """All numbers in one word of a signature."""
        return "-".join(f"{getattr(self, field.name):g}" for field in fields(self))


def find_made_up(texts: PairedTexts, rules: FlagRules) -> Iterator[tuple[int, Flag]]:
    """Flags of made-up text with their rows, in the order of `MadeUpKind`."""
    loops = list(_find_loops(texts, rules))
    yield from loops
    yield from _find_insertions(texts, rules, {row for row, _ in loops})
    yield from _find_compressed(texts, rules)
    yield from _find_long(texts, rules)
    yield from _find_unrelated(texts, rules)


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


def _find_insertions(texts: PairedTexts, rules: FlagRules, looping: set[int]) -> Iterable[tuple[int, Flag]]:
    """Flags of the longest insertion of each segment that does not loop."""
    for row, runs in find_runs(texts, INSERTION, rules.insertion):
        if row in looping:
            continue
        run = max(runs, key=lambda run: -run.surplus)
        reason = f"{-run.surplus:,} characters in a row that the reference does not have"
        yield row, Flag("insertions", run.hypothesis_start, run.hypothesis_end, reason)


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
