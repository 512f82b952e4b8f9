"""Give every reader thousands of broken inputs, and write the table into docs/reliability.md: `make fuzz`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from tools.fuzz.outcomes import Outcome
from tools.parts import read_part, replace_part

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = ROOT / "build/fuzzing"
PAGE: Final = ROOT / "docs/reliability.md"
COMMAND: Final = "make fuzz"
HEADER: Final = ("| target | kind | inputs | accepted | refused | findings left |", "|---|---|---:|---:|---:|---:|")


def main() -> None:
    """Parse the command line and run; status 1 if something is found."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="names, as --list prints them; without any, all")
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--left", action="store_true", help="leave out what had as many inputs and no finding")
    parser.add_argument(
        "--guided", action="store_true", help="choose inputs by what they reach; the table stays as it is"
    )
    parser.add_argument("--list", action="store_true", help="print the names of targets, and end")
    arguments = parser.parse_args()
    if arguments.guided:
        known = subprocess.run(
            [sys.executable, "-m", "tools.fuzz", "--list"], check=True, capture_output=True, text=True
        )
        _require_known(parser, arguments.targets, known.stdout.splitlines())
        found = _run_guided(arguments.targets, arguments.inputs, arguments.seed)
    else:
        found = _run_all(parser, arguments)
    if found:
        raise SystemExit(1)


def _run_guided(names: Sequence[str], inputs: int, seed: int) -> bool:
    """Run targets, each with a fresh misread; whether something was found."""
    from tools.fuzz.guided import run_guided

    found = False
    for name in names:
        found |= _say(run_guided(name, inputs, seed, FOLDER))
    return found


def _run_all(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> bool:
    from tools.fuzz.running import run
    from tools.fuzz.targets import all_targets
    from tools.fuzz.worker import BY_SCHEMA, GROUP, ask_by_schema

    targets = all_targets()
    groups = {name: target.group for name, target in targets.items()} | {BY_SCHEMA: GROUP}
    if arguments.list:
        print(*groups, sep="\n")
        return False
    _require_known(parser, arguments.targets, groups)
    found = False
    for name in arguments.targets or groups:
        if arguments.left and _is_done(read_rows().get(name, ""), arguments.inputs):
            continue
        if name == BY_SCHEMA:
            done = ask_by_schema(arguments.inputs, arguments.seed)
        else:
            done = run(targets[name], arguments.inputs, arguments.seed, FOLDER)
        found |= _say(done)
        # At once: a long run that is stopped keeps what it has.
        write_row(done, groups)
    return found


def _require_known(parser: argparse.ArgumentParser, names: Iterable[str], known: Container[str]) -> None:
    for name in names:
        if name not in known:
            parser.error(f"no target is called {name!r}; see --list")


def _say(done: Outcome) -> bool:
    """Print what came of a target; whether something was found."""
    print(f"{done.target}: {done.inputs:,} inputs, {done.accepted:,} accepted, {done.refused:,} refused", flush=True)
    for what, file in done.findings.items():
        print(f"  FOUND {what}: {FOLDER / file}", flush=True)
    return bool(done.findings)


def read_rows() -> dict[str, str]:
    """Rows of the page's table by target."""
    rows = read_part(PAGE, COMMAND)[len(HEADER) :]
    return {row.strip("| ").split(" | ")[0]: row for row in rows}


def _is_done(row: str, inputs: int) -> bool:
    """Whether a row is of as many inputs, and nothing is left of what they found."""
    cells = row.strip("| ").split(" | ")
    return len(cells) > 1 and int(cells[2].replace(",", "")) >= inputs and cells[-1] == "0"


def write_row(done: Outcome, groups: Mapping[str, str]) -> None:
    """Write the row of a target into the page; those of targets that are gone are dropped."""
    figures = f"{done.inputs:,} | {done.accepted:,} | {done.refused:,} | {len(done.findings)}"
    rows = {**read_rows(), done.target: f"| {done.target} | {groups[done.target]} | {figures} |"}
    replace_part(PAGE, COMMAND, [*HEADER, *(rows[name] for name in groups if name in rows)])


if __name__ == "__main__":
    main()
