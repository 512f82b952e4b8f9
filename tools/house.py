"""Draw docs/design/house.svg, what lives where in the package: `python -m tools.house`.

Rows are the layers of the import contract in pyproject.toml, words the first sentences of docstrings.
"""

from __future__ import annotations

import ast
import textwrap
import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURE: Final = ROOT / "docs" / "design" / "house.svg"
_PACKAGE: Final = ROOT / "src" / "misread"
# The lowest packages of the features and of the rim; what stands below is core.
_LAST_OF_RIM: Final = "execution"
_WIDTH, _MARGIN, _GAP, _LINE, _LABEL = 1000, 12, 8, 15, 84
_FEATURES_IN_ROW: Final = 4
_LETTER: Final = 6.1
_COLOURS: Final = {"features": "#fdf1d8", "rim": "#e4eefb", "core": "#e3f4e6"}


def draw_house() -> str:
    """The picture as SVG: features on top, the rim below them, core at the bottom."""
    parts, top = [], _MARGIN
    for zone, rows in _zones():
        start, boxes = top, []
        for row in rows:
            drawn, height = _draw_row(row, top + _GAP)
            boxes += drawn
            top += height + _GAP
        top += _GAP
        parts.append(
            f'<rect x="{_MARGIN}" y="{start}" width="{_WIDTH - 2 * _MARGIN}" height="{top - start}" rx="6" '
            f'fill="{_COLOURS[zone]}"/>'
            f'<text x="{_MARGIN + 10}" y="{start + 24}" font-weight="bold">{zone}</text>'
        )
        parts += boxes
        top += _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {top + _LINE + _MARGIN}" '
        'font-family="sans-serif" font-size="11" fill="#222">\n'
        f'<rect width="{_WIDTH}" height="{top + _LINE + _MARGIN}" fill="#fff"/>\n'
        + "\n".join(parts)
        + f'\n<text x="{_MARGIN}" y="{top + _LINE}">A package imports what stands in rows below it, and nothing else; '
        "no feature imports another, and features are known to the rim by name alone.</text>\n</svg>\n"
    )


def _zones() -> Iterator[tuple[str, list[list[str]]]]:
    """Zones from top to bottom, each as rows of names: paths without their endings."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"][1:]
    rows = [[name.strip().removeprefix("misread.") for name in layer.split("|")] for layer in layers]
    modules = [path.stem for path in (_PACKAGE / "features").glob("[a-z]*.py")]
    packages = [path.parent.name for path in (_PACKAGE / "features").glob("*/__init__.py")]
    named = [f"features/{name}" for name in sorted([*modules, *packages])]
    yield "features", [named[start : start + _FEATURES_IN_ROW] for start in range(0, len(named), _FEATURES_IN_ROW)]
    core = next(number for number, row in enumerate(rows, 1) if row[0] == _LAST_OF_RIM)
    yield from (("rim", rows[:core]), ("core", rows[core:]))


def _sentence(name: str) -> str:
    """First sentence of the docstring of a package or module."""
    package = _PACKAGE / name / "__init__.py"
    file = package if package.is_file() else _PACKAGE / f"{name}.py"
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n")[0].rstrip(".").replace("`", "")


def _draw_row(row: Sequence[str], top: int) -> tuple[list[str], int]:
    """Boxes side by side, and the height of the highest."""
    left = _MARGIN + _LABEL
    width = (_WIDTH - left - _MARGIN - _GAP * len(row)) // len(row)
    folded = [textwrap.wrap(_sentence(name), int((width - 16) / _LETTER)) for name in row]
    height = _LINE * (1 + max(map(len, folded))) + 10
    boxes = []
    for position, (name, lines) in enumerate(zip(row, folded, strict=True)):
        x = left + position * (width + _GAP)
        boxes.append(f'<rect x="{x}" y="{top}" width="{width}" height="{height}" rx="4" fill="#fff" stroke="#999"/>')
        for number, line in enumerate([Path(name).name, *lines], 1):
            weight = ' font-weight="bold"' if number == 1 else ""
            boxes.append(f'<text x="{x + 8}" y="{top + _LINE * number}"{weight}>{escape(line)}</text>')
    return boxes, height


if __name__ == "__main__":
    PICTURE.write_text(draw_house(), encoding="utf-8")
