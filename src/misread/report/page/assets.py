"""Script and style of the page: the files of css/ and js/ in a fixed order."""

import json
from functools import cache
from importlib.resources import files
from typing import Final

from misread.tables import MarkKind

STYLES: Final = ("colours", "layout", "results", "grid", "explorer", "print")

# Later files use what earlier ones define; `start` runs everything.
SCRIPTS: Final = (
    "payload",
    "elements",
    "tables",
    "copying",
    "address",
    "dataset",
    "scatter",
    "cases",
    "query",
    "selection",
    "grid",
    "segment",
    "list",
    "controls",
    "explorer",
    "start",
)

# Line of cases.js that their names replace.
_KINDS: Final = "/* kinds of marks */\n"


@cache
def style() -> str:
    """Content of the style element."""
    return "\n".join(read_asset("css", f"{name}.css") for name in STYLES)


@cache
def script(kinds: tuple[MarkKind, ...]) -> str:
    """Content of the script element, in its own scope, with the names of these kinds of marks."""
    parts = "\n".join(read_asset("js", f"{name}.js") for name in SCRIPTS)
    names = "".join(f"  {kind.kind}: {json.dumps([kind.label, kind.hint])},\n" for kind in kinds)
    return '(() => {\n"use strict";\n' + parts.replace(_KINDS, names) + "\n})();\n"


def read_asset(folder: str, name: str) -> str:
    """One of the files, as it is."""
    return (files("misread.report.page") / folder / name).read_text(encoding="utf-8")
