"""Every name of misread.tables.figures, once, with its home."""

from .confusions import draw_confusions as draw_confusions
from .rates import draw_comparison as draw_comparison
from .rates import draw_differences as draw_differences
from .rates import draw_rates as draw_rates
from .rates import draw_robustness as draw_robustness
