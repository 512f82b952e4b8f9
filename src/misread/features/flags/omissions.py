"""Text that is missing or doubled: stretches left out, outputs cut short, words doubled where chunks meet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from misread.alignment import PairedTexts, paired_error_counts
from misread.alignment.kernels.kinds import DELETION, HIT, INSERTION
from misread.errors import ConfigurationError
from misread.features.flags.flag import Flag, LeftOutKind
from misread.features.flags.operation_runs import Stretch, find_runs, find_stretches, operations_of_rows
from misread.text.nouns import count_of
from misread.types import BoolArray, IntArray

# Characters that may fit by chance before a gap at the start or behind one at the end.
_FEW_AT_EDGES = 3
# Share of two copies that must agree, and how much longer or shorter than the insertions one may be.
_ALIKE = 0.8
_MOSTLY_RIGHT = 0.6
# Windows of recordings overlap by seconds; the search takes time with the square of the length.
_LONGEST_COPY = 2000
_LEAST_SLACK = 4
_CHARACTERS_PER_SLACK = 5


@dataclass(frozen=True, kw_only=True)
class OmissionRules:
    """Thresholds above which text counts as left out or doubled.

    Parameters
    ----------
    gap : int
        Least number of missing characters in a row that is always an omission. Half of a segment and a whole line are
        one from 8 characters on.
    short_gap : int
        Gaps of this length or more are omissions if together they are longer than this and `share` of the reference.
    share : float
        Share of the characters of the reference, see `short_gap`.
    doubled : int
        Characters twice in a row that the reference has once.
    silence : float
        Seconds in a row in which somebody speaks by the reference, and for which the hypothesis has no word.

    Raises
    ------
    ConfigurationError
        If a number is too small to mean anything; names it.
    """

    gap: int = 50
    short_gap: int = 16
    share: float = 0.03
    doubled: int = 16
    silence: float = 5.0

    def __post_init__(self) -> None:
        least = {"gap": 1, "short_gap": 1, "share": 0, "doubled": 3, "silence": 0}
        for name, smallest in least.items():
            if not getattr(self, name) >= smallest:
                raise ConfigurationError(f"{name} of omissions is {getattr(self, name)}, expected {smallest} or more.")

    @property
    def fact(self) -> str:
        """All numbers in one word of a signature."""
        return "-".join(f"{getattr(self, field.name):g}" for field in fields(self))


Gaps = Mapping[int, Sequence[Stretch]]
"""Gaps by row."""


def find_left_out(texts: PairedTexts, rules: OmissionRules, gaps: Gaps | None = None) -> Iterator[tuple[int, Flag]]:
    """Flags of text that is missing or doubled, with their rows; `gaps` are those of `gaps_by_row`, if known."""
    yield from _flag_gaps(texts, gaps_by_row(texts, rules) if gaps is None else gaps)
    yield from _find_seams(texts, rules)


def _flag_gaps(texts: PairedTexts, gaps: Gaps) -> Iterator[tuple[int, Flag]]:
    """Flags "omission" and "cut" of all gaps, with their rows.

    A gap is at an edge if little of the hypothesis lies beyond it, which may fit there by chance; then it ends there.
    """
    for row, gaps_of_row in gaps.items():
        reference, hypothesis = texts.references[row], texts.hypotheses[row].rstrip()
        for gap in gaps_of_row:
            start, end = gap.reference_start, gap.reference_end
            few = max(_FEW_AT_EDGES, gap.surplus // 40)
            at_start = len(hypothesis[: gap.hypothesis_start].lstrip()) <= few
            at_end = len(hypothesis) - gap.hypothesis_end <= few
            start, end = 0 if at_start else start, len(reference.rstrip()) if at_end else end
            words = len(reference[start:end].split())
            counted = f"{end - start:,} characters ({count_of(words, 'word')})"
            if at_start and at_end:
                reason = f"the whole text is missing, {counted}"
            elif at_end:
                reason = f"the last {counted} are missing"
            else:
                position = "at the start" if at_start else "in the middle"
                reason = f"{counted} in a row are missing {position}"
            kind: LeftOutKind = "cut" if at_end and not at_start else "omission"
            yield row, Flag(kind, gap.hypothesis_start, gap.hypothesis_end, reason, missing=(start, end))


def gaps_by_row(texts: PairedTexts, rules: OmissionRules) -> dict[int, list[Stretch]]:
    """Gaps of the segments that have any; text that is elsewhere in the hypothesis is not missing."""
    by_row = {}
    for row, gaps in find_runs(texts, DELETION, rules.gap, least=rules.short_gap):
        reference, hypothesis = texts.references[row], texts.hypotheses[row]
        together = sum(gap.surplus for gap in gaps if gap.surplus >= rules.short_gap)
        if together <= rules.short_gap + rules.share * len(reference):
            gaps = [gap for gap in gaps if gap.is_long(rules.gap, reference, hypothesis)]
        if gaps:
            by_row[row] = [_settle(gap, reference, hypothesis) for gap in gaps]
    return by_row


def _settle(gap: Stretch, reference: str, hypothesis: str) -> Stretch:
    """Of the gaps that leave the same text, the one at the end, else at the start, else at the beginning of a word."""
    start, end, position, hypothesis_end = gap
    if hypothesis_end > position:
        return gap
    left, right = 0, 0
    while right < len(hypothesis) - position and end + right < len(reference):
        if not reference[start + right] == reference[end + right] == hypothesis[position + right]:
            break
        right += 1
    while left < min(position, start):
        if not reference[start - left - 1] == reference[end - left - 1] == hypothesis[position - left - 1]:
            break
        left += 1
    shifts = range(-left, right + 1)
    if end + right == len(reference):
        shift = right
    elif start == left:
        shift = -left
    else:
        shift = next((shift for shift in shifts if reference[start + shift - 1].isspace()), 0)
    return Stretch(start + shift, end + shift, position + shift, position + shift)


def errors_in_gaps(size: int, gaps: Gaps) -> IntArray:
    """Deletions of characters inside gaps, shape (size,)."""
    errors = np.zeros(size, np.int64)
    for row, gaps_of_row in gaps.items():
        errors[row] = sum(gap.surplus for gap in gaps_of_row)
    return errors


def _find_seams(texts: PairedTexts, rules: OmissionRules) -> Iterator[tuple[int, Flag]]:
    """Flags "seam" with their rows: text twice in a row; positions are those of the second copy."""
    rows = np.flatnonzero(paired_error_counts(texts).insertions >= rules.doubled).tolist()
    for row, codes in zip(rows, operations_of_rows(texts, rows), strict=True):
        hypothesis = texts.hypotheses[row]
        is_right = codes[codes != DELETION] == HIT
        for stretch in find_stretches(codes, INSERTION, max(1, rules.doubled // 2), cost=1):
            copy = _find_copy(hypothesis, is_right, stretch, rules.doubled)
            if copy is None:
                continue
            start, end = copy
            reason = f"{end - start:,} characters stand twice in a row, once in the reference"
            yield row, Flag("seam", start, end, reason)


def _find_copy(text: str, is_right: BoolArray, stretch: Stretch, least: int) -> tuple[int, int] | None:
    """The second of two copies in a row, as long as the insertion or little longer; None if there are not two.

    An alignment may take any part of both copies for the inserted one. Of two copies one is right; of two amounts in
    words, where the reference has digits, none is. Text that repeats something shorter is a
    stutter or a loop and no copy.
    """
    start, end = stretch.hypothesis_start, stretch.hypothesis_end
    slack = max(_LEAST_SLACK, (end - start) // _CHARACTERS_PER_SLACK)
    shortest, longest = max(least, -stretch.surplus - slack), end - start + slack
    first, last = max(0, start - longest), min(len(text), end + longest)
    if longest > _LONGEST_COPY or np.count_nonzero(is_right[first:last]) < _MOSTLY_RIGHT * shortest:
        return None
    codes = np.frombuffer(text[first:last].encode("utf-32-le", "surrogatepass"), np.uint32)
    best = (_ALIKE, 0, 0)
    for length in range(shortest, min(longest, len(codes) // 2) + 1):
        sums = np.concatenate([[0], np.cumsum(codes[:-length] == codes[length:])])
        shares = (sums[length:] - sums[:-length]) / length
        index = int(np.argmax(shares))
        best = max(best, (float(shares[index]), length, first + index))
    _, length, position = best
    copy = text[position : position + length]
    if not copy or any(copy.startswith(copy[period:]) for period in range(1, length // 2 + 1)):
        return None
    if np.count_nonzero(is_right[position : position + 2 * length]) < _MOSTLY_RIGHT * length:
        return None
    return position + length, position + 2 * length
