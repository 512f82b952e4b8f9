"""Every name of misread.scoring, once, with its home."""

from .ablation import AblationResult as AblationResult
from .ablation import AblationSettings as AblationSettings
from .ablation import ablate as ablate
from .counts import ScoredSystem as ScoredSystem
from .counts import score as score
from .crosscheck import CrossCheckSettings as CrossCheckSettings
from .crosscheck import cross_check as cross_check
from .equivalents import Equivalents as Equivalents
from .equivalents import check_equivalents as check_equivalents
from .equivalents import read_equivalents as read_equivalents
from .flagged import FlaggedSystem as FlaggedSystem
from .flagged import SegmentFlag as SegmentFlag
from .parts import ScoredPart as ScoredPart
from .parts import ScoringTask as ScoringTask
from .parts import plan_parts as plan_parts
from .parts import score_part as score_part
from .parts import write_parts as write_parts
from .reference_digests import ReferenceDigests as ReferenceDigests
