"""How large the page may become and what it shows without a script."""

from __future__ import annotations

from dataclasses import dataclass

from misread.errors import ConfigurationError

SMALLEST_PAGE = 1_000_000
"""Bytes: tables, figures and the program of the explorer need about half of that."""


@dataclass(frozen=True)
class PageSettings:
    """Settings of reports/index.html.

    Parameters
    ----------
    max_bytes : int
        Size that the file never exceeds; where all segments need more, the explorer keeps a stated part of them.
    media_bytes : int
        Room for images and audio inside the page; those that find none are linked.
    static_segments : int
        Segments of each data set that are printed, and shown without JavaScript: those on which systems disagree most.
    """

    max_bytes: int = 25_000_000
    media_bytes: int = 4_000_000
    static_segments: int = 20

    def __post_init__(self) -> None:
        if self.max_bytes < SMALLEST_PAGE:
            raise ConfigurationError(f"report.page.max_bytes is {self.max_bytes}, expected {SMALLEST_PAGE} or more.")
        for name in ("media_bytes", "static_segments"):
            if getattr(self, name) < 0:
                raise ConfigurationError(f"report.page.{name} is {getattr(self, name)}, expected 0 or more.")
