"""Statistics over additive counts: whether a difference between two systems is real, and how large it is.

A method takes arrays and answers with a frozen result. One test family a module.
"""

from __future__ import annotations

from misread.stats.bootstrap import paired_bootstrap
from misread.stats.compare import compare
from misread.stats.comparison import DatasetResult, GroupResult, Interval, MetricResult, PairResult
from misread.stats.corrections import Correction, adjust
from misread.stats.design_effect import design_effect, effective_segments
from misread.stats.equivalence import bootstrap_equivalence, paired_t_equivalence
from misread.stats.friedman import average_ranks, friedman, iman_davenport
from misread.stats.intervals import basic_interval, bca_interval, percentile_interval
from misread.stats.mapsswe import error_segments, mapsswe
from misread.stats.mcnemar import mcnemar
from misread.stats.nemenyi import NemenyiResult, nemenyi
from misread.stats.paired_t import paired_t
from misread.stats.randomisation import randomisation, sign_flip
from misread.stats.resampling import bootstrap_sums, cluster_rows
from misread.stats.results import ConfidenceInterval, TestResult
from misread.stats.sc_stats import ScStats, compare_like_sc_stats, sc_stats
from misread.stats.settings import Statistics
from misread.stats.sign import sign_test
from misread.stats.wilcoxon import wilcoxon_signed_rank

__all__ = [
    "ConfidenceInterval",
    "Correction",
    "DatasetResult",
    "GroupResult",
    "Interval",
    "MetricResult",
    "NemenyiResult",
    "PairResult",
    "ScStats",
    "Statistics",
    "TestResult",
    "adjust",
    "average_ranks",
    "basic_interval",
    "bca_interval",
    "bootstrap_equivalence",
    "bootstrap_sums",
    "cluster_rows",
    "compare",
    "compare_like_sc_stats",
    "design_effect",
    "effective_segments",
    "error_segments",
    "friedman",
    "iman_davenport",
    "mapsswe",
    "mcnemar",
    "nemenyi",
    "paired_bootstrap",
    "paired_t",
    "paired_t_equivalence",
    "percentile_interval",
    "randomisation",
    "sc_stats",
    "sign_flip",
    "sign_test",
    "wilcoxon_signed_rank",
]
