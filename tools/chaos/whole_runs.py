"""Faults of whole runs of `dvc repro`: killed with all that it started, two at once, results that were damaged."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator, Sequence

from misread.pipeline import paths
from tools.chaos.study import DATASET, Outcome, Study, remove

_SAME = "the next `dvc repro` gives the same bytes"


def inflict_on_runs(study: Study, *, kills: int, seed: int) -> Iterator[Outcome]:
    """Kill whole runs, start two at once, damage a result in between."""
    killed = Outcome("kill -9 of `dvc repro` and all that it started", _SAME)
    start = time.monotonic()
    _forget(study)
    study.run("dvc", "repro")
    whole = time.monotonic() - start
    for number in range(kills):
        _forget(study)
        running = study.start("dvc", "repro")
        time.sleep(random.Random(f"{seed} {number}").uniform(0.1, 0.9) * whole)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        killed.add(*_repro(study))
    yield killed

    twice = Outcome("two `dvc repro` at once", f"one waits or says that the other runs; {_SAME}")
    _forget(study)
    statuses = _both(study, "dvc", "repro")
    twice.add("" if 0 in statuses else f"both failed: {statuses}", *_repro(study))
    yield twice

    healed = Outcome("a result of each stage cut short between two runs of `dvc repro`", _SAME)
    for path in (
        paths.segments(DATASET),
        paths.capture(DATASET, "one"),
        paths.normalized(DATASET, "one"),
        paths.scores(DATASET, "one"),
        paths.comparison(DATASET),
    ):
        content = (study.root / path).read_bytes()
        # DVC links the same file from its cache.
        (study.root / path).unlink()
        (study.root / path).write_bytes(content[: len(content) // 2])
    healed.add(*_repro(study))
    yield healed


def run_twice_at_once(study: Study, stages: Sequence[tuple[str, ...]]) -> Outcome:
    """Start each stage twice at a time, as two `dvc repro` without a lock would."""
    outcome = Outcome("a stage twice at once", "the same bytes")
    for stage in stages:
        study.restore()
        study.remove_outputs(stage)
        statuses = _both(study, "misread", "stage", *stage)
        outcome.add(f"they ended with {statuses}" if any(statuses) else "", study.other_bytes())
    return outcome


def _both(study: Study, *command: str) -> list[int]:
    """Statuses of a command that was started twice."""
    both = [study.start(*command) for _ in range(2)]
    for running in both:
        running.communicate()
    return [running.returncode for running in both]


def _repro(study: Study) -> list[str]:
    running = study.start("dvc", "repro")
    _, said = running.communicate()
    failed = f"the next run ended with {running.returncode}: {said[-1000:]}" if running.returncode else ""
    return [failed, study.other_bytes()]


def _forget(study: Study) -> None:
    """Remove what DVC knows, but for the journal."""
    folders = ("captures", "code", "segments", "normalized", "scores")
    files = (".dvc/cache", ".dvc/tmp", "dvc.lock", "stages/captures/dvc.lock", "reports")
    for name in (*(f"build/{folder}" for folder in folders), *files):
        remove(study.root / name)
