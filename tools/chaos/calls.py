"""Calls of the system that write, of which one at a time fails, as on a disk that is full or broken."""

import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from tools.chaos.faults import GOES_ON, SEED, forget, prepare, repro
from tools.chaos.stage_runs import Ended, run_command
from tools.chaos.study import DATASET, READER, READER_STAGE, RESULTS, Outcome, Stage, Study, contents, remove
from tools.chaos.tracing import LISTING, Call, attached, reason_not_to_trace, traced, wait_for_tracer, writing_calls

_ERRORS: Final = {"ENOSPC": "No space left on device", "EIO": "Input/output error"}
_SURVIVAL: Final = f"right bytes, or says why; {GOES_ON}"
_DRAWN: Final = re.compile(r"\{process\}|[0-9a-f]{32}")
_RUN = "build/run"
_SCORE: Final = (
    *("score", "--table", "given/lines.csv", "--segment-id", "id", "--ref", "text", "--cluster", "page"),
    *("--hyp", "one=one", "--hyp", "two=two", "--resamples", "99", "--run-dir"),
)
_SCORE_STAGE: Stage = ("score", DATASET)


@dataclass(frozen=True)
class Command:
    """A command whose calls fail, and what brings its results to where it starts."""

    name: str
    arguments: tuple[str, ...]
    prepare: Callable[[Study], None]


def _remove_run(study: Study) -> None:
    study.restore()
    remove(study.root / _RUN)


CAPTURE: Final = Command("`misread capture`", ("capture", DATASET, READER), partial(prepare, stage=READER_STAGE))
COMMANDS: Final = (
    Command("`misread score --run-dir`", (*_SCORE, _RUN), _remove_run),
    CAPTURE,
    Command("`score lines`", ("stage", *_SCORE_STAGE), partial(prepare, stage=_SCORE_STAGE)),
)


def fail_calls(study: Study, times: int) -> Iterator[Outcome]:
    """Let every call that writes fail of some commands; of whole runs so many in proportion, as a seed decides."""
    if reason := reason_not_to_trace():
        yield Outcome("a call that writes fails", _SURVIVAL, skipped=reason)
        return
    failing = _with_run(study)
    for command in COMMANDS:
        calls = list_calls(failing, command)
        writes = [call for call in calls if call.name == "write"]
        others = [call for call in calls if call.name != "write"]
        chosen = [*others, *random.Random(SEED).sample(writes, min(times, len(writes)))]
        outcome = Outcome(f"{_number_of(chosen, calls)} that write in {command.name} fails, in two ways", _SURVIVAL)
        for call in chosen:
            fail_call(failing, command, call, outcome)
        yield outcome
    yield _fail_calls_of_runs(failing, max(1, times // 5))


def _with_run(study: Study) -> Study:
    """A copy of the study in which there is the folder of a run."""
    failing = Study(study.root.with_name("failing"))
    study.restore()
    shutil.copytree(study.root, failing.root)
    failing.run("misread", *_SCORE, _RUN, "--seed", "1")
    failing.keep()
    return failing


def fail_call(study: Study, command: Command, call: Call, outcome: Outcome) -> None:
    """Let one call of a command fail, in two ways, and run it again."""
    for error, reason in _ERRORS.items():
        command.prepare(study)
        before = contents(study.root)
        ended, was_made = _run_traced(study, command, partial(call.failing, study.root, error))
        if not was_made:
            # Threads made their calls in another order, and this one not at all.
            continue
        answer = _unlike_answer(ended, call, reason) if ended.status else study.other_bytes()
        half, lines = study.half_written(before), study.whole_lines()
        rerun = run_command(study.root, command.arguments)
        complaints = [answer, half, rerun.unlike(0), study.other_bytes()]
        said = [f"{call} with {error}: {complaint}" for complaint in complaints if complaint]
        outcome.add(*said, lost=study.lost_bytes(lines))


def _unlike_answer(ended: Ended, call: Call, reason: str) -> str:
    """A complaint unless a command ended with one line that has the file, the reason, and what to do."""
    names = ("a temporary file", call.names[0]) if Path(call.path).is_absolute() else call.names
    return ended.unlike(1, next((name for name in names if name in ended.said), call.path), reason, "again")


def _number_of(chosen: Sequence[Call], calls: Sequence[Call]) -> str:
    few = f"{len(chosen):,} of " if len(chosen) < len(calls) else ""
    return f"each of {few}{len(calls):,} calls"


def list_calls(study: Study, command: Command) -> list[Call]:
    """Calls by which a command writes results and temporary files where none fails."""
    command.prepare(study)
    ended, _ = _run_traced(study, command, lambda _: LISTING)
    if ended.status:
        raise SystemExit(f"{command.name} ended with status {ended.status}, and nothing had failed:\n{ended.said}")
    return writing_calls(_log(study), study.root, [*RESULTS, str(_temporary(study))])


def _run_traced(study: Study, command: Command, options: Callable[[int], Sequence[str]]) -> tuple[Ended, bool]:
    """How a command ended under strace, and whether a call failed as it was told to."""
    _temporary(study).mkdir(exist_ok=True)
    attend = partial(attached, _log(study), options)
    ended = run_command(study.root, command.arguments, partial(wait_for_tracer, _temporary(study)), attend)
    return ended, _has_failed(study)


def _has_failed(study: Study) -> bool:
    return "(INJECTED)" in _log(study).read_text(encoding="utf-8", errors="replace")


def _log(study: Study) -> Path:
    return study.root.with_name("calls.log")


def _temporary(study: Study) -> Path:
    return study.root.with_name("temporary-files")


def _fail_calls_of_runs(study: Study, most: int) -> Outcome:
    """Let some of the calls of `dvc repro` fail, and of all that it starts."""
    command = traced(_log(study), "--seccomp-bpf")
    forget(study)
    study.run(*command, *LISTING, "dvc", "repro")
    # Of the others there are names that are drawn anew in every run.
    calls = [call for call in writing_calls(_log(study), study.root, RESULTS) if not _DRAWN.search(call.path)]
    outcome = Outcome("", _SURVIVAL)
    for call in random.Random(SEED).sample(calls, len(calls)):
        error, reason = list(_ERRORS.items())[outcome.inflicted % len(_ERRORS)]
        forget(study)
        before = contents(study.root)
        running = study.start(*command, *call.failing(study.root, error, 0), "dvc", "repro")
        _, said = running.communicate()
        half, was_made = study.half_written(before), _has_failed(study)
        is_answer = reason in said and "Traceback" not in said
        answer = "" if is_answer else f"it ended with {running.returncode} and said: {said[-1000:]}"
        complaints = [answer if running.returncode else study.other_bytes(), half, *repro(study)]
        if was_made:
            outcome.add(*(f"{call} with {error}: {complaint}" for complaint in complaints if complaint))
        if outcome.inflicted == most:
            break
    outcome.fault = (
        f"each of {outcome.inflicted} of {len(calls):,} calls that write results in `dvc repro` fails, in one way"
    )
    return outcome
