"""Run all studies, print the results, and write the tables of docs/calibration.md."""

from __future__ import annotations

import argparse
import math
import re
import sys
import time
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Final

import numba

from misread.version import __version__
from tools.calibrate.running import SEED, Finding, Study, run
from tools.calibrate.studies import STUDIES
from tools.parts import ROOT

PAGE = ROOT / "docs" / "calibration.md"
_DIGITS: Final = {
    "none": 2,
    "median": 2,
    "90 %": 2,
    "warned": 2,
    "covers if": 3,
    "if not": 3,
    "width": 2,
    "expected": 2,
    "to equate": 2,
    "median of these": 2,
}

_PAIRED: Final = {
    "truth below": "truth above",
    "median": "90 %",
    "covers if": "if not",
    "to equate": "median of these",
}
"""Figures that share a column."""


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
    """A table of the figures that any line has; samples without an interval are counted where widths are compared."""
    titles = list(dict.fromkeys(title for finding in findings for title in finding.figures))
    titles = titles if "median" in titles else [title for title in titles if title != "none"]
    seconds = {first: second for first, second in _PAIRED.items() if {first, second} <= {*titles}}
    columns = [(title, seconds.get(title)) for title in titles if title not in seconds.values()]
    headings = [title if second is None else f"{title} / {second}" for title, second in columns]
    rows = [f"| | {' | '.join(headings)} | band |", "|---" + "|---:" * len(columns) + "|---|"]
    for finding in findings:
        cells = [_cell(finding, [title for title in column if title is not None]) for column in columns]
        rows.append(f"| {' | '.join((finding.line.name, *cells, _band(finding)))} |")
    return rows


def _cell(finding: Finding, titles: Sequence[str]) -> str:
    """Figures of a column, empty if there is none."""
    figures = [(finding.figures.get(title, math.nan), _DIGITS.get(title, 4)) for title in titles]
    if all(math.isnan(figure) for figure, _ in figures):
        return ""
    return "/".join("–" if math.isnan(figure) else f"{figure:.{digits}f}" for figure, digits in figures)


def _band(finding: Finding) -> str:
    """Limits of the share, or of one side, in bold if the claim does not hold."""
    low, high = (f"{limit:{'.4f' if finding.line.claim.has_margin else 'g'}}" for limit in finding.band)
    one_sided = f"≥{low}" if finding.band[0] else f"≤{high}"
    band = f"{low}–{high}" if finding.band[0] > 0 and finding.band[1] < 1 else one_sided
    return band if finding.holds else f"**{band}**"


if __name__ == "__main__":
    main()
