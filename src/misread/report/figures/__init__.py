"""Figures for papers: one style, colours for every eye, the same bytes for the same numbers."""

from misread.report.figures.rates import draw_rates

__all__ = ["draw_rates"]
