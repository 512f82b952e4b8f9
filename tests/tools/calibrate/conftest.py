import pytest

from tools.calibrate import agreement, populations, sequential


@pytest.fixture
def smaller(monkeypatch):
    """Make corpora that are large or many, so that their error does not matter, smaller: nothing here depends on it."""
    sequential.deviation.cache_clear()
    agreement.corpus.cache_clear()
    for module, name, size in (
        (sequential, "_LARGE", 1000),
        (sequential, "_TO_PLAN", 20),
        (populations, "_LARGE_COUNTED", 1000),
        (populations, "_LARGE_DOUBTS", 1000),
        # Nor on data that others have made, where they are at hand.
        (agreement, "_TABLES", {}),
        (agreement, "_FILES", {}),
        (agreement, "_PLANTED", dict.fromkeys((*agreement.NAMES, "das22, pages"), (0.3, 0.0))),
    ):
        monkeypatch.setattr(module, name, size)
    yield
    sequential.deviation.cache_clear()
    agreement.corpus.cache_clear()
