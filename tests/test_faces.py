"""What a package lists in its stub is what another package, a configuration or a document takes from it."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# The lists at the root and of the specifications are the promise itself.
STUBS = sorted((ROOT / "src/misread").glob("*/**/__init__.pyi"))


def find_texts():
    """Documents for users, configurations and scripts, as one text."""
    folders = (
        "docs/tutorials",
        "docs/how-to",
        "docs/explanation",
        "docs/reference",
        "docs/ocr-benchmark",
        "conf",
        "data",
        "stages",
        "src/misread",
    )
    files = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".py", ".yaml")
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in [*files, ROOT / "docs/specification.md"])


@pytest.fixture(scope="module")
def taken():
    """Names that are taken from each package: imported, attributes of it, or written with dots in a text."""
    names = defaultdict(set)
    for source in (ROOT / "src/misread").rglob("*.py"):
        aliases = {}
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names[node.module] |= {alias.name for alias in node.names}
                aliases |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                names[aliases.get(node.value.id, "")].add(node.attr)
    texts = find_texts()
    for module, listed in re.findall(r"from (misread[\w.]*) import (.+)", texts):
        names[module] |= {*re.findall(r"\w+", listed)}
    for name in re.findall(r"\bmisread(?:\.\w+)+", texts):
        module, _, last = name.rpartition(".")
        names[module].add(last)
    return names


@pytest.mark.slow
@pytest.mark.parametrize("stub", STUBS, ids=lambda path: path.parent.relative_to(ROOT / "src").as_posix())
def test_every_name_of_a_package_is_taken_from_it(stub, taken):
    module = ".".join(stub.parent.relative_to(ROOT / "src").parts)
    imports = [node for node in ast.parse(stub.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)]
    assert not {alias.name for node in imports for alias in node.names} - taken[module]
