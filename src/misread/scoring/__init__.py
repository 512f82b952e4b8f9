"""The score stage: counts of every metric, and the alignments and confusions behind them."""

from misread.scoring.ablation import AblationResult, AblationSettings, ablate
from misread.scoring.alignments import explain, nothing_to_explain, with_alignments
from misread.scoring.counts import not_applicable_scores, score
from misread.scoring.crosscheck import CrossCheckSettings, cross_check
from misread.scoring.reference_digests import ReferenceDigests

__all__ = [
    "AblationResult",
    "AblationSettings",
    "CrossCheckSettings",
    "ReferenceDigests",
    "ablate",
    "cross_check",
    "explain",
    "not_applicable_scores",
    "nothing_to_explain",
    "score",
    "with_alignments",
]
