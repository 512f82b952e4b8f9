"""What the site shows otherwise than the repository: whole docstrings, and a home page without a menu."""

from __future__ import annotations

import re
from typing import Any

LINE = re.compile(r"^- `(misread\.[\w.]+)`: .*$", re.MULTILINE)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Replace lines `- misread.NAME: SUMMARY` of the API reference by the whole docstring."""
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation"]
    if page.file.src_uri not in ("reference/misread.md", "reference/parts.md", "reference/specifications.md"):
        return markdown
    return LINE.sub(r"::: \1\n", markdown)
