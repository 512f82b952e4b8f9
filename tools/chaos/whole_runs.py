"""Faults of whole runs of `dvc repro`: killed with all that it started, two at once, results that were damaged."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence

from misread.pipeline import paths
from tools.chaos.outcome import Outcome
from tools.chaos.study import DATASET, Study

_REPRO = ("dvc", "repro")
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
        running = _start(study, *_REPRO)
        time.sleep(random.Random(f"{seed} {number}").uniform(0.1, 0.9) * whole)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        killed.add(*_repro(study))
    yield killed

    twice = Outcome("two `dvc repro` at once", f"one waits or says that the other runs; {_SAME}")
    _forget(study)
    both = [_start(study, *_REPRO), _start(study, *_REPRO)]
    statuses = [each.wait() for each in both]
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
        both = [_start(study, "misread", "stage", *stage) for _ in range(2)]
        statuses = [each.wait() for each in both]
        outcome.add(
            f"they ended with {statuses}" if any(statuses) else "",
            f"other bytes: {differing}" if (differing := study.differing()) else "",
        )
    return outcome


def _start(study: Study, *command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=study.root,
        env=study.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _repro(study: Study) -> list[str]:
    done = study.run("dvc", "repro", check=False)
    differing = study.differing()
    return [
        f"the next run ended with {done.returncode}: {done.stderr[-1000:]}" if done.returncode else "",
        f"other bytes: {differing}" if differing else "",
    ]


def _forget(study: Study) -> None:
    """Remove what DVC knows, but for the journal."""
    for name in ("build/captures", "build/code", "build/segments", "build/normalized", "build/scores", "reports"):
        shutil.rmtree(study.root / name, ignore_errors=True)
    for name in (".dvc/cache", ".dvc/tmp"):
        shutil.rmtree(study.root / name, ignore_errors=True)
    for name in ("dvc.lock", "stages/captures/dvc.lock"):
        (study.root / name).unlink(missing_ok=True)
