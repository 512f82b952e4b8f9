"""Settings of the page: its size, and its content without JavaScript."""

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
        Largest size of the file; if all segments need more, the explorer has a part of them and says so.
    media_bytes : int
        Largest total size of images and audio inside the page; the others are linked.
    static_segments : int
        Segments per data set that are printed, and shown without JavaScript: those on which systems disagree most.
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
