import numpy as np
import pytest
from tests.whole_tables import write_normalized

from misread.normalize import get_normalizer, normalize
from misread.records import Capture, Origin, SegmentKeys, TextPairs
from misread.storage import StoredTexts, parquet_writer, read_normalized


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Ten segments in row groups of four, one of them without a hypothesis."""
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 4)
    keys = SegmentKeys([f"s{row}" for row in range(10)], [f"p{row // 5}" for row in range(10)], {"ink": ["red"] * 10})
    texts = TextPairs([f"Text {row}" for row in range(10)], [None if row == 6 else f"Txt {row}" for row in range(10)])
    reasons = ["unreadable" if row == 6 else None for row in range(10)]
    path = tmp_path / "a.parquet"
    write_normalized(path, normalize(Capture(Origin("d", "a"), keys, texts, reasons), get_normalizer("lower")))
    return StoredTexts(path)


@pytest.mark.parametrize("rows", [[], [0], [1, 3, 4, 6, 9], [8, 9], list(range(10))])
def test_taken_rows_are_those_of_the_whole(stored, rows):
    whole, taken = read_normalized(stored.path), stored.take(rows)
    for form in ("raw", "normalized", "normalized_lines"):
        expected, found = getattr(whole, form), getattr(taken, form)
        assert list(found.references) == [expected.references[row] for row in rows]
        assert list(found.hypotheses) == [expected.hypotheses[row] for row in rows]
    assert list(taken.reasons) == [whole.reasons[row] for row in rows]
    assert list(taken.segments.segment_id) == [f"s{row}" for row in rows]


def test_keys_are_read_without_texts(stored):
    assert list(stored.segments.segment_id) == [f"s{row}" for row in range(10)]
    assert stored.segments.cluster is not None
    assert np.all([*stored.segments.cluster][5:] == np.array(["p1"]))
    assert list(stored.segments.groups) == ["ink"]


def test_parts_are_row_groups(stored):
    assert [list(part.segments.segment_id) for part in stored.parts()] == [
        ["s0", "s1", "s2", "s3"],
        ["s4", "s5", "s6", "s7"],
        ["s8", "s9"],
    ]
