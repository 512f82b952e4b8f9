"""What tests of several rooms share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

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


@pytest.fixture(scope="session")
def sclite() -> str:
    """NIST's program, where Debian's package sctk puts it or in the path."""
    places = [shutil.which("sclite"), "/usr/lib/sctk/bin/sclite"]
    found = next((place for place in places if place and Path(place).is_file()), None)
    if found is None:
        pytest.skip("sclite is missing: apt-get install sctk")
    return found
