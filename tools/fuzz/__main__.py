"""Give every reader thousands of broken inputs, and write the table into docs/reliability.md: `make fuzz`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tools.fuzz.counts import compare_pairs
from tools.fuzz.running import Outcome, run
from tools.fuzz.targets import all_targets
from tools.fuzz.worker import BY_SCHEMA, GROUP, ask_by_schema
from tools.parts import read_part, replace_part

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "build/fuzzing"
PAGE: Final = ROOT / "docs/reliability.md"
COMMAND: Final = "make fuzz"
HEADER: Final = ("| target | kind | inputs | accepted | refused | findings left |", "|---|---|---:|---:|---:|---:|")


def main() -> None:
    """Parse the command line and run; status 1 if something is found."""
    targets = all_targets()
    groups = {name: target.group for name, target in targets.items()} | {BY_SCHEMA: GROUP}
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="names, as --list prints them; without any, all")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print the names of targets, and end")
    arguments = parser.parse_args()
    if arguments.list:
        print(*groups, sep="\n")
        return
    for name in arguments.targets:
        if name not in groups:
            parser.error(f"no target is called {name!r}; see --list")
    if not arguments.targets:
        compare_pairs(100 * arguments.inputs, arguments.seed)
    has_findings = False
    for name in arguments.targets or groups:
        if name == BY_SCHEMA:
            done = ask_by_schema(arguments.inputs, arguments.seed)
        else:
            done = run(targets[name], arguments.inputs, arguments.seed, FOLDER)
        print(f"{name}: {done.inputs:,} inputs, {done.accepted:,} accepted, {done.refused:,} refused", flush=True)
        for what, file in done.findings.items():
            print(f"  FOUND {what}: {FOLDER / file}", flush=True)
            has_findings = True
        # At once: a long run that is stopped keeps what it has.
        write_row(done, groups)
    if has_findings:
        raise SystemExit(1)


def read_rows() -> dict[str, str]:
    """Rows of the page's table by target."""
    rows = read_part(PAGE, COMMAND)[len(HEADER) :]
    return {row.strip("| ").split(" | ")[0]: row for row in rows}


def write_row(done: Outcome, groups: Mapping[str, str]) -> None:
    """Write the row of a target into the page; those of targets that are gone are dropped."""
    figures = f"{done.inputs:,} | {done.accepted:,} | {done.refused:,} | {len(done.findings)}"
    rows = {**read_rows(), done.target: f"| {done.target} | {groups[done.target]} | {figures} |"}
    replace_part(PAGE, COMMAND, [*HEADER, *(rows[name] for name in groups if name in rows)])


if __name__ == "__main__":
    main()
