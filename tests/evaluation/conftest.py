"""Small data in memory."""

from __future__ import annotations

import pandas as pd
import pytest

from misread import evaluate

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
        named = {"reference": "ref", "systems": ["a", "b", "c"], "ids": "line", "clusters": "page", "name": "lines"}
        return evaluate(lines, **{**named, "metrics": ["cer", "wer"], "seed": 1, "resamples": 99, **changes})

    return run
