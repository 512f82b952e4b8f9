"""Lines on a screen."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text


def make_console(width: int | None = None) -> Console:
    """Standard output as a console: colour in a terminal only, and none where NO_COLOR is set.

    Without a width it is as wide as the terminal, or has 80 columns where there is none.
    """
    return Console(file=sys.stdout, highlight=False, width=width)


def print_lines(lines: Iterable[Text | str], console: Console) -> None:
    """Print lines as they are: the console neither wraps nor cuts them."""
    for line in lines:
        console.print(Text(line) if isinstance(line, str) else line, soft_wrap=True)
