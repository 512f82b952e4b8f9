"""Run all studies, print the results, and write the tables of docs/calibration.md."""

import argparse
import math
import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

import numba

from misread.version import __version__
from tools.calibrate.running import SEED, Finding, Study, run
from tools.calibrate.studies import STUDIES
from tools.parts import ROOT

PAGE = ROOT / "docs" / "calibration.md"
_TWO_DIGITS: Final = ("none", "shown", "median", "90 %", "warned", "width", "expected", "to equate", "median of these")
_DIGITS: Final = dict.fromkeys(_TWO_DIGITS, 2) | {"covers if": 3, "if not": 3}

_NUMBER: Final = re.compile(r"\b\d+(?= |%)(?!.*\b\d+(?: |%))")
"""The number in which rows differ that share a line: the last one with a noun."""


def main() -> None:
    """Parse the command line and run; status 1 if a claim does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibrate", description=__doc__)
    parser.add_argument("part", nargs="?", choices=("all", "sequential"), default="all", help="studies to run")
    parser.add_argument("--replications", type=float, default=1.0, help="factor for the samples of each study")
    parser.add_argument("--only", default="", help="regular expression for the ids of studies to run; writes nothing")
    arguments = parser.parse_args()
    # Arrays are small, so a second thread would mostly wait.
    numba.config.NUMBA_NUM_THREADS = 1
    started = time.process_time()
    studies = {}
    for study in STUDIES if arguments.part == "all" else filter(attrgetter("is_in_bulk"), STUDIES):
        if re.search(arguments.only, study.id):
            studies[study] = run(study, scale=arguments.replications)
            print(study.id, *_table(studies[study]), sep="\n", flush=True)
    failed = [finding.line.name for findings in studies.values() for finding in findings if not finding.holds]
    if not arguments.only:
        version = __version__ if arguments.part == "all" else None
        PAGE.write_text(render(PAGE.read_text(encoding="utf-8"), studies, version), encoding="utf-8")
    print(f"{(time.process_time() - started) / 60:.1f} minutes of CPU time")
    if failed:
        sys.exit(f"{len(failed)} claims do not hold: {'; '.join(failed)}")


def render(page: str, studies: Mapping[Study, Sequence[Finding]], version: str | None = __version__) -> str:
    """Replace the version, unless there is none, and the table of each section: its heading begins with the study."""
    if version is not None:
        page = re.sub(r"^Version .*", f"Version {version}, seed {SEED}.", page, flags=re.MULTILINE)
    for study, findings in studies.items():
        heading, rest = re.split(rf"(?<=^## {study.id} )", page, maxsplit=1, flags=re.MULTILINE)
        lines = "".join(f"{row}\n" for row in _table(findings))
        page = heading + re.sub(r"(?:^\|.*\n)+", lambda _, lines=lines: lines, rest, count=1, flags=re.MULTILINE)
    return page


def _table(findings: Sequence[Finding]) -> list[str]:
    """A table of the figures that any line has; samples without an interval are counted where widths are compared.

    The truth lies below an interval that neither covers it nor lies below it.
    """
    titles = list(dict.fromkeys(title for finding in findings for title in finding.figures))
    left_out = {"truth below"} if "median" in titles else {"truth below", "none"}
    titles = [title for title in titles if title not in left_out]
    rows = [[finding.line.name, *(_cell(finding, title) for title in titles), _band(finding)] for finding in findings]
    head = [f"| | {' | '.join(titles)} | band |", "|---" + "|---:" * len(titles) + "|---|"]
    return [*head, *(f"| {' | '.join(row)} |" for row in _fold(rows))]


def _fold(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """One row for those whose names differ in a number alone, its cells joined by slashes, or one if all are equal."""
    groups: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        groups.setdefault(_NUMBER.sub("#", row[0]), []).append(row)
    folded: list[list[str]] = []
    for group in groups.values():
        numbers = [match[0] for row in group if (match := _NUMBER.search(row[0]))]
        cells = [[cell or "–" for cell in column] for column in zip(*(row[1:] for row in group), strict=True)]
        shown = ["/".join(column if len({*column}) > 1 else column[:1]) for column in cells]
        folded.append([_NUMBER.sub("/".join(numbers), group[0][0]), *shown])
    return folded


def _cell(finding: Finding, title: str) -> str:
    """A figure without the zero before its point, empty if there is none."""
    figure = finding.figures.get(title, math.nan)
    return "" if math.isnan(figure) else f"{figure:.{_DIGITS.get(title, 4)}f}".removeprefix("0")


def _band(finding: Finding) -> str:
    """Limits of the share, or of one side, in bold if the claim does not hold."""
    form = ".4f" if finding.line.claim.has_margin else "g"
    low, high = (f"{limit:{form}}".removeprefix("0") for limit in finding.band)
    one_sided = f"≥{low}" if finding.band[0] else f"≤{high}"
    band = f"{low}–{high}" if finding.band[0] > 0 and finding.band[1] < 1 else one_sided
    return band if finding.holds else f"**{band}**"


if __name__ == "__main__":
    main()
