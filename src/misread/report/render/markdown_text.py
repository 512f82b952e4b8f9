"""Markdown building blocks: escapes, code spans, table rows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from misread.text.labels import show_label

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_|<>[]&~$"})


def escape_markdown(text: str) -> str:
    """Escape characters that Markdown would read as markup."""
    return text.translate(_SPECIAL)


def code_span(text: str) -> str:
    """A label as code, between more backticks than it has in a row."""
    shown = show_label(text)
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"{fence}{shown}{fence}"


def markdown_row(cells: Iterable[str]) -> str:
    """One row of a table; its cells must be escaped already."""
    return f"| {' | '.join(cells)} |"
