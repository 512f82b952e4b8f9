"""Loops: where a hypothesis repeats itself and the reference does not."""

from dataclasses import dataclass
from typing import Final

from misread.alignment import PeriodicRun, find_runs, have_one_root, join_runs, split_graphemes
from misread.alignment.encode.inputs import check_text
from misread.alignment.periodic_runs import code_units

LEAST_REPEATS: Final = 4
SHORTEST: Final = 16
# A run that the reference has, too, is a loop only if it is this many times as long.
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
