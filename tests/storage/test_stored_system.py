import pytest
from tests.whole_tables import write_normalized

from misread.errors import UndefinedResultError
from misread.normalize import get_normalizer, normalize
from misread.records import Capture, Origin, SegmentKeys, TextPairs
from misread.sockets import get_metrics
from misread.storage import StoredSystem, StoredTexts, parquet_writer
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


@pytest.mark.parametrize("missing", ["drop", "empty"])
def test_flags_found_by_parts_are_those_of_the_whole(texts, missing):
    whole, stored = texts(HYPOTHESES)
    expected = ScoredSystem(whole, METRICS, missing).flagged
    found = StoredSystem(stored, METRICS, missing).flagged
    assert [*found.flags] == [*expected.flags]
    assert (found.segments, found.flagged) == (expected.segments, expected.flagged)
    assert (found.rate, found.rate_without, found.in_loops) == (
        expected.rate,
        expected.rate_without,
        expected.in_loops,
    )


def test_a_part_without_a_hypothesis_is_left_out(texts):
    hypotheses = [None] * 3 + ["the quick brown fox fox fox fox fox fox fox"] * 7
    whole, stored = texts(hypotheses)
    assert StoredSystem(stored, METRICS, "drop").flagged.flags == ScoredSystem(whole, METRICS, "drop").flagged.flags


def test_without_any_hypothesis_the_error_is_that_of_the_whole(texts):
    _, stored = texts([None] * 10)
    with pytest.raises(UndefinedResultError, match="has no hypothesis for any of the 10 segments"):
        _ = StoredSystem(stored, METRICS, "drop").flagged


def test_all_texts_are_read_where_something_looks_at_them(texts):
    whole, stored = texts(HYPOTHESES)
    found = StoredSystem(stored, METRICS, "drop")
    assert "texts" not in vars(found)
    assert (
        found.scores.counts["cer"].total.tolist()
        == ScoredSystem(whole, METRICS, "drop").scores.counts["cer"].total.tolist()
    )
