"""The score stage: counts of every metric, and the alignments and confusions behind them."""

from misread.scoring.ablation import AblationResult as AblationResult
from misread.scoring.ablation import AblationSettings as AblationSettings
from misread.scoring.ablation import ablate as ablate
from misread.scoring.counts import ScoredSystem as ScoredSystem
from misread.scoring.counts import score as score
from misread.scoring.crosscheck import CrossCheckSettings as CrossCheckSettings
from misread.scoring.crosscheck import cross_check as cross_check
from misread.scoring.equivalents import Equivalents as Equivalents
from misread.scoring.equivalents import check_equivalents as check_equivalents
from misread.scoring.equivalents import read_equivalents as read_equivalents
from misread.scoring.flagged import FlaggedSystem as FlaggedSystem
from misread.scoring.flagged import SegmentFlag as SegmentFlag
from misread.scoring.reference_digests import ReferenceDigests as ReferenceDigests
