"""Ask every scorer all cases and write who differs where: `python -m tools.conformance [--complete] [--page]`.

It writes conformance/answers.json and the table of docs/reference/conformance.md.
"""

import argparse
import json
from pathlib import Path

from conformance.runners import serve

from tools.conformance.completion import CASES, complete, runner, write_cases
from tools.conformance.families import FAMILIES, write_families
from tools.conformance.matrix import ANSWERS, COMMAND, PAGE, render, write_answers
from tools.parts import replace_part


def complete_files() -> None:
    """Write all files of cases anew: families from their lists, and what cases by hand lack."""
    if not Path(runner("sclite").PROGRAM).is_file():
        raise SystemExit("sclite is missing, and it holds cases: apt-get install sctk")
    write_families()
    families = {name for name, _ in FAMILIES.values()}
    for path in sorted(CASES.glob("*.json")):
        if path.stem not in families:
            file = json.loads(path.read_text(encoding="utf-8"))
            write_cases(path, file["subject"], map(complete, file["cases"]))


def main() -> None:
    """Complete cases, ask scorers, write the page."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--complete", action="store_true", help="fill in what cases lack, and ask nobody")
    parser.add_argument("--page", action="store_true", help="write the page from the answers that are there")
    arguments = parser.parse_args()
    if arguments.complete:
        complete_files()
        return
    cases = serve.read_cases()
    if not arguments.page:
        write_answers(cases)
    replace_part(PAGE, COMMAND, render(json.loads(ANSWERS.read_text(encoding="utf-8")), cases))


if __name__ == "__main__":
    main()
