"""Stages that are killed or interrupted at seeded points."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from tools.chaos.outcome import Outcome
from tools.chaos.stage_runs import killed, run_stage, signalled
from tools.chaos.study import JOURNALS, STAGES, Study

_LONGEST_DELAY = 0.03
_GOES_ON = "no half-written file, and the next run gives the same bytes"


def kill_stages(
    study: Study, stages: Sequence[tuple[str, ...]] = STAGES, *, kills: int, seed: int
) -> Iterator[Outcome]:
    """Kill each stage so many times, and run it again."""
    for stage in stages:
        outcome = Outcome(f"kill -9 of `{' '.join(stage)}`", _GOES_ON)
        points = cache(partial(_points, study, stage))
        for number in range(kills):
            _kill(study, stage, points, outcome, random.Random(f"{seed} {stage} {number}"))
        yield outcome


def _points(study: Study, stage: tuple[str, ...], is_fresh: bool) -> int:
    _prepare(study, stage, is_fresh=is_fresh)
    return run_stage(study.root, stage).points


def _kill(
    study: Study, stage: tuple[str, ...], points: Callable[[bool], int], outcome: Outcome, rng: random.Random
) -> None:
    """Kill a stage before, at or behind one of its operations on results, and compare what the next run gives.

    In half of the cases its outputs are removed first, as DVC does, and its journal.
    """
    is_fresh = rng.random() < 0.5
    point, delay = rng.randint(1, points(is_fresh)), rng.choice([0.0, rng.uniform(0, _LONGEST_DELAY)])
    _prepare(study, stage, is_fresh=is_fresh)
    ended = run_stage(study.root, stage, killed(point, delay))
    if ended.status == 0:
        # It was faster than the delay.
        _prepare(study, stage, is_fresh=is_fresh)
        ended = run_stage(study.root, stage, killed(point, 0.0))
    half = study.half_written()
    kept = _whole_lines(study)
    again = run_stage(study.root, stage)
    lost = sum(len(line) for line in kept if line not in _whole_lines(study))
    outcome.add(
        "" if ended.status == -signal.SIGKILL else f"it ended with {ended.status} before it was killed: {ended.said}",
        f"half-written: {half}" if half else "",
        f"the next run ended with {again.status}: {again.said}" if again.status else "",
        f"the next run gave other bytes: {differing}" if (differing := study.differing()) else "",
        f"{lost} bytes of readings were lost" if lost else "",
        lost=lost,
    )


def interrupt_stages(study: Study, stages: Sequence[tuple[str, ...]] = STAGES, *, seed: int) -> Outcome:
    """Interrupt each stage once, as Ctrl-C does."""
    outcome = Outcome("SIGINT, one per stage", f"one line, status 130, {_GOES_ON}")
    for stage in stages:
        rng = random.Random(f"{seed} {stage}")
        points = _points(study, stage, True)
        _prepare(study, stage, is_fresh=True)
        ended = run_stage(study.root, stage, signalled(signal.SIGINT, rng.randint(1, points), 0.0))
        half = study.half_written()
        again = run_stage(study.root, stage)
        outcome.add(
            "" if ended.status == 130 else f"{stage} ended with {ended.status}",
            "" if "error: interrupted" in ended.said and "Traceback" not in ended.said else f"it said: {ended.said}",
            f"half-written: {half}" if half else "",
            f"the next run ended with {again.status}: {again.said}" if again.status else "",
            f"the next run gave other bytes: {differing}" if (differing := study.differing()) else "",
        )
    return outcome


def _prepare(study: Study, stage: tuple[str, ...], *, is_fresh: bool) -> None:
    study.restore()
    if is_fresh:
        study.remove_outputs(stage)
        if stage in JOURNALS:
            (study.root / JOURNALS[stage]).unlink(missing_ok=True)


def _whole_lines(study: Study) -> list[bytes]:
    """Readings in journals that were written to their ends."""
    found = (study.root / path for path in JOURNALS.values() if (study.root / path).exists())
    lines = (line for path in found for line in path.read_bytes().splitlines(keepends=True))
    return [line for line in lines if line.endswith(b"\n")]
