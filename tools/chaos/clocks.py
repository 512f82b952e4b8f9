"""Clocks that jump, and files that seem to come from another time."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Sequence

from tools.chaos.outcome import Outcome
from tools.chaos.stage_runs import run_stage, with_jumping_clock
from tools.chaos.study import JOURNALS, RESULTS, STAGES, Study

_YEARS = 10 * 365 * 86_400.0


def jump(study: Study, stages: Sequence[tuple[str, ...]] = STAGES, *, seed: int) -> Outcome:
    """Run stages under a clock that jumps, on files whose times were changed."""
    outcome = Outcome(
        "clock jumps by up to ten years, back and forth, one per stage", "the same bytes, and the journals are found"
    )
    study.restore()
    rng = random.Random(seed)
    for name in ("data", *RESULTS):
        for path in (study.root / name).rglob("*"):
            when = time.time() + rng.uniform(-_YEARS, _YEARS)
            os.utime(path, (when, when))
    journals = _journals(study)
    for number, stage in enumerate(stages):
        study.remove_outputs(stage)
        ended = run_stage(study.root, stage, with_jumping_clock(seed + number))
        outcome.add(
            f"{stage} ended with {ended.status}: {ended.said}" if ended.status else "",
            f"other bytes: {differing}" if (differing := study.differing()) else "",
            "readings were asked for again" if _journals(study) != journals else "",
        )
    return outcome


def _journals(study: Study) -> list[bytes]:
    return [(study.root / path).read_bytes() for path in JOURNALS.values()]
