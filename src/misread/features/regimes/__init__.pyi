"""Every name of misread.features.regimes, once, with its home."""

from .ablation import AblationSettings as AblationSettings
from .comparison import compare_regimes as compare_regimes
from .regime import Regime as Regime
from .schema import describe_changes as describe_changes
