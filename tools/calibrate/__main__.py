"""Run all studies and relations, print the results, and write the tables of docs/calibration.md."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numba

from tools.calibrate.page import render
from tools.calibrate.relations import RELATIONS, check
from tools.calibrate.running import Finding, run
from tools.calibrate.studies import STUDIES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "calibration.md"


def main() -> None:
    """Parse the command line and run; status 1 if a claim does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tools.calibrate", description=__doc__)
    parser.add_argument("--replications", type=float, default=1.0, help="factor for the samples of each study")
    parser.add_argument("--only", default="", help="regular expression for the ids of studies to run; writes nothing")
    arguments = parser.parse_args()
    # Arrays are small, so a second thread would mostly wait.
    numba.config.NUMBA_NUM_THREADS = 1
    started = time.process_time()
    studies = {}
    for study in STUDIES:
        if re.search(arguments.only, study.id):
            print(study.id, flush=True)
            studies[study] = run(study, scale=arguments.replications)
            _print(studies[study])
    failed = [finding.line.name for findings in studies.values() for finding in findings if not finding.holds]
    if not arguments.only:
        relations = {relation: check(holds) for relation, holds in RELATIONS.items()}
        for relation, held in relations.items():
            print(f"  {'held' if held else 'BROKEN':7}{relation}", flush=True)
        failed += [relation for relation, held in relations.items() if not held]
        PAGE.write_text(render(PAGE.read_text(encoding="utf-8"), studies, relations), encoding="utf-8")
    print(f"{(time.process_time() - started) / 60:.1f} minutes of CPU time")
    if failed:
        sys.exit(f"{len(failed)} claims do not hold: {'; '.join(failed)}")


def _print(findings: Sequence[Finding]) -> None:
    for finding in findings:
        low, high = finding.band
        mark = "held" if finding.holds else "BROKEN"
        print(f"  {mark:7}{finding.share:.4f}  [{low:.4f}, {high:.4f}]  {finding.line.name}", flush=True)


if __name__ == "__main__":
    main()
