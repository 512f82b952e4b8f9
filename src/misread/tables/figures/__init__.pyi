"""Every name of misread.tables.figures, once, with its home."""

from .confusions import draw_confusions as draw_confusions
from .rates import draw_comparison as draw_comparison
