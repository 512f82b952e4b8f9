"""Give every reader thousands of broken inputs, and write the table into docs/reliability.md: `make fuzz`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from documents.parts import replace_part

from fuzzing.outcomes import Outcome
from fuzzing.running import run
from fuzzing.targets import all_targets
from fuzzing.worker import BY_SCHEMA, GROUP, ask_by_schema

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/fuzzing"
ENDING = ".outcome.json"


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m fuzzing", description=__doc__)
    parser.add_argument("targets", nargs="*", help="names, as --list prints them; without any, all")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--left", action="store_true", help="leave out what had as many inputs and no finding")
    parser.add_argument("--list", action="store_true", help="print the names of targets, and end")
    arguments = parser.parse_args()
    targets = all_targets()
    names = [*targets, BY_SCHEMA]
    if arguments.list:
        print(*names, sep="\n")
        return
    for name in arguments.targets:
        if name not in names:
            parser.error(f"no target is called {name!r}; see --list")
    known = read_outcomes()
    found = False
    for name in arguments.targets or names:
        before = known.get(name)
        if arguments.left and before and before.inputs >= arguments.inputs and not before.findings:
            continue
        if name == BY_SCHEMA:
            done = ask_by_schema(arguments.inputs, arguments.seed)
        else:
            done = run(targets[name], arguments.inputs, arguments.seed, FOLDER)
        (FOLDER / f"{name}{ENDING}").write_text(json.dumps(asdict(done), indent=1), encoding="utf-8")
        print(f"{name}: {done.inputs:,} inputs, {done.accepted:,} accepted, {done.refused:,} refused", flush=True)
        for what, file in done.findings.items():
            print(f"  FOUND {what}: {FOLDER / file}", flush=True)
        found |= bool(done.findings)
    write_table({name: target.group for name, target in targets.items()} | {BY_SCHEMA: GROUP}, read_outcomes())
    if found:
        raise SystemExit(1)


def read_outcomes() -> dict[str, Outcome]:
    """The last outcome of every target."""
    found = (Outcome(**json.loads(path.read_text(encoding="utf-8"))) for path in FOLDER.glob(f"*{ENDING}"))
    return {each.target: each for each in found}


def write_table(groups: Mapping[str, str], outcomes: Mapping[str, Outcome]) -> None:
    """Write the rows of all targets that were tried into the page."""
    rows = ["| target | kind | inputs | accepted | refused | findings left |", "|---|---|---:|---:|---:|---:|"]
    for name, group in groups.items():
        if done := outcomes.get(name):
            rows.append(
                f"| {name} | {group} | {done.inputs:,} | {done.accepted:,} | {done.refused:,} | {len(done.findings)} |"
            )
    replace_part(ROOT / "docs/reliability.md", "make fuzz", rows)


if __name__ == "__main__":
    main()
