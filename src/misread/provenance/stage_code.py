"""Code of each stage, as a list of files with digests that DVC compares; of misread or of a study's module."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from misread.errors import InputFileError
from misread.provenance import digests
from misread.provenance.digests import digest_syntax

ENDING: Final = ".facts"
"""Ending of the file in which facts are stored."""

_KEPT: Final = Path(__file__).parent / "__pycache__" / f"sources{ENDING}"
# Several times as many files as misread has; facts of files that are gone make room.
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
    named_modules: list[str]  # dotted names of the package in arguments of calls


@cache
def facts_of(path: Path, package: str) -> SourceFacts:
    """Facts of a file; raises InputFileError, which names file and line, if it is not valid Python."""
    data = path.read_bytes()
    key = f"{package} {hashlib.sha256(data).hexdigest()}"
    facts = _stored_facts().get(key)
    if facts is None:
        facts = _find(path, data, package)
        _new_facts()[key] = facts
    return facts


def keep_facts() -> None:
    """Store the facts found since the last time, where that is possible."""
    if sys.dont_write_bytecode or not _new_facts():
        return
    known = _stored_facts()
    known |= _new_facts()
    _new_facts().clear()
    content = zlib.compress(json.dumps(dict([*known.items()][-_MOST_KEPT:])).encode())
    try:
        _KEPT.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=_KEPT.parent, suffix=ENDING, delete=False) as file:
            file.write(f"{_seal(content)}\n".encode() + content)
        # As bytecode: whoever may read the package may read this.
        Path(file.name).chmod(0o644)
        Path(file.name).replace(_KEPT)
    except OSError:
        # Files of a package that cannot be written to are parsed again each time.
        return


@cache
def _stored_facts() -> dict[str, SourceFacts]:
    """Stored facts by package and content; those of files that were read last are at the end."""
    return {
        key: SourceFacts(digest, [Import(*statement) for statement in imports], named_modules)
        for key, (digest, imports, named_modules) in _read().items()
    }


@cache
def _new_facts() -> dict[str, SourceFacts]:
    """Facts that are not stored yet."""
    return {}


def _read() -> dict[str, Any]:
    """Facts stored by the same code; none if the file is not as it was written."""
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
    return b"".join(Path(str(module_file)).read_bytes() for module_file in (__file__, digests.__file__))


def _find(path: Path, data: bytes, package: str) -> SourceFacts:
    tree = _parse(path, data)
    imports: list[Import] = []
    named_modules: list[str] = []
    # Nine of ten nodes are in expressions, where only a string can name a module.
    has_names = re.search(rf"""["']{re.escape(package)}""", data.decode(errors="replace"))
    for node in _nodes(tree, ast.AST if has_names else _HOLD_STATEMENTS):
        if isinstance(node, ast.ImportFrom):
            imports.append(Import(node.level, node.module or "", [alias.name for alias in node.names]))
        elif isinstance(node, ast.Import):
            imports += (Import(0, alias.name, ["*"]) for alias in node.names)
        elif isinstance(node, ast.Call):
            # import_module("..."), or files("...") of importlib.resources
            texts = (
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            )
            named_modules += (text for text in texts if re.fullmatch(rf"{re.escape(package)}(\.\w+)+", text))
    return SourceFacts(digest_syntax(tree), imports, named_modules)


def _parse(path: Path, data: bytes) -> ast.Module:
    try:
        return ast.parse(data)
    except (SyntaxError, ValueError) as error:
        location = f"{path}, line {error.lineno}" if isinstance(error, SyntaxError) else str(path)
        reason = error.msg if isinstance(error, SyntaxError) else error
        raise InputFileError(f"{location}: not valid Python ({reason}).") from None


def _nodes(tree: ast.Module, kinds: type[ast.AST] | tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """All nodes of some kinds, in any order, without those that only a type checker sees."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and _is_type_checking(node.test):
            waiting += node.orelse
        else:
            yield node
            waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, kinds)]


def _is_type_checking(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))


CACHES: Final = {".pyc", ".nbi", ".nbc", ENDING}
"""Endings of files that are made from others."""


@dataclass(frozen=True)
class Sources:
    """Location of the code of a package."""

    root: Path  # folder that the package lies in
    package: str


MISREAD: Final = Sources(Path(__file__).parents[2], __name__.split(".")[0])


def list_code(modules: Iterable[str], sources: Sources = MISREAD) -> str:
    """List all files of the package that run when these modules are used, as lines `SHA256  NAME` sorted by name.

    A package stands for all modules in it. The list follows imports anywhere in a file, names that a package loads
    lazily, and modules that a call names; data files belong to the package that they lie in. Docstrings, comments and
    layout of a module do not count. Raises InputFileError, which names file and line, for a module that is not valid
    Python.
    """
    starts = {file for module in modules for file in _modules_of(module, sources)}
    code = _close(starts, sources)
    files = (*code, *_data_files(code, sources))
    digests = {file.relative_to(sources.root).as_posix(): _digest(file, sources) for file in files}
    keep_facts()
    return "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))


def _modules_of(name: str, sources: Sources) -> Iterator[Path]:
    """File of a module, or all files of modules in a package; __init__ files of the packages above it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        if file := _module_file(".".join(parts[:end]), sources):
            yield file
    yield from sources.root.joinpath(*parts).rglob("*.py")


@cache
def _module_file(name: str, sources: Sources) -> Path | None:
    """File of a module or package; None where there is none of that name."""
    path = sources.root.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def _digest(path: Path, sources: Sources) -> str:
    if path.suffix == ".py":
        return facts_of(path, sources.package).digest
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _imports_of(path: Path, sources: Sources) -> Iterator[tuple[str, list[str]]]:
    """Modules of the package that a file imports, wherever in it, and the names that it takes from them."""
    facts = facts_of(path, sources.package)
    for level, name, names in facts.imports:
        above = path.relative_to(sources.root).parts[:-level] if level else ()
        module = ".".join([*above, *filter(None, [name])])
        if module.split(".")[0] == sources.package:
            yield module, names
    # A string may name a module, or be any other text.
    yield from ((name, ["*"]) for name in facts.named_modules if _module_file(name, sources))


def _lazy_homes(path: Path, names: list[str], sources: Sources) -> Iterator[str]:
    """Modules that a package loads when one of these names is asked for, by the stub beside its file."""
    stub = path.with_suffix(".pyi")
    package = ".".join(path.parent.relative_to(sources.root).parts)
    for _, module, loaded in facts_of(stub, sources.package).imports if stub.is_file() else ():
        if "*" in names or {*loaded} & {*names}:
            yield f"{package}.{module}"


def _resolve(module: str, names: list[str], sources: Sources) -> Iterator[Path]:
    """Files that run when names are imported from a module: its packages, itself, and where the names come from."""
    modules = [module, *(f"{module}.{name}" for name in names)]
    if file := _module_file(module, sources):
        modules += _lazy_homes(file, names, sources)
    for package in filter(None, (_module_file(f"{module}.{name}", sources) for name in names)):
        # Any name may be taken from a package that was imported as a whole.
        modules += _lazy_homes(package, ["*"], sources)
    above = {
        ".".join(parts[: end + 1])
        for parts in (module_name.split(".") for module_name in modules)
        for end in range(len(parts))
    }
    yield from filter(None, (_module_file(package_name, sources) for package_name in above))


def _close(files: set[Path], sources: Sources) -> set[Path]:
    """These files and every file of the package that they import, directly or not."""
    closure, waiting = set(files), list(files)
    while waiting:
        new = _imported_by(waiting.pop(), sources) - closure
        closure |= new
        waiting += new
    return closure


@cache
def _imported_by(path: Path, sources: Sources) -> frozenset[Path]:
    """Files that run when a file is imported."""
    files = (_resolve(module, names, sources) for module, names in _imports_of(path, sources))
    return frozenset(chain.from_iterable(files))


def _data_files(modules: set[Path], sources: Sources) -> Iterator[Path]:
    """Files beside the modules that are not code."""
    packages = {file.parent for file in modules}
    yield from (path for path, home in _homes_of_data(sources) if home in packages)


@cache
def _homes_of_data(sources: Sources) -> list[tuple[Path, Path]]:
    """All files that are not code, each with the nearest package above it."""
    top = sources.root / sources.package
    return [
        (path, next((above for above in path.parents if (above / "__init__.py").is_file()), top))
        for path in top.rglob("*")
        if path.suffix not in {".py", *CACHES} and path.is_file()
    ]
