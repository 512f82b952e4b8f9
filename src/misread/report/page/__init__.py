"""The page: summary and explorer in one file that needs no network."""

from misread.report.page.material import DatasetMaterial, RunMaterial
from misread.report.page.media import find_media
from misread.report.page.page import render_page, write_page

__all__ = [
    "DatasetMaterial",
    "RunMaterial",
    "find_media",
    "render_page",
    "write_page",
]
