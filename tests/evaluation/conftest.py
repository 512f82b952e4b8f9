"""Small data in memory."""

from __future__ import annotations

import pandas as pd
import pytest

from misread.data import from_frame
from misread.evaluation import evaluate_table

FRAME = pd.DataFrame(
    {
        "line": ["l10", "l9", "l2", "l1"],
        "page": ["p1", "p1", "p2", "p3"],
        "side": ["left", "right", "left", "right"],
        "ref": ["the quick brown fox", "jumps over the lazy dog", "one two", "three"],
        "a": ["the quich brown fox", "jumps over", "one two", "thre"],
        "b": ["the quick brown fox", "jump", "one  two", "three"],
        "c": ["tne quich brovvn fox", "", "one", "tree"],
    }
)


@pytest.fixture
def frame() -> pd.DataFrame:
    """Four lines of three pages, read by three systems."""
    return FRAME.copy()


@pytest.fixture
def many_pages(frame) -> pd.DataFrame:
    """The lines of four such books: enough pages for rates to have intervals."""
    books = (frame.assign(line=frame["line"] + book, page=frame["page"] + book) for book in "abcd")
    return pd.concat(books, ignore_index=True)


@pytest.fixture
def evaluate_lines(frame):
    """Evaluate the lines, with other arguments or rows."""

    def run(lines=frame, **changes):
        columns = {
            "reference": "ref",
            "systems": ["a", "b", "c"],
            "segment_id": "line",
            "cluster": "page",
            "name": "lines",
        }
        columns |= {name: changes.pop(name) for name in [*columns, "groups", "cluster_name"] if name in changes}
        options = {"metrics": ["cer", "wer"], "seed": 1, "statistics": {"resamples": 99}, **changes}
        return evaluate_table(from_frame(lines, **columns), **options)

    return run
