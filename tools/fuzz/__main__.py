"""Give every reader thousands of broken inputs, and write the table into docs/reliability.md: `make fuzz`."""

import argparse
from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from tools.fuzz.counts import compare_pairs
from tools.fuzz.running import Outcome, run
from tools.fuzz.targets import all_targets
from tools.parts import ROOT, replace_part

PAGE: Final = ROOT / "docs/reliability.md"
COMMAND: Final = "make fuzz"
HEADER: Final = (
    "| what reads | readers | inputs | accepted | refused | findings left |",
    "|---|---:|---:|---:|---:|---:|",
)


def main() -> None:
    """Parse the command line and run; status 1 if something is found. A run of all targets writes the page."""
    targets = all_targets()
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    told = f"{', '.join(targets)}; all or none of them: all"
    parser.add_argument("targets", nargs="*", choices=[*targets, "all"], default="all", metavar="TARGET", help=told)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    names = [*targets] if "all" in arguments.targets else arguments.targets
    if len(names) == len(targets):
        compare_pairs(100 * arguments.inputs, arguments.seed)
    outcomes: dict[str, list[Outcome]] = {}
    for target in map(targets.__getitem__, names):
        done = run(target, arguments.inputs, arguments.seed, ROOT / "build/fuzzing")
        outcomes.setdefault(target.kind, []).append(done)
        print(describe(target.name, [done]), flush=True)
        for what, file in done.findings.items():
            print(f"  FOUND {what}: {file}", flush=True)
    if len(names) == len(targets):
        replace_part(PAGE, COMMAND, [*HEADER, *(describe(kind, done) for kind, done in outcomes.items())])
    if any(outcome.findings for kind in outcomes.values() for outcome in kind):
        raise SystemExit(1)


def describe(name: str, outcomes: Sequence[Outcome]) -> str:
    """Row of the table: what became of the inputs of some readers."""
    inputs, accepted, refused = (sum(map(attrgetter(what), outcomes)) for what in ("inputs", "accepted", "refused"))
    findings = sum(len(outcome.findings) for outcome in outcomes)
    return f"| {name} | {len(outcomes)} | {inputs:,} | {accepted:,} | {refused:,} | {findings} |"


if __name__ == "__main__":
    main()
