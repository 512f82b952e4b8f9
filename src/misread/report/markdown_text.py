"""Pieces of Markdown that several documents are made of."""

from __future__ import annotations

from collections.abc import Iterable

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_|<>[]"})


def escape_markdown(text: str) -> str:
    r"""Escape what Markdown would read as a mark.

    Examples
    --------
    >>> escape_markdown("tesseract_4 | <b>")
    'tesseract\\_4 \\| \\<b\\>'
    """
    return text.translate(_SPECIAL)


def markdown_row(cells: Iterable[str]) -> str:
    """Join the cells of one row of a table; they must have been escaped.

    Examples
    --------
    >>> markdown_row(["a", "1"])
    '| a | 1 |'
    """
    return f"| {' | '.join(cells)} |"
