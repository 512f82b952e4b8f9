import pytest

from tools.calibrate import populations, sequential


@pytest.fixture
def smaller(monkeypatch):
    """Make corpora that are large or many, so that their error does not matter, smaller: nothing here depends on it."""
    sequential.deviation.cache_clear()
    for module, name, size in (
        (sequential, "_LARGE", 1000),
        (sequential, "_TO_PLAN", 20),
        (populations, "_LARGE_COUNTED", 1000),
        (populations, "_LARGE_DOUBTS", 1000),
    ):
        monkeypatch.setattr(module, name, size)
    yield
    sequential.deviation.cache_clear()
