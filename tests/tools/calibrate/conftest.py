import pytest

from misread.data.segment_table import SegmentTable
from tools.calibrate import agreement, parts, populations, sequential

LINES = [f"Word {number}" for number in range(24)]
OUTPUTS = {"lower": [line.lower() for line in LINES], "short": [line[:-1] for line in LINES]}
PAGES = SegmentTable(segment_id=LINES, references=LINES, cluster=[*"abcdefgh"] * 3, hypotheses=OUTPUTS)


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
        (parts, "read_segments", lambda _: PAGES),
        (agreement, "_TABLES", {}),
        (agreement, "_FILES", {}),
        (agreement, "_PLANTED", dict.fromkeys((*agreement.NAMES, "das22, pages"), (0.3, 0.0))),
    ):
        monkeypatch.setattr(module, name, size)
    yield
    sequential.deviation.cache_clear()
    agreement.corpus.cache_clear()
