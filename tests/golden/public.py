"""What is public, and changes with one minor version of warning only: docs/reference/stability.md."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from typer.main import get_command

import misread
import misread.spec
from misread.cli.app import COMMANDS, make_app
from misread.io.layouts import LAYOUTS

PINNED = Path(__file__).with_name("public.json")
PACKAGE = Path(misread.__file__).parent


def describe_public() -> dict[str, Any]:
    """Names with their parameters and members, commands with their options, keys of signatures, layouts."""
    app = get_command(make_app())
    return {
        "python": {name: _describe(getattr(misread, name)) for name in sorted(misread.__all__)},
        "spec": {name: _describe(getattr(misread.spec, name)) for name in sorted(misread.spec.__all__)},
        "commands": {"misread": _options(app), **{name: _options(_find(app, name)) for name in sorted(COMMANDS)}},
        "signatures": sorted(signature_keys()),
        "layouts": dict(sorted(LAYOUTS.items())),
    }


def dump_public() -> str:
    """The same as text of the file that is committed: an entry a line, so that a difference is read easily."""
    text = json.dumps(describe_public(), ensure_ascii=False, indent=1)
    return re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda match: "[" + re.sub(r",\s+", ", ", match[1]) + "]", text) + "\n"


def _describe(value: Any) -> Any:
    if isinstance(value, str):
        return "text"
    if isinstance(value, Mapping):
        return sorted(value)
    if not isinstance(value, type):
        return _parameters(value)
    members = [name for name in dir(value) if not name.startswith("_") and not hasattr(Exception, name)]
    return {"parameters": _parameters(value), "members": members}


def _parameters(function: Any) -> list[str]:
    if isinstance(function, type) and issubclass(function, Exception):
        return ["message"]
    kinds = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [kinds.get(entry.kind, "") + entry.name for entry in inspect.signature(function).parameters.values()]


def _find(app: Any, name: str) -> Any:
    for word in name.split():
        app = app.commands[word]
    return app


def _options(command: Any) -> list[str]:
    return sorted(name for param in command.params for name in (*param.opts, *param.secondary_opts))


@cache
def signature_keys() -> frozenset[str]:
    """Keys that functions of the package sign.

    They are those of `facts` of metrics, of what is given to `with_facts`, and of the module that signs comparisons.
    Captures are signed with the settings of their engine, as it names them.
    """
    keys = {"v"}
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if not re.search(r"def (facts|signed)\b|with_facts|def sign", source):
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and (
                path == PACKAGE / "stats/compare/signature.py" or _arguments(node) in (["norm"], ["chooses_readings"])
            ):
                keys |= {key for part in ast.walk(node) for key in _keys(part)}
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "with_facts":
                keys |= {key for argument in node.args for key in _keys(argument)}
    # What tally/scored_run.py adds where they are used.
    return frozenset(keys | {"plugin"})


def _arguments(function: ast.FunctionDef) -> list[str]:
    """Arguments of a method that is one of those with which facts are signed; otherwise none."""
    arguments = [argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)]
    return arguments[1:] if function.name in ("facts", "signed") else []


def _keys(node: ast.AST) -> Iterator[str]:
    """Keys of a mapping of texts that is written out, or that is added to one."""
    if isinstance(node, ast.Dict) and not any(isinstance(value, ast.Tuple) for value in node.values):
        yield from (key.value for key in node.keys if isinstance(key, ast.Constant))
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.slice, ast.Constant):
        yield node.slice.value
