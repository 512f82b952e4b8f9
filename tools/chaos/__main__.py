"""Inflict faults on a small study, print what became of its results, and write the table of docs/reliability.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from tools.chaos.faults import damage_files, inflict_disks, interrupt_stages, jump, kill_stages
from tools.chaos.stage_runs import load_stages
from tools.chaos.study import STAGES, Outcome, Study, make_study
from tools.chaos.whole_runs import inflict_on_runs
from tools.chaos.worker import serving, unplug_worker
from tools.parts import replace_part

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
COMMAND = "make chaos"
HEADER = ("| fault | survived is | inflicted | survived | bytes lost |", "|---|---|---:|---:|---:|")
SEED = 1

FAULTS: dict[str, Callable[[Study, int], Iterable[Outcome]]] = {
    "kills": lambda study, times: kill_stages(study, kills=times, seed=SEED),
    "interrupts": lambda study, _: [interrupt_stages(study, seed=SEED)],
    "disks": lambda study, _: inflict_disks(study),
    "damage": lambda study, times: damage_files(study, times=2 * times, seed=SEED),
    "clocks": lambda study, _: [jump(study, seed=SEED)],
    "worker": lambda study, times: [unplug_worker(study, times=times, seed=SEED)],
    "runs": lambda study, times: inflict_on_runs(study, kills=max(1, times // 10), seed=SEED),
}


def main() -> None:
    """Parse the command line and run; status 1 if a fault is not survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"{', '.join(FAULTS)}; without any, all, and the table is written")
    parser.add_argument("--times", type=int, default=50, help="kills of each stage; other faults are in proportion")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in FAULTS:
            parser.error(f"no faults are called {name!r}; there are: {', '.join(FAULTS)}")
    outcomes = []
    with serving() as judge, tempfile.TemporaryDirectory(prefix="misread-chaos-") as folder:
        study = make_study(Path(folder) / "study", judge)
        study.run("dvc", "repro")
        study.keep()
        load_stages({stage[0] for stage in STAGES})
        for name in arguments.names or FAULTS:
            for outcome in FAULTS[name](study, arguments.times):
                outcomes.append(outcome)
                print(show(outcome), *outcome.failures, sep="\n  ", flush=True)
    if not arguments.names:
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
