"""Digests of definitions, from their code and not its layout, and of files."""

import ast
import hashlib
from collections.abc import Callable, Container, Iterator, Mapping, Set
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Any, Final, cast

from misread.errors import InputFileError, MisreadError
from misread.provenance.local_names import LocalName, local_names

# Whether a name is read or bound, and type comments, have no effect on what code does.
_WITHOUT_EFFECT: Final = {"ctx", "kind", "type_comment"}
_ERRORS: Final = MisreadError.__module__
# Fields of syntax nodes that hold a name.
_NAMING: Final = {"id", "arg", "name", "rest"}


@cache
def digest_definition(function: Callable[..., Any], *, with_local_names: bool = True) -> str:
    """SHA-256 of a function's code and of all constants, functions and classes of its own package that it uses.

    Docstrings, comments, layout and the modules of the definitions do not count, and neither do classes of errors: what
    a message says decides no result. Without `with_local_names`, names of variables do not count either. The digest is
    the same under every version of Python.
    """
    # A function without a name in its module (a lambda, an inner function) is represented by the whole module.
    name = function.__qualname__.split(".")[0]
    module = function.__module__
    package = module.split(".")[0]
    waiting = [(module, name)] if name in _bindings(module) else [(module, binding) for binding in _bindings(module)]
    definitions, statements = set(waiting), []
    while waiting:
        module, name = waiting.pop()
        used: set[tuple[str, str]] = set()
        for statement in _bindings(module)[name]:
            if isinstance(statement, ast.ImportFrom) and statement.module == _ERRORS:
                continue
            own = list(_own_imports(statement, name, module, package))
            local = {} if with_local_names else local_names(statement)
            if not own:
                statements.append((statement, local))
            # What is imported by a star may be any name that is used.
            names = {*_names(statement, local), "*"}
            used.update(own, ((module, used_name) for used_name in names if used_name in _bindings(module)))
        waiting += used - definitions
        definitions |= used
    keywords = {
        node.arg for statement, _ in statements for node in ast.walk(statement) if isinstance(node, ast.keyword)
    }
    parts = {repr(_canonical(statement, _numbered(local, keywords))) for statement, local in statements}
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()


def _numbered(local: Mapping[ast.AST, LocalName], keywords: Set[str | None]) -> dict[ast.AST, str]:
    """Numbers in place of local names; those by which a parameter may be given stay, as any may by `**`."""
    return {
        node: f"%{name.number}"
        for node, name in local.items()
        if not name.is_fixed and not (name.is_parameter and {None, name.name} & keywords)
    }


@cache
def _bindings(module: str) -> dict[str, list[ast.stmt]]:
    """Top-level statements of a module by the names that they bind."""
    spec = find_spec(module)
    source = spec.loader.get_source(module) if spec and spec.loader and hasattr(spec.loader, "get_source") else None
    if source is None:
        raise InputFileError(
            f"module {module} has no source, so its definitions cannot be compared; install it with its source."
        )
    statements: dict[str, list[ast.stmt]] = {}
    for statement in ast.parse(source).body:
        for name in _bound(statement):
            statements.setdefault(name, []).append(statement)
    return statements


def _bound(statement: ast.stmt) -> set[str]:
    """Names that a statement binds or may change, without those inside a function or class."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return set().union(*map(_names, targets))
    # Calls may change their arguments, and an `if` or `try` binds names in its branches.
    inner = (_bound(child) for child in ast.walk(statement) if isinstance(child, ast.stmt) and child is not statement)
    return _names(statement).union(*inner)


def _own_imports(statement: ast.stmt, name: str, module: str, package: str) -> Iterator[tuple[str, str]]:
    """Definitions (module, name) behind a name imported from the same package; all names of an imported module."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return
    alias = next(alias for alias in statement.names if (alias.asname or alias.name.split(".")[0]) == name)
    whole = alias.name
    if isinstance(statement, ast.ImportFrom):
        spec = find_spec(module)
        source = resolve_name("." * statement.level + (statement.module or ""), spec.parent if spec else None)
        if source.split(".")[0] != package:
            return
        if alias.name in _bindings(source) and alias.name != "*":
            yield source, alias.name
            return
        whole = source if alias.name == "*" else f"{source}.{alias.name}"
    if whole.split(".")[0] == package:
        yield from ((whole, binding) for binding in _bindings(whole))


def _names(statement: ast.AST, local: Container[ast.AST] = ()) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and node not in local}


def _canonical(node: object, numbers: Mapping[ast.AST, str]) -> object:
    """Nested tuples for a syntax node, equal under every version of Python, without docstrings, with these numbers."""
    # Nearly all are names, contexts and lists: the most frequent kinds are tested first.
    kind = type(node)
    if kind is str or node is None:
        return node
    if kind is list:
        return tuple(
            [_canonical(child, numbers) for child in cast(list[ast.AST], node) if not _is_bare_constant(child)]
        )
    if kind is ast.Constant:
        # The characters that a repr escapes depend on the version's Unicode tables.
        value = cast(ast.Constant, node).value
        return "Constant", type(value).__name__, ascii(value)
    if kind is ast.JoinedStr:
        # Python 3.12 puts an empty text behind a nested format.
        values = cast(ast.JoinedStr, node).values
        return "JoinedStr", *(_canonical(child, numbers) for child in values if getattr(child, "value", None) != "")
    if isinstance(node, ast.AST):
        number = numbers.get(node)
        fields = [
            (name, number if number and name in _NAMING else _canonical(getattr(node, name, None), numbers))
            for name in _fields_of(kind.__name__)
        ]
        # Later versions add fields, which are empty unless something new is used.
        return kind.__name__, *[field for field in fields if field[1] is not None and field[1] != ()]
    return node


def _is_bare_constant(node: ast.AST) -> bool:
    """Whether it is a docstring, or another constant that is a statement."""
    return type(node) is ast.Expr and type(node.value) is ast.Constant


@cache
def _fields_of(kind: str) -> list[str]:
    """Fields of a kind of syntax node that have an effect."""
    return [name for name in getattr(ast, kind)._fields if name not in _WITHOUT_EFFECT]


def digest_file(path: Path) -> str:
    """SHA-256 of the content of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
