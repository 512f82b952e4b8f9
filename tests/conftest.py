"""What tests of several rooms share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numba
import pytest
from hypothesis import settings

from misread import chunks

# The first example may have to wait for compiled code; speed is measured by `make bench`, never by a test.
settings.register_profile("misread", deadline=None)
settings.load_profile("misread")

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the checkout."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data sets; tests that need it are skipped with the reason where it is absent."""
    root = Path(os.environ.get("MISREAD_DATA_ROOT", REPOSITORY / ".." / "shared" / "data")).resolve()
    if not root.is_dir():
        pytest.skip(f"shared data is absent: no folder {root} (set MISREAD_DATA_ROOT)")
    return root


@pytest.fixture
def use_threads(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how many threads take the chunks of the kernels, however little work there is."""

    def use(threads: int) -> None:
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", threads)
        monkeypatch.setattr(chunks, "_LEAST_UNITS", 1)

    return use
