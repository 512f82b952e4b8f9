"""Every name of misread.regimes, once, with its home."""

from .changes import describe_changes as describe_changes
from .changes import describe_winners as describe_winners
from .changes import title_of as title_of
from .comparison import compare_regimes as compare_regimes
from .regime import Regime as Regime
from .schema import PairVerdict as PairVerdict
from .schema import RegimeScore as RegimeScore
from .schema import RegimesResult as RegimesResult
from .schema import SystemScore as SystemScore
