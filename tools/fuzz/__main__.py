"""Give every reader thousands of broken inputs, and write the table into docs/reliability.md: `make fuzz`."""

from __future__ import annotations

import argparse
from typing import Final

from tools.fuzz.counts import compare_pairs
from tools.fuzz.running import Outcome, run
from tools.fuzz.targets import all_targets
from tools.parts import ROOT, read_part, replace_part

PAGE: Final = ROOT / "docs/reliability.md"
COMMAND: Final = "make fuzz"
HEADER: Final = ("| target | kind | inputs | accepted | refused | findings left |", "|---|---|---:|---:|---:|---:|")


def main() -> None:
    """Parse the command line and run; status 1 if something is found."""
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
    has_findings = False
    for target in map(targets.__getitem__, names):
        done = run(target, arguments.inputs, arguments.seed, ROOT / "build/fuzzing")
        # At once: a long run that is stopped keeps what it has.
        row = write_row(target.name, target.kind, done, list(targets))
        print(row, *(f"  FOUND {what}: {file}" for what, file in done.findings.items()), sep="\n", flush=True)
        has_findings |= bool(done.findings)
    if has_findings:
        raise SystemExit(1)


def write_row(name: str, kind: str, done: Outcome, names: list[str]) -> str:
    """Write the row of a target into the page; those of targets that are gone are dropped."""
    row = f"| {name} | {kind} | {done.inputs:,} | {done.accepted:,} | {done.refused:,} | {len(done.findings)} |"
    rows = {row.strip("| ").split(" | ")[0]: row for row in read_part(PAGE, COMMAND)[len(HEADER) :]} | {name: row}
    replace_part(PAGE, COMMAND, [*HEADER, *(rows[name] for name in names if name in rows)])
    return row


if __name__ == "__main__":
    main()
