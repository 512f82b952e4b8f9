"""Pieces of Markdown that several documents are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from misread.text.labels import show_label

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_|<>[]&~$"})


def escape_markdown(text: str) -> str:
    r"""Escape what Markdown would read as a mark.

    Examples
    --------
    >>> escape_markdown("tesseract_4 | <b>")
    'tesseract\\_4 \\| \\<b\\>'
    """
    return text.translate(_SPECIAL)


def code_span(text: str) -> str:
    """Set a label as code, between more backticks than it has in a row.

    Examples
    --------
    >>> code_span("cer|unit:char"), code_span("a`b")
    ('`cer|unit:char`', '`` a`b ``')
    """
    shown = show_label(text)
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"{fence}{shown}{fence}"


def markdown_row(cells: Iterable[str]) -> str:
    """Join the cells of one row of a table; they must have been escaped.

    Examples
    --------
    >>> markdown_row(["a", "1"])
    '| a | 1 |'
    """
    return f"| {' | '.join(cells)} |"
