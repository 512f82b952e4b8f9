"""A few of the faults of `make chaos`, on a study without DVC's part."""

import subprocess
import sys
from pathlib import Path

import pytest
from chaos.outcome import Outcome

# Unlike each other: a table, a journal, tables and records, a journal and decisions, several tables, a record. A report
# takes as long as all of them, and most of the time is that of `misread init` and of what a stage imports.
STAGES = (
    "segments lines",
    "capture lines reader",
    "normalize lines",
    "judge lines asked",
    "score lines",
    "compare lines",
)
UNTOUCHED = ("codebase", "ablate", "regimes", "report")

PROGRAM = f"""\
UNTOUCHED = {UNTOUCHED}
import sys
from pathlib import Path
from chaos.kills import kill_stages
from chaos.servers import judging
from chaos.stage_runs import load_stages, run_stage
from chaos.study import STAGES, make_study

with judging() as judge:
    study = make_study(Path(sys.argv[1]) / "study", judge)
    load_stages()
    for stage in STAGES:
        if stage[0] not in UNTOUCHED:
            ended = run_stage(study.root, stage)
            assert ended.status == 0, ended.said
    study.keep()
    stages = [stage for stage in STAGES if " ".join(stage) in sys.argv[2:]]
    for outcome in kill_stages(study, stages, kills=1, seed=2):
        print(outcome.inflicted, outcome.bytes_lost, outcome.fault, *outcome.failures, sep="|")
"""


@pytest.mark.process
@pytest.mark.slow
def test_a_stage_that_is_killed_leaves_nothing_half_written_and_gives_the_same_bytes_again(tmp_path):
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), *STAGES], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found = [line.split("|") for line in done.stdout.splitlines()]
    assert found == [["1", "0", f"kill -9 of `{stage}`"] for stage in STAGES]


def test_an_outcome_counts_what_was_not_survived():
    outcome = Outcome("a fault", "nothing is lost")
    outcome.add("", "")
    outcome.add("", "it was half-written", lost=3)
    assert (outcome.inflicted, outcome.survived, outcome.bytes_lost) == (2, 1, 3)
    assert outcome.failures == ["it was half-written"]
