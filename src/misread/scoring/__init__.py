"""The score stage: counts of every metric, and the alignments and confusions behind them."""

from misread.scoring.ablation import AblationResult, AblationSettings, ablate
from misread.scoring.counts import ScoredSystem, score
from misread.scoring.crosscheck import CrossCheckSettings, cross_check
from misread.scoring.reference_digests import ReferenceDigests

__all__ = [
    "AblationResult",
    "AblationSettings",
    "CrossCheckSettings",
    "ReferenceDigests",
    "ScoredSystem",
    "ablate",
    "cross_check",
    "score",
]
