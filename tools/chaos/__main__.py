"""Inflict faults on a small study, print what became of its results, and write the table of docs/reliability.md."""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.chaos import faults
from tools.chaos.calls import fail_calls
from tools.chaos.stage_runs import load_stages
from tools.chaos.study import Outcome, Study, make_study
from tools.chaos.worker import serving, unplug_worker
from tools.parts import ROOT, replace_part

PAGE = ROOT / "docs" / "reliability.md"
COMMAND = "make chaos"
HEADER = ("| fault | survived is | inflicted | survived | bytes lost |", "|---|---|---:|---:|---:|")

FAULTS: dict[str, Callable[[Study, int], Iterator[Outcome]]] = {
    "kills": faults.kill_stages,
    "interrupts": faults.interrupt_stages,
    "disks": faults.inflict_disks,
    "damage": faults.damage_files,
    "clocks": faults.jump,
    "worker": unplug_worker,
    "twice": faults.run_twice_at_once,
    "calls": fail_calls,
    "runs": faults.inflict_on_runs,
}


def main() -> None:
    """Parse the command line and run; status 1 if a fault is not survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    told = f"{', '.join(FAULTS)}; all or none of them: all, and the table is written"
    parser.add_argument("names", nargs="*", choices=[*FAULTS, "all"], default="all", metavar="NAME", help=told)
    parser.add_argument("--times", type=int, default=50, help="kills of each stage; other faults are in proportion")
    arguments = parser.parse_args()
    outcomes = []
    with serving() as judge, tempfile.TemporaryDirectory(prefix="misread-chaos-") as folder:
        study = make_study(Path(folder) / "study", judge)
        study.run("dvc", "repro")
        study.keep()
        load_stages(study)
        for name in FAULTS if "all" in arguments.names else arguments.names:
            for outcome in FAULTS[name](study, arguments.times):
                outcomes.append(outcome)
                print(show(outcome), *outcome.failures, sep="\n  ", flush=True)
    if "all" in arguments.names:
        replace_part(PAGE, COMMAND, [*HEADER, *map(show, outcomes)])
    if failed := [outcome.fault for outcome in outcomes if outcome.failures]:
        sys.exit(f"not survived: {'; '.join(failed)}")


def show(outcome: Outcome) -> str:
    """Row of the table."""
    if outcome.skipped:
        return f"| {outcome.fault} | {outcome.skipped} | – | – | – |"
    figures = f"{outcome.inflicted:,} | {outcome.inflicted - len(outcome.failures):,} | {outcome.bytes_lost:,}"
    return f"| {outcome.fault} | {outcome.survival} | {figures} |"


if __name__ == "__main__":
    main()
