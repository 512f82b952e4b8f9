"""Which modules are searched for examples to run."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Search those that have any: to import and search all others takes a tenth of the time to collect."""
    collectors = yield
    if not any(isinstance(collector, DoctestModule) for collector in collectors) or b">>> " in file_path.read_bytes():
        return collectors
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]
