"""Write docs/explanation/published-rankings.md: `python -m tools.rankings [--data FOLDER] [--add SET:NAME=FILE]`.

With the folder that has the public sets, errors are counted again (earnings21 takes minutes), with the outputs of
further systems: CSV files with the columns id and text.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tools.parts import replace_part
from tools.rankings.counts import count, write_counts
from tools.rankings.page import FINDINGS, PAGE, TABLES, render_findings, render_tables, tabulate_all
from tools.rankings.sets import RANKINGS


def main() -> None:
    """Count, if there are texts, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tools.rankings", description=__doc__)
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", help="folder of the public sets; without it, nothing is counted"
    )
    parser.add_argument("--set", choices=[*RANKINGS], action="append", help="sets to count; else all")
    parser.add_argument("--add", action="append", default=[], metavar="SET:NAME=FILE", help="a system of your own")
    arguments = parser.parse_args()
    own_files: dict[str, dict[str, Path]] = {name: {} for name in RANKINGS}
    for text in arguments.add:
        place, _, path = text.partition("=")
        name, _, system = place.partition(":")
        if name not in RANKINGS or not system or not path:
            parser.error(f"--add {text}: expected SET:NAME=FILE, with a set of {', '.join(RANKINGS)}")
        own_files[name][system] = Path(path)
    if arguments.add and not arguments.data:
        parser.error("--add needs --data: the references are there")
    if arguments.data:
        for name in arguments.set or RANKINGS:
            write_counts(name, count(name, arguments.data, own_files[name]))
    tables = tabulate_all()
    replace_part(PAGE, TABLES, render_tables(tables))
    replace_part(PAGE, FINDINGS, render_findings(tables))


if __name__ == "__main__":
    main()
