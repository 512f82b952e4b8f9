"""Disks that are full or cannot be written."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tools.chaos.outcome import Outcome
from tools.chaos.stage_runs import run_stage
from tools.chaos.study import JOURNALS, READER_STAGE, STAGES, Study, mounted

Limited = Callable[[Path], AbstractContextManager[None]]

_PAGE = 4096
_ANSWER = "one line with file and remedy, no half-written file, and the next run gives the same bytes"


def inflict_disks(study: Study, stages: Sequence[tuple[str, ...]] = STAGES) -> Iterator[Outcome]:
    """Run stages on a full disk and on one that cannot be written, and a capture without temporary files."""
    full = Outcome("disk full, one per stage", _ANSWER)
    read_only = Outcome("build/, data/judged/ or reports/ read-only, one per stage", _ANSWER)
    without_temporary = Outcome("no room for temporary files during a capture", _ANSWER)
    try:
        for stage in stages:
            # A journal is written line by line: this one is full in the middle of one.
            room = _PAGE if stage == READER_STAGE else 0
            _run_on(study, stage, full, _filled(room), "No space left on device")
            _run_on(study, stage, read_only, _not_writable, "Read-only file system")
        _capture_without_temporary_files(study, without_temporary)
    except subprocess.CalledProcessError as error:
        reason = f"mounting is not allowed: {error.stderr.decode().strip()}"
        for outcome in (full, read_only, without_temporary):
            outcome.skipped = reason
    yield from (full, read_only, without_temporary)


def _run_on(
    study: Study,
    stage: tuple[str, ...],
    outcome: Outcome,
    limited: Limited,
    reason: str,
) -> None:
    folder = study.root / {"judge": "data/judged", "report": "reports"}.get(stage[0], "build")
    with mounted(folder, "size=16m"):
        study.restore()
        study.remove_outputs(stage)
        if stage == READER_STAGE:
            (study.root / JOURNALS[READER_STAGE]).unlink()
        with limited(folder):
            ended = run_stage(study.root, stage)
        half = study.half_written()
        again = run_stage(study.root, stage)
        differing = study.differing()
    study.restore()
    outcome.add(
        *_complaints(ended.status, ended.said, reason),
        f"half-written: {half}" if half else "",
        f"the next run ended with {again.status}: {again.said}" if again.status else "",
        f"the next run gave other bytes: {differing}" if differing else "",
    )


def _complaints(status: int, said: str, reason: str) -> Iterator[str]:
    errors = [line for line in said.splitlines() if line.startswith("error: ")]
    if status != 1 or len(errors) != 1 or "Traceback" in said:
        yield f"it ended with {status} and said: {said}"
    elif f"cannot be written: {reason}" not in errors[0] or "again" not in errors[0]:
        yield f"the error is without file, cause or remedy: {errors[0]}"


def _filled(room: int) -> Limited:
    @contextmanager
    def fill(folder: Path) -> Iterator[None]:
        filler = folder / ".filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(_PAGE))
            except OSError:
                file.truncate(max(0, file.tell() - room))
        yield
        filler.unlink()

    return fill


@contextmanager
def _not_writable(folder: Path) -> Iterator[None]:
    for mode in ("ro", "rw"):
        subprocess.run(["mount", "-o", f"remount,{mode}", str(folder)], check=True, capture_output=True)
        if mode == "ro":
            yield


def _capture_without_temporary_files(study: Study, outcome: Outcome) -> None:
    def disturb(folder: Path) -> Callable[[], Callable[[], None]]:
        def use() -> Callable[[], None]:
            tempfile.tempdir = str(folder)
            return lambda: None

        return use

    study.restore()
    study.remove_outputs(READER_STAGE)
    (study.root / JOURNALS[READER_STAGE]).unlink()
    folder = study.root.with_name("temporary")
    # One inode is the folder itself.
    with mounted(folder, "size=4k,nr_inodes=1"):
        ended = run_stage(study.root, READER_STAGE, disturb(folder))
    half = study.half_written()
    again = run_stage(study.root, READER_STAGE)
    outcome.add(
        *_complaints(ended.status, ended.said, "No space left on device"),
        f"half-written: {half}" if half else "",
        f"the next run ended with {again.status}: {again.said}" if again.status else "",
        f"the next run gave other bytes: {differing}" if (differing := study.differing()) else "",
    )
