"""A short gate of `make calibrate`: on made-up corpora, tests and intervals keep their promises, within wide bands."""

from dataclasses import replace

import pytest
from tools.calibrate.running import run
from tools.calibrate.studies import BY_ID

GATE = [
    (BY_ID["S1"], 0.1, ("randomisation", "bootstrap", "Wilcoxon", "paired t", "sign", "MAPSSWE")),
    (BY_ID["S2"], 0.2, ("randomisation by cluster", "randomisation by segment", "paired t")),
    (BY_ID["S3"], 0.1, ("rate, 100 segments, bca", "difference, 100 segments, percentile")),
    (BY_ID["S5"], 0.1, ("no correction", "Holm")),
    (BY_ID["S6"], 0.1, ("bootstrap, at the margin", "jackknife, at the margin", "Student, at the margin")),
    (BY_ID["S10"], 0.1, ("rate, 12 clusters, an effect, crossed",)),
    (BY_ID["S11"], 0.1, ("jackknife, runs crossed, an effect", "effect of runs, where there is none")),
    (BY_ID["S8"], 0.3, ("randomisation, 100 segments", "randomisation by cluster, 20 clusters")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("study", "scale", "lines"), GATE, ids=lambda of: getattr(of, "id", ""))
def test_every_claim_holds(study, scale, lines):
    broken = [finding for finding in run(study, scale=scale, only=lines) if not finding.holds]
    assert not broken


FEW = "strong, unequal, 12 clusters"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study", "chosen"), [(BY_ID["S9"], f"{FEW}, jackknife"), (BY_ID["S9b"], FEW)], ids=["S9", "S9b"]
)
def test_few_strong_clusters_are_covered_by_the_default_and_not_by_percentiles(study, chosen):
    default, percentile = run(replace(study, replications=600), only=[chosen, f"{FEW}, percentile"])
    promise = default.line.claim
    assert default.holds
    assert not promise.holds(percentile.share, percentile.replications)
