"""The page: summary and explorer in one file that needs no network."""

from misread.report.page.media import find_media, find_parts
from misread.report.page.page import render_page, write_page

__all__ = [
    "find_media",
    "find_parts",
    "render_page",
    "write_page",
]
