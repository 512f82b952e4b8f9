"""Rendering of docs/calibration.md."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from misread.version import __version__
from tools.calibrate.mutants import Mutant
from tools.calibrate.populations import CLUSTER_DEVIATION, LONGEST, RESAMPLES, SEGMENT_DEVIATION, SHORTEST, USUAL_RATE
from tools.calibrate.relations import Relation
from tools.calibrate.running import SEED, Finding, Misses
from tools.calibrate.studies import Study

RELATIONS_ID = "S7"

INTRODUCTION = f"""# Calibration

`make calibrate` checks on simulated corpora with known error rates whether the tests and intervals of misread have
their nominal error rates, and writes this page. Reading the statistics of your own data is explained in the
[user guide](guide/reading-the-statistics.md); `misread calibrate` makes the same check with the clusters of your data.

A segment has {SHORTEST} to {LONGEST} words, all numbers equally likely. The logarithm of its word error probability is
log {USUAL_RATE:.2f} plus a normal term of its cluster (standard deviation {CLUSTER_DEVIATION}) plus one of its own
({SEGMENT_DEVIATION}), the same for all systems; each study says how systems differ. Bootstrap samples: {RESAMPLES}.

A band contains the observed share in 99.9 % of all runs if the claim is true (binomial, equal tails), or is the limit
that the claim names.
"""


def render(
    studies: Mapping[Study, Sequence[Finding]],
    relations: Mapping[Relation, bool],
    mutants: Mapping[Mutant, Sequence[Finding]],
) -> str:
    """Render the page as Markdown; `relations` says whether each holds."""
    sections = [(study.id, _study(study, findings)) for study, findings in studies.items()]
    sections.append((RELATIONS_ID, _relations(relations)))
    parts = [
        INTRODUCTION,
        f"Version {__version__}, seed {SEED}.\n",
        *(text for _, text in sorted(sections)),
        _mutants(mutants),
    ]
    return "\n".join(parts)


def _study(study: Study, findings: Sequence[Finding]) -> str:
    header = ["| | share | band | held |", "|---|---:|---|---|"]
    rows = [
        f"| {finding.line.name} | {finding.share:.4f} | {_band(finding)} | {_answer(finding.holds)} |"
        for finding in findings
    ]
    if all(finding.misses for finding in findings):
        # Lines without widths to compare, such as those of percentiles, have none in a table of widths.
        has_widths = any(finding.misses and finding.misses.median for finding in findings)
        titles = ["", "covers", "s.e.", "truth below", "truth above", "mean width"]
        titles += ["none", "median", "90 %", "warned", "covers if", "if not"] if has_widths else []
        header = [
            "| " + " | ".join([*titles, "band", "held"]) + " |",
            "|---" + "|---:" * (len(titles) - 1) + "|---|---|",
        ]
        rows = [_coverage(finding, finding.misses, has_widths=has_widths) for finding in findings if finding.misses]
    return "\n".join(
        [
            f"## {study.id} {study.title}",
            "",
            f"{study.words} {study.replications:,} samples.",
            "",
            *header,
            *rows,
            "",
        ]
    )


def _coverage(finding: Finding, misses: Misses, *, has_widths: bool) -> str:
    error = (finding.share * (1 - finding.share) / finding.replications) ** 0.5
    shares = [finding.share, error, misses.below, misses.above, misses.width]
    cells = [finding.line.name, *(f"{share:.4f}" for share in shares)]
    if has_widths:
        cells += _widths(misses)
    return "| " + " | ".join([*cells, _band(finding), _answer(finding.holds)]) + " |"


def _widths(misses: Misses) -> list[str]:
    """Share without an interval, widths over those of the plain interval, and coverage with and without a warning."""
    if not misses.median:
        return [f"{misses.none:.2f}", *[""] * 5]
    conditional = ("" if math.isnan(share) else f"{share:.3f}" for share in (misses.if_warned, misses.if_not))
    return [f"{misses.none:.2f}", f"{misses.median:.2f}", f"{misses.far:.2f}", f"{misses.warned:.2f}", *conditional]


def _band(finding: Finding) -> str:
    low, high = finding.band
    kind = finding.line.claim.kind
    words = {
        "is": f"{low:.4f} to {high:.4f}",
        "at_most": f"at most {high:.4f}",
        "at_least": f"at least {low:.4f}",
        "below": f"at most {high:g}",
        "above": f"at least {low:g}",
        "near": f"{low:.2f} to {high:.2f}",
        "grows": "above the line before",
    }
    return words[kind]


def _relations(relations: Mapping[Relation, bool]) -> str:
    rows = [f"| {relation.words} | {_answer(held)} |" for relation, held in relations.items()]
    return "\n".join([f"## {RELATIONS_ID} Relations that hold exactly", "", "| | held |", "|---|---|", *rows, ""])


def _mutants(mutants: Mapping[Mutant, Sequence[Finding]]) -> str:
    rows = []
    for mutant, findings in mutants.items():
        noticed = next((finding for finding in findings if not finding.holds), None)
        shown = noticed or findings[-1]
        claim = f"{mutant.study.id}, {shown.line.name}: {shown.share:.4f}, band {_band(shown)}"
        rows.append(f"| {mutant.name} | {claim} | {_answer(noticed is not None)} |")
    words = "Each fault is inserted into the source, and a claim that holds without it has to fail."
    header = ["| fault | effect | noticed |", "|---|---|---|"]
    return "\n".join(["## Inserted faults", "", words, "", *header, *rows, ""])


def _answer(held: bool) -> str:
    return "yes" if held else "**no**"
