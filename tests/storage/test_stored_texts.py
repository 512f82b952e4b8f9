import numpy as np
import pytest
from tests.whole_tables import write_normalized

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import UndefinedResultError
from misread.features.flags.flagged import flag_segments
from misread.normalize import get_normalizer, normalize
from misread.sockets import get_metrics
from misread.storage import StoredTexts, parquet_writer, read_normalized
from misread.tally import ScoredSystem

METRICS = get_metrics(["cer", "wer"])
REFERENCES = ["we meet at ten", "the quick brown fox", "nothing", "", "we meet at ten"] * 2
HYPOTHESES = ["we meet at ten at ten at ten at ten at ten", "the quick brown fax", None, "x", "we met at ten"] * 2


@pytest.fixture
def texts(tmp_path, monkeypatch):
    """Normalized texts of hypotheses, and a file of them in row groups of three."""
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 3)

    def make(hypotheses):
        keys = SegmentKeys([f"s{row}" for row in range(len(hypotheses))], None, {})
        capture = Capture(Origin("d", "a"), keys, TextPairs(REFERENCES, hypotheses), [None] * len(hypotheses))
        made = normalize(capture, get_normalizer("whitespace"))
        write_normalized(tmp_path / "a.parquet", made)
        return made, StoredTexts(tmp_path / "a.parquet")

    return make


def test_results_of_parts_are_found_once_and_leave_the_texts_in_their_file(texts):
    _, stored = texts(HYPOTHESES)
    system, rows = ScoredSystem(stored, METRICS, "empty"), []

    def count(whole):
        rows.extend(len(part.normalized.references) for part in whole.parts())
        return sum(rows)

    assert [system.once(count) for _ in range(2)] == [10, 10]
    assert rows == [3, 3, 3, 1]
    assert "texts" not in vars(system)


def test_a_part_without_a_hypothesis_is_left_out(texts):
    _, stored = texts([None] * 3 + ["the quick brown fox"] * 7)
    system = ScoredSystem(stored, METRICS, "drop")
    assert [len(part.normalized.references) for part in system.parts()] == [3, 3, 1]


def test_without_any_hypothesis_the_error_is_that_of_the_whole(texts):
    _, stored = texts([None] * 10)
    with pytest.raises(UndefinedResultError, match="has no hypothesis for any of the 10 segments"):
        flag_segments(ScoredSystem(stored, METRICS, "drop"))


def test_all_texts_are_read_where_something_looks_at_them(texts):
    whole, stored = texts(HYPOTHESES)
    system = ScoredSystem(stored, METRICS, "drop")
    assert "texts" not in vars(system)
    assert (
        system.scores.counts["cer"].total.tolist()
        == ScoredSystem(whole, METRICS, "drop").scores.counts["cer"].total.tolist()
    )


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
