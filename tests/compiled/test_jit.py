"""Compiled code works where nothing can be written, and is found again where something can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest
from tests.copies import copy_writable

from misread.compiled.cache import find_sources
from misread.compiled.jit import jit

# Every kernel is decorated when it is imported; a small one is compiled.
PROGRAM = """
import numpy as np
import misread.alignment.kernels.levenshtein
from misread.alignment.kernels.units import count_codes
assert misread.alignment.__file__.startswith({package!r}), misread.alignment.__file__
print(count_codes(np.array([1, 0, 1]), 2).tolist())
"""


@pytest.fixture
def package(repository: Path, tmp_path: Path) -> Path:
    """A folder with a copy of the package, without machine code."""
    copy_writable(repository / "src/misread", tmp_path / "misread", "*.nbc", "*.nbi")
    return tmp_path


def run(
    package: Path, environment: dict[str, str], *prefix: str, program: str = PROGRAM
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*prefix, sys.executable, "-c", program.replace("{package!r}", repr(str(package)))],
        cwd="/",
        env={"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_an_install_in_a_read_only_folder_works(package: Path) -> None:
    # Root may write anywhere, unless it gives that up.
    prefix = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    if prefix and shutil.which("setpriv") is None:
        pytest.skip("running as root, and setpriv is missing: no folder is read-only")
    for path in [package, *package.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    done = run(package, {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}, *prefix)
    package.chmod(0o755)
    assert done.stdout == "[1, 2]\n", done.stderr
    assert not list(package.rglob("*.nbi"))


@pytest.mark.process
def test_machine_code_is_kept_where_the_cache_folder_says(package: Path, tmp_path: Path) -> None:
    done = run(package, {"NUMBA_CACHE_DIR": str(tmp_path), "HOME": str(tmp_path)})
    assert done.stdout == "[1, 2]\n", done.stderr
    assert list(tmp_path.rglob("*.nbi"))


# Two modules of a package: a kernel, and one that it takes a constant or a function from.
OUTER = """
from misread.compiled.jit import jit
from misread.inner import inner
@jit
def outer(x):
    return inner(x) + 1
"""
INNER = """
from misread.compiled.jit import jit
from misread.constant import CONSTANT
@jit
def inner(x):
    return x * CONSTANT
"""
CALL = """
from misread.outer import outer
print(outer(10), sum(outer.compiled.stats.cache_hits.values()))
"""


@pytest.fixture
def call_outer(package: Path, tmp_path: Path) -> Callable[[], list[int]]:
    """Calls a kernel in a new process; its result, and how often it was found in the cache."""
    for name, source in (("outer", OUTER), ("inner", INNER), ("constant", "CONSTANT = 2\n")):
        (package / f"misread/{name}.py").write_text(source)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path)}

    def call() -> list[int]:
        done = run(package, environment, program=CALL)
        assert done.returncode == 0, done.stderr
        return [int(number) for number in done.stdout.split()]

    return call


@pytest.mark.process
def test_a_change_behind_a_kernel_is_compiled_and_no_change_is_not(package: Path, call_outer: Callable) -> None:
    assert call_outer() == [21, 0]
    assert call_outer() == [21, 1]
    (package / "misread/inner.py").write_text(INNER.replace("x * CONSTANT", "x * CONSTANT - 1"))
    assert call_outer() == [20, 0]
    (package / "misread/constant.py").write_text("CONSTANT = 3\n")
    assert call_outer() == [30, 0]
    with (package / "misread/errors.py").open("a") as unrelated:
        unrelated.write("# nothing that a kernel imports\n")
    assert call_outer() == [30, 1]


NAMED = """
from typing import NamedTuple
from misread.compiled.jit import jit
class Sides(NamedTuple):
    first: int
    last: int
@jit
def outer(sides):
    return sides.first + sides.last
"""


@pytest.mark.process
def test_machine_code_for_a_class_that_is_gone_is_compiled_again(package: Path, tmp_path: Path) -> None:
    environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    for name in ("Sides", "Ends"):
        (package / "misread/outer.py").write_text(NAMED.replace("Sides", name))
        done = run(package, environment, program=f"from misread.outer import *; print(outer({name}(1, 2)))")
        assert done.stdout == "3\n", done.stderr


def test_the_stamp_of_a_kernel_is_made_of_the_files_behind_it(repository: Path) -> None:
    package = repository / "src/misread"
    sources = {name: find_sources(package / f"alignment/kernels/{name}.py") for name in ("levenshtein", "words")}
    for file, expected in (
        ("alignment/kernels/simd.py", [True, True]),
        ("alignment/kernels/strips.py", [True, False]),
        ("text/words.py", [False, True]),
        ("alignment/api.py", [False, False]),
    ):
        assert [package / file in found for found in sources.values()] == expected


@pytest.mark.slow
def test_constants_of_a_caller_are_not_compiled_for() -> None:
    call_twice(1)
    assert len(plus.compiled.signatures) == 1


@jit
def plus(number: int, other: int, negate: bool) -> int:
    return -number - other if negate else number + other


@numba.njit
def call_twice(number: int) -> int:
    return plus(number, 1, True) + plus(2, number, False)


# Prints, after each command, which of these modules have a kernel that was compiled or read from the cache so far.
USED = """
import misread
from misread.alignment.kernels import graphemes, weighted, words
from misread.compiled.budget import use_machine_code
from misread.compiled.jit import Kernel
use_machine_code()
def is_used(module):
    return any(value.compiled.signatures for value in vars(module).values() if isinstance(value, Kernel))
for command in ("cer('abc', 'abd')", "wer('abc', 'abd')", "ger('e\u0301', 'e')"):
    eval("misread." + command)
    print(is_used(words), is_used(graphemes), is_used(weighted))
"""


@pytest.mark.process
def test_only_what_a_command_needs_is_compiled(repository: Path) -> None:
    expected = ["False"] * 3 + ["True"] + ["False"] * 2 + ["True"] * 2 + ["False"]
    # Where nothing is compiled yet, a kernel gives signatures to all that it is compiled with: that is the first try.
    done = run(repository / "src", dict(os.environ), program=USED)
    if done.stdout.split() != expected:
        done = run(repository / "src", dict(os.environ), program=USED)
    assert done.stdout.split() == expected, done.stderr
