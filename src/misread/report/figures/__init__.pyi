"""Every name of misread.report.figures, once, with its home."""

from .confidence import draw_reliability as draw_reliability
from .confidence import draw_review as draw_review
from .confusions import draw_confusions as draw_confusions
from .critical_difference import draw_critical_difference as draw_critical_difference
from .differences import draw_differences as draw_differences
from .pareto import draw_pareto as draw_pareto
from .rates import draw_rates as draw_rates
from .regimes import draw_regimes as draw_regimes
from .robustness import draw_robustness as draw_robustness
