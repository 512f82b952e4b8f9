"""Local names of a definition, by the scopes of Python, so that a digest need not depend on them."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SEEING_NAMES: Final = {"locals", "vars", "eval", "exec", "dir"}
"""Functions whose result depends on local names."""


@dataclass(frozen=True, slots=True)
class LocalName:
    """A name of a function or comprehension: a number of its own in the definition, and how it can be reached.

    `is_fixed` names are those of imports, inner definitions and settings that are given by keyword alone.
    """

    name: str
    number: int
    is_fixed: bool = False
    is_parameter: bool = False


@dataclass(slots=True)
class _Scope:
    """Names that a function binds, without those of inner functions, each with a number once it is met."""

    bound: frozenset[str]
    fixed: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()
    is_class: bool = False
    numbers: dict[str, LocalName] = field(default_factory=dict)


@cache
def local_names(statement: ast.stmt) -> Mapping[ast.AST, LocalName]:
    """Nodes of a definition that name something local: names, arguments, caught errors and captures of patterns."""
    nodes = list(ast.walk(statement))
    if any(isinstance(node, ast.Name) and node.id in _SEEING_NAMES for node in nodes):
        return {}
    shared = {name for node in nodes if isinstance(node, ast.Nonlocal) for name in node.names}
    resolved = _Names(frozenset(shared))
    resolved.visit(statement, ())
    return resolved.by_node


class _Names:
    def __init__(self, shared: frozenset[str]) -> None:
        self.by_node: dict[ast.AST, LocalName] = {}
        self._shared = shared
        self._count = 0

    def visit(self, node: ast.AST, scopes: Sequence[_Scope]) -> None:
        """Resolve the names of a node in the scopes around it, the innermost last."""
        if isinstance(node, _FUNCTIONS):
            self._visit_function(node, scopes)
        elif isinstance(node, _COMPREHENSIONS):
            self._visit_comprehension(node, scopes)
        elif isinstance(node, ast.ClassDef):
            # Names of a class are its attributes.
            body = _Scope(_bound_in(node.body), fixed=_bound_in(node.body), is_class=True)
            self._visit_all([*node.decorator_list, *node.bases, *node.keywords], scopes)
            self._visit_all(node.body, (*scopes, body))
        else:
            if (name := _name_of(node)) is not None:
                self._resolve(node, name, scopes)
            self._visit_all(ast.iter_child_nodes(node), scopes)

    def _visit_all(self, nodes: Iterator[ast.AST] | Sequence[ast.AST], scopes: Sequence[_Scope]) -> None:
        for node in nodes:
            self.visit(node, scopes)

    def _visit_function(self, node: _Function, scopes: Sequence[_Scope]) -> None:
        arguments = node.args
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        positional = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every = [*positional, *(extra for extra in (arguments.vararg, arguments.kwarg) if extra)]
        outer = [*arguments.defaults, *(value for value in arguments.kw_defaults if value)]
        outer += [argument.annotation for argument in every if argument.annotation]
        if not isinstance(node, ast.Lambda):
            outer += [*node.decorator_list, *([node.returns] if node.returns else [])]
        self._visit_all(outer, scopes)
        parameters = {argument.arg for argument in every}
        stated = {name for part in _walk_scope(body) if isinstance(part, ast.Global) for name in part.names}
        inner = _Scope(
            _bound_in(body) | parameters,
            fixed=_defined_in(body) | stated | {argument.arg for argument in arguments.kwonlyargs},
            parameters=frozenset(argument.arg for argument in arguments.args),
        )
        visible = (*(scope for scope in scopes if not scope.is_class), inner)
        for argument in every:
            self._resolve(argument, argument.arg, visible)
        self._visit_all(body, visible)

    def _visit_comprehension(self, node: _Comprehension, scopes: Sequence[_Scope]) -> None:
        first = node.generators[0].iter
        self.visit(first, scopes)
        targets = frozenset(
            part.id
            for generator in node.generators
            for part in ast.walk(generator.target)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        )
        visible = (*(scope for scope in scopes if not scope.is_class), _Scope(targets))
        for generator in node.generators:
            self.visit(generator.target, visible)
            self._visit_all([generator.iter] if generator.iter is not first else [], visible)
            self._visit_all(generator.ifs, visible)
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self._visit_all(values, visible)

    def _resolve(self, node: ast.AST, name: str, scopes: Sequence[_Scope]) -> None:
        scope = next((scope for scope in reversed(scopes) if name in scope.bound), None)
        if scope is None:
            return
        if name not in scope.numbers:
            is_fixed = name in scope.fixed or name in self._shared
            scope.numbers[name] = LocalName(name, self._count, is_fixed, name in scope.parameters)
            self._count += 1
        self.by_node[node] = scope.numbers[name]


def _name_of(node: ast.AST) -> str | None:
    """Name that a node reads or binds."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return node.name
    return node.rest if isinstance(node, ast.MatchMapping) else None


def _walk_scope(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Nodes of a body, without those of inner functions and classes, but with their own node."""
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            waiting += ast.iter_child_nodes(node)


def _defined_in(body: Sequence[ast.AST]) -> frozenset[str]:
    """Names of imports and inner definitions."""
    names = set()
    for node in _walk_scope(body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
    return frozenset(names)


def _bound_in(body: Sequence[ast.AST]) -> frozenset[str]:
    """Names that a body binds in its own scope."""
    in_comprehensions = {
        part
        for node in _walk_scope(body)
        if isinstance(node, _COMPREHENSIONS)
        for generator in node.generators
        for part in ast.walk(generator.target)
    }
    names = set(_defined_in(body))
    for node in _walk_scope(body):
        if node in in_comprehensions or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)):
            continue
        if (name := _name_of(node)) is not None:
            names.add(name)
    return frozenset(names)
