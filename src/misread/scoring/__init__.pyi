"""Every name of misread.scoring, once, with its home."""

from .ablation import AblationResult as AblationResult
from .ablation import AblationSettings as AblationSettings
from .ablation import ablate as ablate
from .ablation import ablate_stored as ablate_stored
from .counts import ScoredSystem as ScoredSystem
from .counts import score as score
from .crosscheck import CrossCheckSettings as CrossCheckSettings
from .crosscheck import cross_check as cross_check
from .equivalents import Equivalents as Equivalents
from .equivalents import check_equivalents as check_equivalents
from .equivalents import read_alternatives as read_alternatives
from .equivalents import read_equivalents as read_equivalents
from .flagged import FlaggedSystem as FlaggedSystem
from .flagged import SegmentFlag as SegmentFlag
from .reference_digests import ReferenceDigests as ReferenceDigests
from .stored import StoredSystem as StoredSystem
