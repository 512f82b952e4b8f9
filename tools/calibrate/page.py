"""Tables of docs/calibration.md, whose text is written by hand."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from misread.version import __version__
from tools.calibrate.running import SEED, Finding, Study

_DIGITS: Final = {"none": 2, "median": 2, "90 %": 2, "warned": 2, "covers if": 3, "if not": 3}


def render(page: str, studies: Mapping[Study, Sequence[Finding]], relations: Mapping[str, bool]) -> str:
    """Replace the version and the table of every section; `relations` says whether each holds."""
    page = re.sub(r"^Version .*", f"Version {__version__}, seed {SEED}.", page, flags=re.MULTILINE)
    for study, findings in studies.items():
        page = _replace(page, study.id, _study(findings))
    held = [f"| {relation} | {_answer(is_so)} |" for relation, is_so in relations.items()]
    return _replace(page, "S7", ["| | held |", "|---|---|", *held])


def _replace(page: str, section: str, table: Sequence[str]) -> str:
    """Put a table in the place of the one of the section whose heading begins so."""
    heading, rest = re.split(rf"(?<=^## {section} )", page, maxsplit=1, flags=re.MULTILINE)
    lines = "".join(f"{row}\n" for row in table)
    return heading + re.sub(r"(?:^\|.*\n)+", lambda _: lines, rest, count=1, flags=re.MULTILINE)


def _study(findings: Sequence[Finding]) -> list[str]:
    """A table of the figures that any line has; samples without an interval are counted where widths are compared."""
    titles = list(dict.fromkeys(title for finding in findings for title in finding.figures))
    titles = titles if "median" in titles else [title for title in titles if title != "none"]
    rows = [f"| | {' | '.join(titles)} | band | held |", "|---" + "|---:" * len(titles) + "|---|---|"]
    for finding in findings:
        cells = [_number(title, finding.figures.get(title, math.nan)) for title in titles]
        rows.append(f"| {' | '.join((finding.line.name, *cells, _band(finding), _answer(finding.holds)))} |")
    return rows


def _number(title: str, figure: float) -> str:
    return "" if math.isnan(figure) else f"{figure:.{_DIGITS.get(title, 4)}f}"


def _band(finding: Finding) -> str:
    low, high = finding.band
    return {
        "is": f"{low:.4f} to {high:.4f}",
        "at_most": f"at most {high:.4f}",
        "at_least": f"at least {low:.4f}",
        "below": f"at most {high:g}",
        "above": f"at least {low:g}",
        "near": f"{low:.2f} to {high:.2f}",
        "grows": "above the line before",
    }[finding.line.claim.kind]


def _answer(held: bool) -> str:
    return "yes" if held else "**no**"
