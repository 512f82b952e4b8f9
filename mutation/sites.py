"""Places in a module where a small fault can be inserted, found in its syntax tree."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from typing import Final

COMPARISONS: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Checks of what must be so anyway; a test that reached them would have to break something else first.
UNCHANGED_KEYWORDS: Final = ("strict", "stacklevel")


@dataclass(frozen=True)
class Mutant:
    """A fault: a piece of one module that is replaced.

    Attributes
    ----------
    module : str
        Path of the module below `src/misread`.
    scope : str
        Function or class that it lies in, "" for the module itself.
    line : int
        Line of the piece, from 1.
    start, end : int
        Where the piece lies in the module's bytes.
    old, new : str
        The piece, and what stands in its place.
    ordinal : int
        Number of equal changes before this one in the scope.
    """

    module: str
    scope: str
    line: int
    start: int
    end: int
    old: str
    new: str
    ordinal: int = 0

    @property
    def key(self) -> str:
        """Name that other changes of the module do not touch, as a line number would be."""
        count = f" #{self.ordinal + 1}" if self.ordinal else ""
        return f"{self.module} {self.scope or 'module'}: {self.old} -> {self.new}{count}"

    def applied_to(self, source: bytes) -> bytes:
        """The module with the fault."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def find_mutants(module: str, source: bytes) -> list[Mutant]:
    """All faults of a module, in the order in which they lie there."""
    finder = _Finder(module, source)
    finder.visit(ast.parse(source))
    seen: Counter[str] = Counter()
    numbered = []
    for mutant in sorted(finder.found, key=lambda one: (one.start, one.end, one.new)):
        numbered.append(Mutant(**{**mutant.__dict__, "ordinal": seen[mutant.key]}))
        seen[mutant.key] += 1
    return numbered


class _Finder(ast.NodeVisitor):
    """Collects faults; leaves out annotations, decorators, messages and what only a type checker reads."""

    def __init__(self, module: str, source: bytes) -> None:
        self.found: list[Mutant] = []
        self._module = module
        self._source = source
        self._scope: list[str] = []
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._starts = starts

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._scope.append(node.name)
        for default in (*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)):
            self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self._scope.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scope.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._scope.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) != "TYPE_CHECKING":
            self._negate(node.test)
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Nothing of a message is changed; that it is raised at all is the condition's."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Nothing of a text for people is changed."""

    def visit_Import(self, node: ast.Import) -> None:
        """Nothing of an import is changed."""

    visit_ImportFrom = visit_Import  # noqa: N815
    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]  # noqa: N815

    def visit_Assign(self, node: ast.Assign) -> None:
        if ast.unparse(node.targets[0]) != "__all__":
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for position, operator in enumerate(node.ops):
            other = COMPARISONS[type(operator)]()
            operators = [*node.ops[:position], other, *node.ops[position + 1 :]]
            self._replace(node, ast.Compare(node.left, operators, node.comparators))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = ARITHMETIC.get(type(node.op))
        if other is not None and not _is_text(node.left) and not _is_text(node.right):
            self._replace(node, ast.BinOp(node.left, other(), node.right))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._replace(node, ast.BoolOp(other, node.values))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, (ast.Not, ast.Invert)):
            self._replace(node, node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, ast.Constant(not node.value))
        elif isinstance(node.value, (int, float)):
            self._replace(node, ast.Constant(node.value + 1))

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in NAMES:
            self._replace(node.func, ast.Name(NAMES[node.func.id]))
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in UNCHANGED_KEYWORDS:
            self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._replace(node.value, ast.Constant(None))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._insert(node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._insert(node, "pass")
        self.generic_visit(node)

    def visit_Break(self, node: ast.Break) -> None:
        self._insert(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._insert(node, "break")

    def _negate(self, test: ast.expr) -> None:
        # A single comparison or `not` has a fault of its own that says the same.
        if not isinstance(test, ast.UnaryOp) and not (isinstance(test, ast.Compare) and len(test.ops) == 1):
            self._replace(test, ast.UnaryOp(ast.Not(), test))

    def _replace(self, node: ast.expr, changed: ast.expr) -> None:
        text = ast.unparse(changed)
        self._insert(node, text if isinstance(changed, (ast.Constant, ast.Name)) else f"({text})")

    def _insert(self, node: ast.expr | ast.stmt, new: str) -> None:
        assert node.end_lineno is not None and node.end_col_offset is not None  # noqa: S101, PT018
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        old = " ".join(self._source[start:end].decode().split())
        self.found.append(Mutant(self._module, ".".join(self._scope), node.lineno, start, end, old, new))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
