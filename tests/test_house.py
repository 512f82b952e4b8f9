"""What import contracts cannot see: names of modules in strings."""

import ast
import re
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PACKAGE = REPOSITORY / "src/misread"
# Lists of what features plug in, and names that configurations give to classes.
NAMING_FEATURES = {
    *("sockets/metrics.py", "sockets/sections.py", "sockets/sections.py", "sockets/views.py"),
    *("cli/app.py", "pipeline/stages/__init__.py", "pipeline/stages/codebase.py"),
    "pipeline/params.py",
}
_LAYERS = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]
LAYERS = [[name.strip().removeprefix("misread.") for name in layer.split("|")] for layer in _LAYERS]
CORE = {name for layer in LAYERS[LAYERS.index(["execution"]) + 1 :] for name in layer}


def named_in(path):
    """Packages of misread that strings of a module name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    names = {found[1] for text in texts if (found := re.fullmatch(r"misread\.(\w+)(?:[.:]\w+)*", text))}
    return names & {package for _, package, _ in modules()}


def modules():
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE)
        yield place.as_posix(), place.parts[0].removesuffix(".py"), path


def test_core_names_neither_rim_nor_features_in_a_string():
    beyond = {place: named_in(path) - CORE for place, package, path in modules() if package in CORE}
    assert {place: names for place, names in beyond.items() if names} == {}


def test_only_the_lists_of_the_rim_name_features_in_a_string():
    naming = {place for place, package, path in modules() if package != "features" and "features" in named_in(path)}
    assert naming == NAMING_FEATURES


def test_every_package_has_its_place_in_the_layers():
    placed = {name for layer in LAYERS for name in layer}
    assert {package for _, package, _ in modules()} - placed == {"__init__", "conf"}


def test_the_root_has_eight_folders():
    folders = {path.name for path in REPOSITORY.iterdir() if path.is_dir() and not path.name.startswith(".")}
    made = {"build", "node_modules", "dist"}
    assert folders - made == {"conf", "data", "docs", "reports", "src", "stages", "tests", "tools"}
