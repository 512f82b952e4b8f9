"""Insert faults into the package and run the tests that cover each: `make mutants`."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from documents.parts import replace_part

from mutation.bench import Bench
from mutation.covering import Covering
from mutation.equivalent import EQUIVALENT
from mutation.sites import Mutant, find_mutants

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build/mutation"
RESULTS = FOLDER / "results.jsonl"
PACKAGES = ("datasets", "metrics", "normalize", "revisions", "scoring", "stats")


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m mutation", description=__doc__)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true", help="ask slow tests as well, of those that survived")
    arguments = parser.parse_args()
    known = read_results()
    chosen = draw(arguments.mutants, arguments.seed)
    if arguments.again:
        chosen = [mutant for mutant in chosen if known.get(mutant.key) == "" and mutant.key not in EQUIVALENT]
    else:
        chosen = [mutant for mutant in chosen if mutant.key not in known]
    bench = Bench(ROOT, FOLDER / "copy", slow_tests=arguments.again)
    covering = Covering(bench.copy)
    for number, mutant in enumerate(chosen, 1):
        killer = kill(mutant, bench, covering.rings(mutant.module, far=arguments.again))
        with RESULTS.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"mutant": mutant.key, "killed_by": killer}, ensure_ascii=False) + "\n")
        print(f"{number}/{len(chosen)} {'killed by ' + killer if killer else 'SURVIVED'}: {mutant.key}", flush=True)
    known = read_results()
    killers = {killer for killer in known.values() if "::" in killer}
    for test in killers.intersection(bench.failures(sorted({killer.partition("::")[0] for killer in killers}))):
        print(f"NO PROOF, fails without a fault: {test}")
    write_table(draw(arguments.mutants, arguments.seed), known)


def draw(number: int, seed: int) -> list[Mutant]:
    """So many faults, the same as long as they are there, whatever else changes in the package."""
    found = [mutant for module, source in modules() for mutant in find_mutants(module, source)]
    return sorted(found, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.key}".encode()).digest())[:number]


def modules() -> Iterator[tuple[str, bytes]]:
    """Path below the package and content of every module that is looked at."""
    package = ROOT / "src/misread"
    for name in PACKAGES:
        for path in sorted((package / name).rglob("*.py")):
            yield path.relative_to(package).as_posix(), path.read_bytes()


def kill(mutant: Mutant, bench: Bench, rings: Iterable[Sequence[str]]) -> str:
    """Test that fails with the fault, or what ended the tests; "" if they all pass."""
    source = (bench.copy / "src/misread" / mutant.module).read_bytes()
    with bench.inserted(mutant.module, mutant.applied_to(source)):
        return next(filter(None, map(bench.first_failure, rings)), "")


def read_results() -> dict[str, str]:
    """What became of the faults that were tried before; the last word counts."""
    if not RESULTS.exists():
        return {}
    rows = map(json.loads, RESULTS.read_text(encoding="utf-8").splitlines())
    return {row["mutant"]: row["killed_by"] for row in rows}


def write_table(chosen: Sequence[Mutant], known: Mapping[str, str]) -> None:
    """Write how many were killed by package, and those that survived with the reason, into the page."""
    tried = [mutant for mutant in chosen if mutant.key in known]
    survived = [mutant for mutant in tried if not known[mutant.key]]
    rows = ["| package | tried | killed | equivalent | open |", "|---|---:|---:|---:|---:|"]
    for package in (*PACKAGES, ""):
        of = [mutant for mutant in tried if mutant.module.startswith(package)]
        left = Counter(mutant.key in EQUIVALENT for mutant in survived if mutant.module.startswith(package))
        rows.append(f"| {package or 'all'} | {len(of)} | {len(of) - left.total()} | {left[True]} | {left[False]} |")
    rows += ["", "| survivor | why |", "|---|---|"]
    for mutant in sorted(survived, key=lambda each: (each.key not in EQUIVALENT, each.key)):
        change = show_code(f"{mutant.old} -> {mutant.new}")
        scope = f"{mutant.module} {mutant.scope or 'module'}"
        rows.append(f"| {scope}: {change} | {EQUIVALENT.get(mutant.key, 'open: the tests that were asked pass')} |")
    replace_part(ROOT / "docs/reliability.md", "make mutants", rows)


def show_code(code: str) -> str:
    """Code in a cell of a table of Markdown."""
    return f"`{code.replace('|', chr(92) + '|')}`"


if __name__ == "__main__":
    main()
