"""Compiled code works where nothing can be written, and is found again where something can."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# Every kernel is decorated when it is imported; the smallest one is compiled.
PROGRAM = """
import numpy as np
import misread.alignment
from misread.stats.kernels import resampled_sums
assert misread.alignment.__file__.startswith({package!r}), misread.alignment.__file__
print(resampled_sums(np.array([[1, 1], [10, 10]]), 1, 7).tolist())
"""


@pytest.fixture
def package(repository: Path, tmp_path: Path) -> Path:
    """A folder with a copy of the package, without caches."""
    shutil.copytree(repository / "src/misread", tmp_path / "misread", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(package: Path, environment: dict[str, str], *prefix: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*prefix, sys.executable, "-c", PROGRAM.format(package=str(package))],
        cwd="/",
        env={"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_install_in_a_read_only_folder_works(package: Path) -> None:
    # Root may write anywhere, unless it gives that up.
    prefix = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.getuid() == 0 else []
    if prefix and shutil.which("setpriv") is None:
        pytest.skip("running as root, and setpriv is missing: no folder is read-only")
    for path in [package, *package.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    done = run(package, {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere"}, *prefix)
    package.chmod(0o755)
    assert done.stdout == "[[2, 20]]\n", done.stderr
    assert not list(package.rglob("*.nbi"))


def test_machine_code_is_kept_where_the_cache_folder_says(package: Path, tmp_path: Path) -> None:
    done = run(package, {"NUMBA_CACHE_DIR": str(tmp_path), "HOME": str(tmp_path)})
    assert done.stdout == "[[2, 20]]\n", done.stderr
    assert list(tmp_path.rglob("*.nbi"))
