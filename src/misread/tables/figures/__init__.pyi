"""Every name of misread.tables.figures, once, with its home."""

from .confusions import draw_confusions as draw_confusions
from .critical_difference import draw_critical_difference as draw_critical_difference
from .rates import draw_differences as draw_differences
from .rates import draw_rates as draw_rates
from .rates import draw_robustness as draw_robustness
