"""Tables of docs/calibration.md, whose text is written by hand."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping, Sequence

from misread.version import __version__
from tools.calibrate.mutants import Mutant
from tools.calibrate.running import SEED, Finding, Misses, Study


def render(
    page: str,
    studies: Mapping[Study, Sequence[Finding]],
    relations: Mapping[str, bool],
    mutants: Mapping[Mutant, Sequence[Finding]],
) -> str:
    """Replace the version and the table of every section; `relations` says whether each holds."""
    page = re.sub(r"^Version .*", f"Version {__version__}, seed {SEED}.", page, flags=re.MULTILINE)
    for study, findings in studies.items():
        page = _replace(page, study.id, _study(findings))
    held = [f"| {relation} | {_answer(is_so)} |" for relation, is_so in relations.items()]
    page = _replace(page, "S7", ["| | held |", "|---|---|", *held])
    noticed = [_mutant(mutant, findings) for mutant, findings in mutants.items()]
    return _replace(page, "Inserted", ["| fault | effect | noticed |", "|---|---|---|", *noticed])


def _replace(page: str, section: str, table: Sequence[str]) -> str:
    """Put a table in the place of the one of the section whose heading begins so."""
    heading, rest = re.split(rf"(?<=^## {section} )", page, maxsplit=1, flags=re.MULTILINE)
    lines = "".join(f"{row}\n" for row in table)
    return heading + re.sub(r"(?:^\|.*\n)+", lambda _: lines, rest, count=1, flags=re.MULTILINE)


def _study(findings: Sequence[Finding]) -> list[str]:
    if not all(finding.misses for finding in findings):
        rows = [(finding.line.name, f"{finding.share:.4f}") for finding in findings]
        return _table(["", "share"], rows, findings)
    # Lines without widths to compare, such as those of percentiles, have none in a table of widths.
    has_widths = any(finding.misses and finding.misses.median for finding in findings)
    titles = ["", "covers", "s.e.", "truth below", "truth above", "mean width"]
    titles += ["none", "median", "90 %", "warned", "covers if", "if not"] if has_widths else []
    covered = [(finding, finding.misses) for finding in findings if finding.misses]
    rows = [_coverage(finding, misses, has_widths=has_widths) for finding, misses in covered]
    return _table(titles, rows, findings)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], findings: Sequence[Finding]) -> list[str]:
    """A table whose last columns are the band and whether the claim holds."""
    ends = [(_band(finding), _answer(finding.holds)) for finding in findings]
    lines = [" | ".join(cells) for cells in ((*titles, "band", "held"), *map(operator.add, map(tuple, rows), ends))]
    rule = "|---" + "|---:" * (len(titles) - 1) + "|---|---|"
    # The first title is empty.
    return [f"|{lines[0]} |", rule, *(f"| {line} |" for line in lines[1:])]


def _coverage(finding: Finding, misses: Misses, *, has_widths: bool) -> list[str]:
    """Shares that cover and miss, and widths over those of the plain interval where these are compared."""
    error = (finding.share * (1 - finding.share) / finding.replications) ** 0.5
    shares = [finding.share, error, misses.below, misses.above, misses.width]
    cells = [finding.line.name, *(f"{share:.4f}" for share in shares)]
    if not has_widths:
        return cells
    if not misses.median:
        return [*cells, f"{misses.none:.2f}", *[""] * 5]
    shown = (misses.none, misses.median, misses.far, misses.warned)
    conditional = ("" if math.isnan(share) else f"{share:.3f}" for share in (misses.if_warned, misses.if_not))
    return [*cells, *(f"{share:.2f}" for share in shown), *conditional]


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


def _mutant(mutant: Mutant, findings: Sequence[Finding]) -> str:
    noticed = next((finding for finding in findings if not finding.holds), None)
    shown = noticed or findings[-1]
    claim = f"{mutant.study.id}, {shown.line.name}: {shown.share:.4f}, band {_band(shown)}"
    return f"| {mutant.name} | {claim} | {_answer(noticed is not None)} |"


def _answer(held: bool) -> str:
    return "yes" if held else "**no**"
