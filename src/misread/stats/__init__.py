"""Statistics over additive counts: whether a difference between two systems is real, and how large it is.

A method takes arrays and answers with a frozen result. One test family per module.
"""

from misread.stats.bootstrap.intervals import basic_interval, bca_interval, percentile_interval
from misread.stats.bootstrap.jackknife import Estimate, degrees_of_freedom, jackknife_interval
from misread.stats.bootstrap.mean import Bounds, bootstrap_ci
from misread.stats.bootstrap.resampling import (
    bootstrap_sums,
    cluster_rows,
    poisson_bootstrap_sums,
    two_way_bootstrap_sums,
)
from misread.stats.compare.average_ranks import rank_over_clusters, rank_over_datasets
from misread.stats.compare.compact_letters import assign_letters
from misread.stats.compare.compare import compare_systems
from misread.stats.compare.groups import GroupRow, RobustnessRow, make_group_rows, robustness_curve
from misread.stats.compare.length_groups import LENGTH_COLUMN
from misread.stats.compare.null_simulation import NullSimulation, simulate_null
from misread.stats.compare.sc_stats import ScStats, compare_like_sc_stats, count_like_sc_stats
from misread.stats.compare.schema import (
    AverageRanks,
    DatasetResult,
    GroupResult,
    Influence,
    MetricResult,
    PairComparison,
    Rank,
    StatisticsFacts,
    Verdict,
    read_comparison,
)
from misread.stats.compare.settings import StatisticsSettings
from misread.stats.compare.shared_segments import share_segments
from misread.stats.planning.cluster_design import design_effect, effective_segments
from misread.stats.planning.power import detectable_difference, units_to_detect, units_to_equate
from misread.stats.results import ConfidenceInterval, TestResult
from misread.stats.significance.bootstrap import paired_bootstrap
from misread.stats.significance.corrections import Correction, adjust
from misread.stats.significance.equivalence import bootstrap_equivalence, jackknife_equivalence, paired_t_equivalence
from misread.stats.significance.friedman import average_ranks, friedman_test, iman_davenport
from misread.stats.significance.mapsswe import error_segments, mapsswe_test
from misread.stats.significance.mcnemar import mcnemar_test
from misread.stats.significance.nemenyi import NemenyiResult, RankedPair, nemenyi_test
from misread.stats.significance.paired_t import paired_t_test
from misread.stats.significance.randomisation import randomisation_test, sign_flip
from misread.stats.significance.sign import sign_test
from misread.stats.significance.wilcoxon import wilcoxon_signed_rank

__all__ = [
    "LENGTH_COLUMN",
    "AverageRanks",
    "Bounds",
    "ConfidenceInterval",
    "Correction",
    "DatasetResult",
    "Estimate",
    "GroupResult",
    "GroupRow",
    "Influence",
    "MetricResult",
    "NemenyiResult",
    "NullSimulation",
    "PairComparison",
    "Rank",
    "RankedPair",
    "RobustnessRow",
    "ScStats",
    "StatisticsFacts",
    "StatisticsSettings",
    "TestResult",
    "Verdict",
    "adjust",
    "assign_letters",
    "average_ranks",
    "basic_interval",
    "bca_interval",
    "bootstrap_ci",
    "bootstrap_equivalence",
    "bootstrap_sums",
    "cluster_rows",
    "compare_like_sc_stats",
    "compare_systems",
    "count_like_sc_stats",
    "degrees_of_freedom",
    "design_effect",
    "detectable_difference",
    "effective_segments",
    "error_segments",
    "friedman_test",
    "iman_davenport",
    "jackknife_equivalence",
    "jackknife_interval",
    "make_group_rows",
    "mapsswe_test",
    "mcnemar_test",
    "nemenyi_test",
    "paired_bootstrap",
    "paired_t_equivalence",
    "paired_t_test",
    "percentile_interval",
    "poisson_bootstrap_sums",
    "randomisation_test",
    "rank_over_clusters",
    "rank_over_datasets",
    "read_comparison",
    "robustness_curve",
    "share_segments",
    "sign_flip",
    "sign_test",
    "simulate_null",
    "two_way_bootstrap_sums",
    "units_to_detect",
    "units_to_equate",
    "wilcoxon_signed_rank",
]
