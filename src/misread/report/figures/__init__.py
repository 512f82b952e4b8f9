"""Figures for papers: one style, colour-blind-safe colours, the same bytes for the same numbers."""

from misread.report.figures.confidence import draw_reliability, draw_review
from misread.report.figures.confusions import draw_confusions
from misread.report.figures.critical_difference import draw_critical_difference
from misread.report.figures.differences import draw_differences
from misread.report.figures.pareto import draw_pareto
from misread.report.figures.rates import draw_rates
from misread.report.figures.regimes import draw_regimes
from misread.report.figures.robustness import draw_robustness

__all__ = [
    "draw_confusions",
    "draw_critical_difference",
    "draw_differences",
    "draw_pareto",
    "draw_rates",
    "draw_regimes",
    "draw_reliability",
    "draw_review",
    "draw_robustness",
]
