"""Lines and JSON on standard output."""

import codecs
import json
import sys
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from misread.io.console import write_out
from misread.io.json_files import dump_json
from misread.text.display import show_label


def make_console(width: int | None = None) -> Console:
    """Standard output as a console: colour in a terminal only, and none where NO_COLOR is set.

    Without a width it is as wide as the terminal, or has 80 columns where there is none.
    """
    return Console(file=sys.stdout, highlight=False, width=width)


def print_lines(lines: Iterable[Text | str], console: Console) -> None:
    """Print lines as they are: the console neither wraps nor cuts them."""
    for line in lines:
        console.print(Text(line) if isinstance(line, str) else line, soft_wrap=True)


def print_json(content: object) -> None:
    """Print JSON without NaN and Infinity.

    Letters that standard output does not have, and characters that a terminal would act on, are JSON's own escapes, so
    that a program reads the same texts.
    """
    is_unicode = codecs.lookup(sys.stdout.encoding).name.startswith("utf")
    text = dump_json(content, ensure_ascii=not is_unicode)
    write_out("\n".join(map(_without_controls, text.split("\n"))))


def _without_controls(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(
        character if show_label(character) == character else json.dumps(character)[1:-1] for character in line
    )
