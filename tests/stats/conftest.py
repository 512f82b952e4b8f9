"""Systems made by hand from their errors a segment, and numbers that others have published."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.made_results import share_errors

from misread.sockets import METRICS
from misread.stats import PairComparison, Rank, StatisticsSettings
from misread.stats.compare.bootstrap_replicates import draw_replicates
from misread.stats.compare.ranking import rank_systems
from misread.stats.compare.system_pair import gather_pairs
from misread.stats.compare.verdicts import compare_pair


@pytest.fixture(scope="module", autouse=True)
def kernels(machine_code):
    """Tests of the draws are tests of the kernels; that NumPy does the same is in one file."""


@pytest.fixture(scope="session")
def published_numbers():
    """Data, statistics and p-values of papers and other programs; `sources` says of which."""
    return json.loads(Path(__file__).with_name("published.json").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Compared:
    pairs: list[PairComparison]
    places: dict[str, Rank]

    @property
    def pair(self) -> PairComparison:
        (pair,) = self.pairs
        return pair


def compare_errors(systems, lengths=10, clusters=None, metric="cer", **settings):
    """Every pair of systems, whose errors are all substitutions; the first is the baseline."""
    shared = share_errors(systems, lengths, clusters, metric)
    options = StatisticsSettings(**{"seed": 1, "resamples": 499, "correction": "none"} | settings)
    of = METRICS[metric]
    replicates = draw_replicates(shared, [of], options)[metric]
    tested = gather_pairs(replicates, next(iter(systems)))
    return Compared([compare_pair(each) for each in tested], rank_systems(replicates, tested))


@pytest.fixture(scope="session")
def compared():
    return compare_errors
