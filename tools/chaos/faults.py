"""Faults of stages, which are killed, interrupted, or on bad disks and clocks; of files; and of whole runs."""

import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from pathlib import Path

from tests.golden.examples import EXAMPLES, STAGE_KINDS
from tests.golden.layouts import plain

from misread.errors import MisreadError
from misread.pipeline import paths
from tools.chaos.stage_runs import YEARS, Disturb, Ended, run_stage, signalled, with_jumping_clock
from tools.chaos.study import DATASET, JOURNALS, READER_STAGE, RESULTS, Outcome, Stage, Study, mounted, remove

SEED = 1
_PAGE = 4096
_LONGEST_DELAY = 0.03
# What these mean is on the page.
GOES_ON = "resumes"
_ANSWER = f"says why, {GOES_ON}"
_REFUSED = "refused, or read as written"
_SAME = "the next `dvc repro` gives the same bytes"


def disturb_stage(
    study: Study,
    stage: Stage,
    disturb: Disturb = lambda _: None,
    around: AbstractContextManager[object] | None = None,
    again: AbstractContextManager[object] | None = None,
) -> tuple[Ended, list[str], int]:
    """Run a stage disturbed, or in a context, and again: how it ended, complaints, and bytes lost of readings."""
    with around or nullcontext():
        ended = run_stage(study.root, stage, disturb)
    half, lines = study.half_written(), study.whole_lines()
    with again or nullcontext():
        rerun = run_stage(study.root, stage)
    return ended, [half, rerun.unlike(0), study.other_bytes()], study.lost_bytes(lines)


def prepare(study: Study, stage: Stage, *, is_fresh: bool = True) -> None:
    """Bring everything back, and remove what the stage wrote, as DVC does, and its journal, if it is to be fresh."""
    study.restore()
    if is_fresh:
        study.remove_outputs(stage, journal=True)


def _points(study: Study, stage: Stage, *, is_fresh: bool = True) -> int:
    """Operations on results of a stage."""
    prepare(study, stage, is_fresh=is_fresh)
    return run_stage(study.root, stage).points


def kill_stages(study: Study, times: int) -> Iterator[Outcome]:
    """Kill each stage before, at or behind one of its operations, so many times, and run it again."""
    for stage in study.stages:
        outcome = Outcome(f"kill -9 of `{' '.join(stage)}`", GOES_ON)
        points = {is_fresh: _points(study, stage, is_fresh=is_fresh) for is_fresh in (False, True)}
        for number in range(times):
            rng = random.Random(f"{SEED} {stage} {number}")
            is_fresh = rng.random() < 0.5
            point, delay = rng.randint(1, points[is_fresh]), rng.choice([0.0, rng.uniform(0, _LONGEST_DELAY)])
            # Where the stage is faster than the delay, there is none.
            for seconds in (delay, 0.0):
                prepare(study, stage, is_fresh=is_fresh)
                ended, complaints, lost = disturb_stage(study, stage, signalled(signal.SIGKILL, point, seconds))
                if ended.status:
                    break
            alive = f"it ended with {ended.status} before it was killed: {ended.said}"
            outcome.add("" if ended.status == -signal.SIGKILL else alive, *complaints, lost=lost)
        yield outcome


def interrupt_stages(study: Study, _: int) -> Iterator[Outcome]:
    """Interrupt each stage once, as Ctrl-C does, and terminate it once, as a scheduler does."""
    for number, status, words in ((signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "ended by SIGTERM")):
        outcome = Outcome(f"{number.name}, one per stage", f"one line, status {status}, {GOES_ON}")
        for stage in study.stages:
            point = random.Random(f"{SEED} {stage}").randint(1, _points(study, stage))
            prepare(study, stage)
            ended, complaints, _lost = disturb_stage(study, stage, signalled(number, point))
            outcome.add(ended.unlike(status, words), *complaints)
        yield outcome


def inflict_disks(study: Study, _: int) -> Iterator[Outcome]:
    """Run stages on a full disk and on one that cannot be written, and a capture without temporary files."""
    full = Outcome("disk full, one per stage", _ANSWER)
    read_only = Outcome("build/, data/judged/ or reports/ read-only, one per stage", _ANSWER)
    without_temporary = Outcome("no room for temporary files during a capture", _ANSWER)
    outcomes = (full, read_only, without_temporary)
    try:
        for stage in study.stages:
            # A journal is written line by line: this one is full in the middle of one.
            room = _PAGE if stage == READER_STAGE else 0
            for outcome, limited, reason in (
                (full, partial(_filled, room), "No space left on device"),
                (read_only, _not_writable, "Read-only file system"),
            ):
                folder = study.root / {"judge": "data/judged", "report": "reports"}.get(stage[0], "build")
                with mounted(folder, "size=16m"):
                    study.restore()
                    study.remove_outputs(stage, journal=stage == READER_STAGE)
                    ended, complaints, _lost = disturb_stage(study, stage, around=limited(folder))
                study.restore()
                outcome.add(ended.unlike(1, f"cannot be written: {reason}", "again"), *complaints)
        prepare(study, READER_STAGE)
        folder = study.root.with_name("temporary")
        # One inode is the folder itself.
        limit = mounted(folder, "size=4k,nr_inodes=1")
        ended, complaints, _lost = disturb_stage(study, READER_STAGE, partial(_use_for_temporary_files, folder), limit)
        answer = ended.unlike(1, "cannot be written: No space left on device", "again")
        without_temporary.add(answer, *complaints)
    except subprocess.CalledProcessError as error:
        for outcome in outcomes:
            outcome.skipped = f"mounting is not allowed: {error.stderr.decode().strip()}"
    yield from outcomes


@contextmanager
def _filled(room: int, folder: Path) -> Iterator[None]:
    filler = folder / ".filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(_PAGE))
        except OSError:
            file.truncate(max(0, file.tell() - room))
    yield
    filler.unlink()


@contextmanager
def _not_writable(folder: Path) -> Iterator[None]:
    for mode in ("ro", "rw"):
        subprocess.run(["mount", "-o", f"remount,{mode}", str(folder)], check=True, capture_output=True)
        if mode == "ro":
            yield


def _use_for_temporary_files(folder: Path, seen: int) -> None:
    if not seen:
        tempfile.tempdir = str(folder)


def jump(study: Study, _: int) -> Iterator[Outcome]:
    """Run stages under a clock that jumps, on files whose times were changed."""
    outcome = Outcome(
        "clock jumps by up to ten years, back and forth, one per stage", "the same bytes, and the journals are found"
    )
    study.restore()
    rng = random.Random(SEED)
    for name in ("data", *RESULTS):
        for path in (study.root / name).rglob("*"):
            when = time.time() + rng.uniform(-YEARS, YEARS)
            os.utime(path, (when, when))
    lines = study.whole_lines()
    for number, stage in enumerate(study.stages):
        study.remove_outputs(stage)
        ended = run_stage(study.root, stage, with_jumping_clock(SEED + number))
        again = "readings were asked for again" if study.whole_lines() != lines else ""
        outcome.add(ended.unlike(0), study.other_bytes(), again)
    yield outcome


def damage_files(study: Study, times: int) -> Iterator[Outcome]:
    """Damage an example of every kind of file, twice as many times, in two ways, and read it; then the journal."""
    for ending, name in ((".parquet", "Parquet"), (".json", "JSON")):
        for way, damage in (("cut short", _cut), ("with a changed bit", _change)):
            outcome = Outcome(f"{name} {way}", _REFUSED)
            for kind in (kind for kind in STAGE_KINDS if EXAMPLES[kind].name.endswith(ending)):
                path = study.root.with_name(EXAMPLES[kind].name)
                EXAMPLES[kind].write(path)
                for number in range(2 * times):
                    rng = random.Random(f"{SEED} {kind} {way} {number}")
                    read_damaged(path, EXAMPLES[kind].read, partial(damage, rng), outcome)
            yield outcome
    outcome = Outcome("journal cut short, or with a changed bit", "only damaged readings are asked for again")
    journal = study.root / JOURNALS[READER_STAGE]
    for number, damage in ((number, damage) for number in range(max(1, 2 * times // 5)) for damage in (_cut, _change)):
        prepare(study, READER_STAGE, is_fresh=False)
        study.remove_outputs(READER_STAGE)
        before = set(study.whole_lines())
        journal.write_bytes(damage(random.Random(f"{SEED} journal {number}"), journal.read_bytes()))
        lines = [line for line in study.whole_lines() if line in before]
        ended = run_stage(study.root, READER_STAGE)
        outcome.add(ended.unlike(0), study.other_bytes(), lost=study.lost_bytes(lines))
    yield outcome


def read_damaged(
    path: Path, read: Callable[[Path], object], damage: Callable[[bytes], bytes], outcome: Outcome
) -> None:
    """Damage a file, read all that is in it, and put it back."""
    content = path.read_bytes()
    expected = plain(read(path))
    path.write_bytes(damage(content))
    try:
        # Columns may stay in the file until they are looked at.
        complaint = "" if plain(read(path)) == expected else f"{path.name} was read as something else"
    except MisreadError as error:
        is_answer = path.name in str(error) and "run `" in str(error)
        complaint = "" if is_answer else f"the error is without file or remedy: {error}"
    except Exception as error:  # noqa: BLE001  whatever it is, it is not an answer
        complaint = f"{path.name}: {type(error).__name__}: {error}"
    finally:
        path.write_bytes(content)
    outcome.add(complaint)


def _cut(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content))]


def _change(rng: random.Random, content: bytes) -> bytes:
    position = rng.randrange(len(content))
    return content[:position] + bytes([content[position] ^ 1 << rng.randrange(8)]) + content[position + 1 :]


def inflict_on_runs(study: Study, times: int) -> Iterator[Outcome]:
    """Kill whole runs, start two at once, damage a result in between."""
    killed = Outcome("kill -9 of `dvc repro` and all that it started", _SAME)
    start = time.monotonic()
    forget(study)
    study.run("dvc", "repro")
    whole = time.monotonic() - start
    for number in range(max(1, times // 10)):
        forget(study)
        running = study.start("dvc", "repro")
        time.sleep(random.Random(f"{SEED} {number}").uniform(0.1, 0.9) * whole)
        os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
        killed.add(*repro(study))
    yield killed

    twice = Outcome("two `dvc repro` at once", f"one waits or says that the other runs; {_SAME}")
    forget(study)
    statuses = _both(study, "dvc", "repro")
    twice.add("" if 0 in statuses else f"both failed: {statuses}", *repro(study))
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
    healed.add(*repro(study))
    yield healed


def run_twice_at_once(study: Study, _: int) -> Iterator[Outcome]:
    """Start each stage twice at a time, as two `dvc repro` without a lock would."""
    outcome = Outcome("each stage twice at once", "the same bytes; of two that write one journal one may say so")
    for stage in study.stages:
        study.restore()
        study.remove_outputs(stage)
        statuses = _both(study, "misread", "stage", *stage)
        are_good = 0 in statuses if stage in JOURNALS else not any(statuses)
        outcome.add("" if are_good else f"they ended with {statuses}", study.other_bytes())
    yield outcome


def _both(study: Study, *command: str) -> list[int]:
    """Statuses of a command that was started twice."""
    both = [study.start(*command) for _ in range(2)]
    for running in both:
        running.communicate()
    return [running.returncode for running in both]


def repro(study: Study) -> list[str]:
    """Complaints about a whole run that nothing happens to."""
    running = study.start("dvc", "repro")
    _, said = running.communicate()
    failed = f"the next run ended with {running.returncode}: {said[-1000:]}" if running.returncode else ""
    return [failed, study.other_bytes()]


def forget(study: Study) -> None:
    """Remove what DVC knows, but for the journal."""
    folders = ("captures", "code", "segments", "normalized", "scores")
    files = (".dvc/cache", ".dvc/tmp", "dvc.lock", "stages/captures/dvc.lock", "reports")
    for name in (*(f"build/{folder}" for folder in folders), *files):
        remove(study.root / name)
