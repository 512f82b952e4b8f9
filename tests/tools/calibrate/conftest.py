import pytest

from tools.calibrate import populations, sequential


@pytest.fixture
def smaller(monkeypatch):
    """Corpora that are so large that their error does not matter have fewer clusters: nothing here depends on it."""
    sequential.deviation.cache_clear()
    for module, name in (
        (sequential, "_LARGE"),
        (populations, "_LARGE_COUNTED"),
        (populations, "_LARGE_DOUBTS"),
    ):
        monkeypatch.setattr(module, name, 1000)
    yield
    sequential.deviation.cache_clear()
