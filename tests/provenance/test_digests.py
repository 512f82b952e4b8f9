"""Changes that the digest of a definition shows, and changes that it ignores."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import symtable
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from misread.errors import InputFileError
from misread.normalize.steps import STEPS
from misread.provenance import digests
from misread.provenance.digests import digest_definition
from misread.provenance.local_names import local_names

FILES = {
    "__init__.py": "from .helpers import clean as exported\n",
    "helpers.py": """
        import re
        from package.space import SPACE

        _PATTERN = re.compile(f"[{SPACE}]+")
        _TABLE = {"a": "b"}
        _TABLE["c"] = "d"
        _UNUSED = 1

        def clean(text):
            return _PATTERN.sub(" ", text)

        def unused(text):
            return text
        """,
    "space.py": 'SPACE = " \\u3000"\nOTHER = 1\n',
    "tables.py": "FIRST = 1.5\n",
    "steps.py": '''
        """What the module has."""
        import package.tables
        from package import exported
        from package.helpers import _TABLE

        class Tool:
            """What it is."""

            def use(self, text: str) -> str:
                return text + _TABLE["a"] + str(package.tables.FIRST)

        def step(text: str) -> str:
            """What it does."""
            return Tool().use(exported(text))  # a comment

        unnamed = lambda text: exported(text)
        ''',
}


@pytest.fixture
def digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Digest of a function of a package that is made of these files, after a change of one of them."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(
        file: str = "",
        old: str = "",
        new: str = "",
        *,
        name: str = "step",
        files: Mapping[str, str] = FILES,
        with_local_names: bool = True,
    ) -> str:
        assert not file or old in files[file]
        shutil.rmtree(tmp_path / "package", ignore_errors=True)
        (tmp_path / "package").mkdir()
        for each, source in files.items():
            (tmp_path / "package" / each).write_text(dedent(source.replace(old, new) if each == file else source))
        for module in [module for module in sys.modules if module.split(".")[0] == "package"]:
            del sys.modules[module]
        importlib.invalidate_caches()
        digests._bindings.cache_clear()
        step = getattr(importlib.import_module("package.steps"), name)
        return digest_definition(step, with_local_names=with_local_names)

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return make


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("steps.py", "What it does.", "What it has done ever since."),
        ("steps.py", '"""What it is."""', '"""What it\n            was."""'),
        ("steps.py", "What the module has.", "What else."),
        ("steps.py", "  # a comment", ""),
        ("steps.py", "Tool().use(exported(text))", "(Tool() . use(\n                exported( text )))"),
        ("helpers.py", '" "', "' '"),
        ("helpers.py", "_UNUSED = 1", "_UNUSED = 2"),
        ("helpers.py", "return text", "return text * 2"),
        ("space.py", "OTHER = 1", "OTHER = 2"),
    ],
)
def test_what_changes_nothing_that_is_done_keeps_the_digest(digest, file, old, new):
    assert digest(file, old, new) == digest()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("steps.py", "exported(text)", "exported(text.strip())"),
        ("steps.py", 'text + _TABLE["a"]', '_TABLE["a"] + text'),
        ("helpers.py", "]+", "]*"),
        ("helpers.py", '" ", text', '"_", text'),
        ("helpers.py", '"a": "b"', '"a": "x"'),
        ("helpers.py", '_TABLE["c"] = "d"', '_TABLE["c"] = "x"'),
        ("helpers.py", "import re", "import regex as re"),
        ("space.py", "u3000", "u3001"),
        ("tables.py", "1.5", "1.25"),
    ],
)
def test_what_changes_something_that_is_done_changes_the_digest(digest, file, old, new):
    assert digest(file, old, new) != digest()


def test_moving_a_definition_to_another_module_keeps_the_digest(digest):
    moved = FILES | {
        "space.py": "OTHER = 1\n",
        "words.py": FILES["space.py"],
        "helpers.py": FILES["helpers.py"].replace("package.space", "package.words"),
    }
    assert digest(files=moved) == digest()


def test_a_function_without_a_name_is_told_by_all_of_its_module(digest):
    assert digest("steps.py", 'text + _TABLE["a"]', "text", name="unnamed") != digest(name="unnamed")


def test_the_digest_is_the_same_under_every_version_of_python(digest):
    """Worked out under 3.11, 3.12 and 3.13; a letter that only later Unicode tables can print is spelled out."""
    source = """
        import re

        _PATTERN = re.compile(rf"[{1!r:>{3}}]{{2}}" "joined" '🫟')

        def step(text: str, /, *others: str, key: int = -1, **rest) -> str:
            try:
                found = [each for each in text if (n := len(each)) > 1.5e-3] or {**rest} or b"\\x00" or _PATTERN
            except* ValueError:
                found = None
            match text:
                case [1, *_] | {"a": None}:
                    return ...
            return lambda: found
        """
    assert digest(files={"__init__.py": "", "steps.py": source}) == (
        "3f5bcf40d8cecc12c5f76d49b7cadc7dd3a5aaa3c804daaa0c22e99743f82bf8"
    )


def test_a_module_without_source_is_an_answer():
    with pytest.raises(InputFileError, match="module builtins has no source"):
        digest_definition(len)


def test_the_class_of_an_error_is_no_part_of_the_digest(digest):
    refusing = FILES | {
        "helpers.py": FILES["helpers.py"].replace(
            "import re", "import re\n        from misread.errors import {} as Refusal"
        )
    }
    refusing["helpers.py"] = refusing["helpers.py"].replace('return _PATTERN.sub(" ", text)', "raise Refusal(text)")
    first, second = (
        digest(files=refusing | {"helpers.py": refusing["helpers.py"].replace("{} as", f"{name} as")})
        for name in ("InputFileError", "ConfigurationError")
    )
    assert first == second != digest()


LOCAL = """
    import re
    from functools import reduce

    LAST = "z"

    def join(text, NAME0, *NAME1, **NAME2):
        return text + NAME0 + "".join(NAME1) + str(NAME2)

    def step(text: str, *, setting: int = 1) -> str:
        import string
        try:
            NAME3 = [NAME4 for NAME4 in text if (NAME5 := ord(NAME4)) > setting for NAME6 in range(NAME5)]
        except ValueError as NAME7:
            return str(NAME7)
        match text.split():
            case [NAME8, *NAME9] | {"a": NAME8, **NAME9}:
                return NAME8 + str(NAME9)

        def inner(text):
            return sorted(text, key=lambda NAME10: NAME10 + text + NAME11 + string.digits)

        for NAME11, (NAME12, _) in enumerate(NAME3):
            with open(NAME12) as NAME13:
                NAME14: str = NAME13.read()
        return join(re.sub("a", lambda NAME15: NAME15[0] + LAST, text), inner(NAME14), NAME3)
    """
NAMES = [f"NAME{number}" for number in range(16)]


def renamed(source, names):
    by_placeholder = dict(zip(NAMES, names, strict=True))
    return {"__init__.py": "", "steps.py": re.sub(r"NAME\d+", lambda match: by_placeholder[match[0]], source)}


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.permutations([*NAMES, "found", "of", "v0", "step"]))
def test_names_of_variables_do_not_count_where_they_are_left_out(digest, names):
    first, second = (
        digest(files=renamed(LOCAL, drawn), with_local_names=False) for drawn in (NAMES, names[: len(NAMES)])
    )
    assert first == second


def test_names_count_otherwise(digest):
    first, second = (digest(files=renamed(LOCAL, names)) for names in (NAMES, NAMES[::-1]))
    assert first != second


JOINED = "def join(first, second):\n    return first + 'x' + second\n\n\ndef step(text):\n    return join({})\n"
INNER = "def step(text):\n    a = b = 1\n    def inner():\n        nonlocal a\n        a = 2\n    return a\n"


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        ("def step(text):\n    a, b = text\n    return a + b\n", "a + b", "b + a"),
        # A parameter that is given by keyword, or by a mapping, is known by its name.
        (JOINED.format("first=text, second=''"), "(first, second)", "(second, first)"),
        (JOINED.format("**text"), "first", "last"),
        ("def step(text, *, a=1, b=2):\n    return a\n", "a", "c"),
        ("def step(text):\n    a = text\n    return str(locals())\n", "a =", "b ="),
        ("A = B = ''\ndef step(text):\n    return A + text\n", "A +", "B +"),
        ("A = ''\ndef step(text):\n    global A\n    A = text\n", "    global A\n", ""),
        (INNER, "nonlocal a", "pass"),
        ("def step(text):\n    class A:\n        a = 1\n    return A.a\n", "a = 1", "c = 1"),
    ],
)
def test_what_a_name_decides_counts_without_names_of_variables(digest, source, old, new):
    assert old in source
    first, second = (
        digest(files={"__init__.py": "", "steps.py": code}, with_local_names=False)
        for code in (source, source.replace(old, new))
    )
    assert first != second


@pytest.mark.slow
@pytest.mark.parametrize("home", sorted({facts.home for facts in STEPS.values()}))
def test_local_names_are_those_in_the_symbol_tables_of_python(home):
    source = Path(importlib.import_module(home).__file__).read_text(encoding="utf-8")
    expected, waiting = set(), [symtable.symtable(source, home, "exec")]
    while waiting:
        table = waiting.pop()
        waiting += table.get_children()
        if table.get_type() == "function":
            # What a comprehension iterates over has a name of the compiler.
            expected |= {name for name in table.get_locals() if not name.startswith(".")}
    names = {name for statement in ast.parse(source).body for name in local_names(statement).values()}
    assert {name.name for name in names if not name.is_fixed} <= expected <= {name.name for name in names}
