"""A few of the faults of `make chaos`, without DVC: in one study, since to make it takes most of the time."""

import subprocess
import sys
from pathlib import Path

import pytest
from tools.chaos.study import Outcome
from tools.chaos.tracing import reason_not_to_trace

# Unlike each other: a journal, a journal and decisions, several tables. A report takes as long as all of them, and most
# of the time is that of `misread init` and of what a stage imports.
STAGES = ("capture lines reader", "judge lines asked", "score lines")
UNTOUCHED = ("check", "sensitivity", "report")
# What stages have in common is tried on one that asks others, and on one that writes several files.
ASKING = ("capture lines reader", "score lines")

PROGRAM = f"""\
UNTOUCHED, ASKING = {UNTOUCHED}, {ASKING}
import sys
from pathlib import Path
from dataclasses import replace
from tools.chaos.faults import inflict_disks, interrupt_stages, jump, kill_stages, run_twice_at_once
from tools.chaos.calls import CAPTURE, fail_call, list_calls
from tools.chaos.stage_runs import load_stages, run_stage
from tools.chaos.study import STAGES, Outcome, make_study
from tools.chaos.tracing import reason_not_to_trace
from tools.chaos.worker import serving

with serving() as judge:
    study = make_study(Path(sys.argv[1]) / "study", judge)
    touched = tuple(stage for stage in STAGES if stage[0] not in UNTOUCHED)
    load_stages(replace(study, stages=touched))
    for stage in touched:
        ended = run_stage(study.root, stage)
        assert ended.status == 0, ended.said
    study.keep()
    killed = replace(study, stages=tuple(stage for stage in STAGES if " ".join(stage) in sys.argv[2:]))
    asking = replace(study, stages=tuple(stage for stage in STAGES if " ".join(stage) in ASKING))
    last = replace(study, stages=asking.stages[-1:])
    failed = Outcome("calls", "survived")
    if not reason_not_to_trace():
        calls = list_calls(study, CAPTURE)
        # To make a folder for temporary files, to write a reading, and to move the capture to its place.
        for call in (calls[5], next(call for call in calls if call.name == "write"), calls[-1]):
            fail_call(study, CAPTURE, call, failed)
    for outcome in (
        failed,
        *kill_stages(killed, 1),
        *interrupt_stages(asking, 1),
        *inflict_disks(asking, 1),
        *jump(asking, 1),
        *run_twice_at_once(last, 1),
    ):
        print(outcome.inflicted, outcome.bytes_lost, outcome.fault, *outcome.failures, sep="|")
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """What was inflicted, lost and not survived, by the name of the fault."""
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path_factory.mktemp("chaos")), *STAGES],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = (line.split("|") for line in done.stdout.splitlines())
    return {fault: (int(inflicted), int(lost), failures) for inflicted, lost, fault, *failures in found}


@pytest.mark.process
@pytest.mark.slow
def test_a_stage_that_is_killed_leaves_nothing_half_written_and_gives_the_same_bytes_again(outcomes):
    assert {fault: of for fault, of in outcomes.items() if fault.startswith("kill")} == {
        f"kill -9 of `{stage}`": (1, 0, []) for stage in STAGES
    }


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_stage_that_is_interrupted_says_so_in_one_line_and_gives_the_same_bytes_again(outcomes, name):
    assert outcomes[f"{name}, one per stage"] == (len(ASKING), 0, [])


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "times"),
    [
        ("disk full, one per stage", len(ASKING)),
        ("build/, data/judged/ or reports/ read-only, one per stage", len(ASKING)),
        ("no room for temporary files during a capture", 1),
    ],
)
def test_a_disk_that_is_full_or_cannot_be_written_is_one_line_and_loses_nothing(outcomes, fault, times):
    inflicted, lost, failures = outcomes[fault]
    if not inflicted:
        pytest.skip("mounting is not allowed here")
    assert (inflicted, lost, failures) == (times, 0, [])


@pytest.mark.process
@pytest.mark.slow
def test_a_call_that_fails_is_one_line_and_loses_nothing(outcomes):
    if reason := reason_not_to_trace():
        pytest.skip(reason)
    assert outcomes["calls"] == (6, 0, [])


@pytest.mark.process
@pytest.mark.slow
def test_no_result_depends_on_a_clock_that_jumps(outcomes):
    assert outcomes["clock jumps by up to ten years, back and forth, one per stage"] == (len(ASKING), 0, [])


@pytest.mark.process
@pytest.mark.slow
def test_a_stage_that_runs_twice_at_once_gives_the_same_bytes(outcomes):
    assert outcomes["each stage twice at once"] == (1, 0, [])


def test_an_outcome_counts_what_was_not_survived():
    outcome = Outcome("a fault", "nothing is lost")
    outcome.add("", "")
    outcome.add("", "it was half-written", lost=3)
    assert (outcome.inflicted, outcome.bytes_lost) == (2, 3)
    assert outcome.failures == ["it was half-written; 3 bytes of readings were lost"]
