"""Every name of misread.features.regimes, once, with its home."""

from .ablation import AblationResult as AblationResult
from .ablation import AblationSettings as AblationSettings
from .ablation import ablate as ablate
from .comparison import compare_regimes as compare_regimes
from .regime import Regime as Regime
from .schema import PairVerdict as PairVerdict
from .schema import RegimeScore as RegimeScore
from .schema import RegimesResult as RegimesResult
from .schema import SystemScore as SystemScore
from .schema import describe_changes as describe_changes
from .schema import describe_winners as describe_winners
from .schema import title_of as title_of
from .table import draw_regimes as draw_regimes
from .table import lay_out_regimes as lay_out_regimes
