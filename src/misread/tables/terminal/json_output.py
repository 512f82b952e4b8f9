"""Results as JSON on standard output."""

from __future__ import annotations

import codecs
import json
import sys

from misread.io.console import write_out
from misread.io.json_files import dump_json
from misread.text.display import show_label


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
