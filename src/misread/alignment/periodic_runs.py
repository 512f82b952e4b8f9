"""Maximal periodic runs: what a text repeats, wherever it does so."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from misread.alignment.encode.graphemes import may_join, split_graphemes
from misread.alignment.encode.inputs import check_text
from misread.alignment.encode.paired_texts import PairedTexts
from misread.alignment.kernels.pairs import Codes
from misread.compiled.budget import ALIGNING, loaded_above
from misread.compiled.jit import interpreted
from misread.compiled.threads import run_in_chunks
from misread.errors import ConfigurationError
from misread.io.checks.numbers import check_whole
from misread.types import BoolArray

# What Python takes for a unit where the kernels are not compiled.
_RUN_SECONDS: Final = 5e-6


@dataclass(frozen=True, slots=True, order=True)
class PeriodicRun:
    """A stretch of graphemes in which each equals the one `period` before; neither end can be moved outwards."""

    start: int  # first grapheme
    end: int  # one past the last
    period: int  # the least one

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def repeats(self) -> float:
        """How often the first `period` graphemes occur: 2.5 for "abcabca" of period 3, less its last half."""
        return len(self) / self.period


def periodic_runs(text: str, *, min_repeats: int = 2, min_length: int = 2) -> list[PeriodicRun]:
    """Find every maximal stretch of a text that repeats something.

    Parameters
    ----------
    text : str
        Compared by extended grapheme clusters (UAX #29) as they are written.
    min_repeats : int
        How many times as long as its period a run is at least; 2 or more.
    min_length : int
        Graphemes that a run has at least.

    Returns
    -------
    list of PeriodicRun
        Sorted by start, then by length. A text of n graphemes has fewer than n.

    Raises
    ------
    InputTypeError
        If the text is not a string, or a number not a whole one.
    ConfigurationError
        If `min_repeats` is below 2.

    References
    ----------
    Bannai, I, Inenaga, Nakashima, Takeda & Tsuruta (2017), The "runs" theorem, SIAM Journal on Computing 46(5).

    Examples
    --------
    >>> periodic_runs("mississippi")
    [PeriodicRun(start=1, end=8, period=3), PeriodicRun(start=2, end=4, period=1),
     PeriodicRun(start=5, end=7, period=1), PeriodicRun(start=8, end=10, period=1)]
    """
    check_text("text", text)
    if check_whole("min_repeats", min_repeats) < 2:
        raise ConfigurationError(f"min_repeats is {min_repeats}, expected 2 or more.")
    (codes,) = code_units(text)
    return find_runs(codes, min_repeats, check_whole("min_length", min_length))


def find_runs(
    codes: Codes, min_repeats: int, min_length: int, periods: Collection[int] | None = None
) -> list[PeriodicRun]:
    """Find runs as `periodic_runs` does, in units coded as numbers; of some periods, or of all."""
    from misread.alignment.kernels import periodic_runs as kernels

    units, runs, count = codes.astype(np.uint32), np.empty((0, 3), np.int64), codes.size
    with loaded_above(ALIGNING, _RUN_SECONDS * codes.size):
        while count > len(runs):
            runs = np.empty((count, 3), np.int64)
            count = kernels.find_runs(units, min_repeats, min_length, runs)
    # By ends: the shortest period is the first that is written.
    different = {(start, end): period for start, end, period in reversed(runs[:count].tolist())}
    wanted = {*different.values()} if periods is None else periods
    return sorted(PeriodicRun(*ends, period) for ends, period in different.items() if period in wanted)


def code_units(*texts: str) -> list[Codes]:
    """Graphemes of some texts as numbers, equal where they are written alike."""
    characters = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4") for text in texts]
    if not any(may_join()[codes].any() for codes in characters):
        return characters
    numbers: dict[str, int] = {}
    coded = [[numbers.setdefault(unit, len(numbers)) for unit in split_graphemes(text)] for text in texts]
    return [np.array(codes, np.uint32) for codes in coded]


def may_repeat(texts: PairedTexts, min_repeats: int, min_length: int) -> BoolArray:
    """Whether each hypothesis may have a long enough run, compared by characters; shape (pairs,)."""
    from misread.alignment.kernels import periodic_runs as kernels

    wanted = np.empty(len(texts), np.bool_)
    for batch, pairs in texts.encode("char"):
        side = pairs.hypotheses
        # A new array: kernels are compiled for whole arrays, not for views.
        part = np.empty(len(side.spans), np.bool_)
        arguments = side.codes, side.spans, min_repeats, min_length, part
        if ALIGNING.covers(_RUN_SECONDS * side.codes.size):
            with interpreted():
                kernels.have_runs(*arguments, 0, len(part))
        else:
            run_in_chunks(kernels.have_runs, len(part), side.codes.size, *arguments)
        wanted[batch] = part
    return wanted


def have_one_root(codes: Codes, run: PeriodicRun, other_codes: Codes, other: PeriodicRun) -> bool:
    """Whether two runs repeat the same root, wherever they start in it; the codes of both have one numbering."""
    if run.period != other.period:
        return False
    root, twice = (
        "".join(map(chr, codes[periodic_run.start : periodic_run.start + length]))
        for periodic_run, codes, length in ((run, codes, run.period), (other, other_codes, other.period))
    )
    return root in twice + twice


def join_runs(runs: Sequence[PeriodicRun]) -> list[list[PeriodicRun]]:
    """Put runs that overlap or touch together, in reading order."""
    joined: list[list[PeriodicRun]] = []
    end = -1
    for run in sorted(runs):
        if run.start > end:
            joined.append([])
        joined[-1].append(run)
        end = max(end, run.end)
    return joined
