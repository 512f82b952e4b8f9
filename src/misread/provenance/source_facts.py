"""What a list of code has to know of a source file, kept between runs by the content of the file.

To parse all modules of a package takes a second. What was found of a file lies beside this module, as its bytecode
does, and is found again wherever a file of the same content lies.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.errors import InputFileError
from misread.provenance import definitions
from misread.provenance.definitions import digest_syntax

ENDING: Final = ".facts"
"""Ending of the file in which they are kept."""

_KEPT: Final = Path(__file__).parent / "__pycache__" / f"sources{ENDING}"
# Some times as many as misread has; those of files that are gone make room.
_MOST_KEPT: Final = 4000
_HOLD_STATEMENTS: Final = (ast.stmt, ast.excepthandler, ast.match_case)


class Import(NamedTuple):
    """A statement that imports: `level` dots and a module, and names from it."""

    level: int
    module: str
    names: list[str]


class SourceFacts(NamedTuple):
    """A source file as a list of code sees it."""

    digest: str  # of its code without docstrings, comments and layout
    imports: list[Import]  # wherever they stand, but for those that only a type checker sees
    named: list[str]  # dotted names of the package that are given to calls


@cache
def facts_of(path: Path, package: str) -> SourceFacts:
    """Facts of a file; raises InputFileError, which names file and line, if it is not valid Python."""
    data = path.read_bytes()
    key = f"{package} {hashlib.sha256(data).hexdigest()}"
    facts = _kept().get(key)
    if facts is None:
        facts = _find(path, data, package)
        _found()[key] = facts
    return facts


def keep_facts() -> None:
    """Write down what was found since the last time, where that is possible."""
    if sys.dont_write_bytecode or not _found():
        return
    known = _kept()
    known |= _found()
    _found().clear()
    content = zlib.compress(json.dumps(dict([*known.items()][-_MOST_KEPT:])).encode())
    try:
        _KEPT.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=_KEPT.parent, suffix=ENDING, delete=False) as file:
            file.write(f"{_seal(content)}\n".encode() + content)
        # As bytecode: whoever may read the package may read this.
        Path(file.name).chmod(0o644)
        Path(file.name).replace(_KEPT)
    except OSError:
        # A package that cannot be written to is looked at again each time.
        return


@cache
def _kept() -> dict[str, SourceFacts]:
    """Facts by package and content, of files that were looked at last at the end."""
    return {
        key: SourceFacts(digest, [Import(*each) for each in imports], named)
        for key, (digest, imports, named) in _read().items()
    }


@cache
def _found() -> dict[str, SourceFacts]:
    """Facts that are not written down yet."""
    return {}


def _read() -> dict[str, Any]:
    """What was kept by the same code; nothing if the file is not as it was written."""
    try:
        seal, content = _KEPT.read_bytes().split(b"\n", 1)
    except (OSError, ValueError):
        return {}
    facts: dict[str, Any] = json.loads(zlib.decompress(content)) if seal == _seal(content).encode() else {}
    return facts


def _seal(content: bytes) -> str:
    """Digest of the facts, of the code that found them, and of the version of Python that parsed the files."""
    return hashlib.sha256(b"\0".join([content, _finder(), repr(sys.version_info).encode()])).hexdigest()


@cache
def _finder() -> bytes:
    return b"".join(Path(str(of)).read_bytes() for of in (__file__, definitions.__file__))


def _find(path: Path, data: bytes, package: str) -> SourceFacts:
    tree = _parse(path, data)
    imports: list[Import] = []
    named: list[str] = []
    # Nine of ten nodes are in expressions, in which only a text can name a module.
    has_names = re.search(rf"""["']{re.escape(package)}""", data.decode(errors="replace"))
    for node in _nodes(tree, ast.AST if has_names else _HOLD_STATEMENTS):
        if isinstance(node, ast.ImportFrom):
            imports.append(Import(node.level, node.module or "", [alias.name for alias in node.names]))
        elif isinstance(node, ast.Import):
            imports += (Import(0, alias.name, ["*"]) for alias in node.names)
        elif isinstance(node, ast.Call):
            # import_module("..."), or files("...") of importlib.resources
            texts = (each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str))
            named += (text for text in texts if re.fullmatch(rf"{re.escape(package)}(\.\w+)+", text))
    return SourceFacts(digest_syntax(tree), imports, named)


def _parse(path: Path, data: bytes) -> ast.Module:
    try:
        return ast.parse(data)
    except (SyntaxError, ValueError) as error:
        place = f"{path}, line {error.lineno}" if isinstance(error, SyntaxError) else str(path)
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise InputFileError(f"{place}: not valid Python ({reason}).") from None


def _nodes(tree: ast.Module, kinds: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """All nodes of some kinds in some order, with what lies in them, but for those that only a type checker sees."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            waiting += node.orelse
        else:
            yield node
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, kinds)]


def _is_type_checking(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))
