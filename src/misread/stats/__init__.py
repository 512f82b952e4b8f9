"""Statistics over additive counts: whether a difference between two systems is real, and how large it is.

A method takes arrays and answers with a frozen result. One test family a module.
"""

from __future__ import annotations

from misread.stats.average_ranks import rank_over_clusters, rank_over_datasets
from misread.stats.bootstrap import paired_bootstrap
from misread.stats.bootstrap_mean import Bounds, bootstrap_ci
from misread.stats.compare import compare
from misread.stats.comparison import (
    DatasetResult,
    GroupResult,
    InfluenceResult,
    Interval,
    MetricResult,
    PairResult,
    ParityResult,
    RankResult,
    RanksResult,
    StatisticsFacts,
    Verdict,
)
from misread.stats.comparison_file import read_comparison
from misread.stats.corrections import Correction, adjust
from misread.stats.design_effect import design_effect, effective_segments
from misread.stats.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence
from misread.stats.friedman import average_ranks, friedman, iman_davenport
from misread.stats.group_rows import GroupRow, RobustnessRow, group_rows, parity_of_groups, robustness_curve
from misread.stats.intervals import basic_interval, bca_interval, percentile_interval
from misread.stats.jackknife import Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.length_groups import LENGTH_COLUMN
from misread.stats.letters import compact_letters
from misread.stats.mapsswe import error_segments, mapsswe
from misread.stats.mcnemar import mcnemar
from misread.stats.nemenyi import NemenyiResult, nemenyi
from misread.stats.null_simulation import NullSimulation, simulate_null
from misread.stats.paired_t import paired_t
from misread.stats.poisson_bootstrap import poisson_bootstrap_sums
from misread.stats.power import detectable_difference, units_to_detect, units_to_equate
from misread.stats.randomisation import randomisation, sign_flip
from misread.stats.resampling import bootstrap_sums, cluster_rows
from misread.stats.results import ConfidenceInterval, TestResult
from misread.stats.sc_stats import ScStats, compare_like_sc_stats, sc_stats
from misread.stats.settings import Statistics
from misread.stats.shared_segments import share_segments
from misread.stats.sign import sign_test
from misread.stats.two_way import two_way_bootstrap_sums
from misread.stats.wilcoxon import wilcoxon_signed_rank

__all__ = [
    "LENGTH_COLUMN",
    "Bounds",
    "ConfidenceInterval",
    "Correction",
    "DatasetResult",
    "Estimate",
    "GroupResult",
    "GroupRow",
    "InfluenceResult",
    "Interval",
    "MetricResult",
    "NemenyiResult",
    "NullSimulation",
    "PairResult",
    "ParityResult",
    "RankResult",
    "RanksResult",
    "RobustnessRow",
    "ScStats",
    "Statistics",
    "StatisticsFacts",
    "TestResult",
    "Verdict",
    "adjust",
    "average_ranks",
    "basic_interval",
    "bca_interval",
    "bootstrap_ci",
    "bootstrap_equivalence",
    "bootstrap_sums",
    "cluster_rows",
    "compact_letters",
    "compare",
    "compare_like_sc_stats",
    "degrees_of_freedom",
    "design_effect",
    "detectable_difference",
    "effective_segments",
    "error_segments",
    "friedman",
    "group_rows",
    "iman_davenport",
    "jackknife_equivalence",
    "jackknife_interval",
    "mapsswe",
    "mcnemar",
    "nemenyi",
    "paired_bootstrap",
    "paired_t",
    "paired_t_equivalence",
    "parity_of_groups",
    "percentile_interval",
    "poisson_bootstrap_sums",
    "randomisation",
    "rank_over_clusters",
    "rank_over_datasets",
    "read_comparison",
    "robustness_curve",
    "sc_stats",
    "share_segments",
    "sign_flip",
    "sign_test",
    "simulate_null",
    "two_way_bootstrap_sums",
    "units_to_detect",
    "units_to_equate",
    "wilcoxon_signed_rank",
]
