"""Measure the house against its budgets, and draw docs/design/house.svg: `python -m tools.house`.

Rows of the picture are the layers of the import contract in pyproject.toml, words the first sentences of docstrings.
"""

import ast
import io
import re
import sys
import textwrap
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURE: Final = ROOT / "docs" / "design" / "house.svg"
_PACKAGE: Final = ROOT / "src" / "misread"
# The lowest packages of the features and of the rim; what stands below is core.
_LAST_OF_RIM: Final = "execution"
_WIDTH, _MARGIN, _GAP, _LINE, _LABEL = 1000, 12, 8, 15, 84
_FEATURES_IN_ROW: Final = 4
_LETTER: Final = 6.1
_COLOURS: Final = {"features": "#fdf1d8", "rim": "#e4eefb", "core": "#e3f4e6"}
_MARKED_WORDS: Final = r"\b(?:stands|beside|of which|so many|what is|anew)\b"
_LAYOUT_TOKENS: Final = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}

# A total is never raised; the budget of a package may be, if that of another falls as much.
BUDGETS: Final = {
    "code of src": 54_500,
    "lines of tests": 70_000,
    "lines of tools, zoo apart": 6_000,
    "lines of tools/zoo": 1_200,
    "options of score": 50,
    "options of all commands": 440,
    "functions over 100 lines": 0,
    "functions over 60 lines": 25,
    "names at the root": 38,
    "circles of imports": 0,
    "words of docs": 65_000,
}
"""The most of each thing that `measure_house` counts."""


@cache
def count_code(path: Path) -> int:
    """Lines of a Python file without blanks, comments and docstrings."""
    text = path.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT_TOKENS:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def code_by_package() -> Counter[str]:
    """Lines of code of each package of misread; modules at the root count as one."""
    sizes: Counter[str] = Counter()
    for path in _PACKAGE.rglob("*.py"):
        parts = path.relative_to(_PACKAGE).parts
        sizes[parts[0] if len(parts) > 1 else "root"] += count_code(path)
    return sizes


def function_lengths() -> dict[str, int]:
    """Lines of each function of misread, with its docstring, by file and name."""
    return {
        f"{path.relative_to(_PACKAGE)}:{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for path in _PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def options_by_command() -> dict[str, int]:
    """Options of each command, without `--help`."""
    from misread.cli.app import COMMANDS, _declare

    def walk(command: Any, name: str) -> Iterator[tuple[str, int]]:
        for word, child in getattr(command, "commands", {}).items():
            yield from walk(child, f"{name} {word}".strip())
        if not hasattr(command, "commands"):
            yield name, sum(param.param_type_name == "option" for param in command.params)

    return dict(walk(_declare(tuple(COMMANDS)), ""))


def import_circles() -> list[list[str]]:
    """Circles among the modules of misread, imports for types and inside functions included."""
    from grimp import build_graph
    from scipy.sparse.csgraph import connected_components

    graph = build_graph("misread", cache_dir=None)
    modules = sorted(graph.modules)
    rows = {module: row for row, module in enumerate(modules)}
    uses = np.zeros((len(modules), len(modules)), dtype=bool)
    for module, row in rows.items():
        uses[row, [rows[used] for used in graph.find_modules_directly_imported_by(module)]] = True
    _, groups = connected_components(uses, connection="strong")
    sizes = np.bincount(groups)
    return [[modules[row] for row in np.flatnonzero(groups == group)] for group in np.flatnonzero(sizes > 1)]


def pages() -> list[Path]:
    """Pages of docs/."""
    return [*(ROOT / "docs").rglob("*.md")]


def count_words(path: Path) -> int:
    """Words of a page, as `wc -w` counts them."""
    return len(path.read_text(encoding="utf-8").split())


def count_marked_words() -> int:
    """Turns of phrase that slow a reader down, in comments, docstrings and pages."""
    texts = [path.read_text(encoding="utf-8") for path in (*_PACKAGE.rglob("*.py"), *pages())]
    return sum(len(re.findall(_MARKED_WORDS, text)) for text in texts)


def measure_house() -> dict[str, int]:
    """What the budgets bound, as it is now."""
    import misread

    lengths = function_lengths().values()
    options = options_by_command()
    return {
        "code of src": code_by_package().total(),
        "lines of tests": _count_lines("tests"),
        "lines of tools, zoo apart": _count_lines("tools") - _count_lines("tools/zoo"),
        "lines of tools/zoo": _count_lines("tools/zoo"),
        "options of score": options["score"],
        "options of all commands": sum(options.values()),
        "functions over 100 lines": sum(length > 100 for length in lengths),
        "functions over 60 lines": sum(length > 60 for length in lengths),
        "names at the root": len(vars(misread)["__all__"]),
        "circles of imports": len(import_circles()),
        "words of docs": sum(map(count_words, pages())),
    }


def _count_lines(folder: str) -> int:
    """Lines of the Python files of a folder."""
    return sum(path.read_text(encoding="utf-8").count("\n") for path in (ROOT / folder).rglob("*.py"))


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
    rows = [f"{number:>8,} {subject}, at most {BUDGETS[subject]:,}" for subject, number in measure_house().items()]
    rows.append(f"{count_marked_words():>8,} marked words")
    rows += [f"{lines:>8,} code of {package}" for package, lines in code_by_package().most_common()]
    sys.stdout.write("\n".join(rows) + "\n")
    PICTURE.write_text(draw_house(), encoding="utf-8")
