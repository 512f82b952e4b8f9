import gc
import weakref

import pytest
from tests.parts_and_whole import FILES, of_pairs, outcome, scored_at_once, scored_in_parts
from tests.whole_tables import write_normalized

from misread.alignment import policies
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import TooDifferentError, UndefinedResultError
from misread.metrics import ErrorRate
from misread.normalize import get_normalizer, normalize
from misread.pipeline import scored_parts as parts
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts
from misread.sockets import get_metrics
from misread.storage import parquet_writer
from misread.tally import ScoredSystem


def assert_same_error(folder, texts, metrics, kind, begin):
    write_normalized(folder / "normalized", texts)
    whole = outcome(lambda: scored_at_once(ScoredSystem(texts, metrics), folder))
    assert whole[0] is kind
    assert whole[1].startswith(begin)
    assert outcome(lambda: scored_in_parts(folder / "normalized", folder, metrics, "error", 1)) == whole


@pytest.mark.parametrize(
    ("order", "named"), [(("word", "char"), "word, segment 's1'"), (("char", "word"), "char, segment 's0'")]
)
def test_the_error_is_that_of_the_first_metric_whatever_part_it_is_in(tmp_path, monkeypatch, order, named):
    monkeypatch.setattr(policies, "MOST_CELLS", 50)
    texts = of_pairs(("abcdefghij", "0123456789"), ("a " * 9, "b " * 9))
    metrics = [*get_metrics(["cer", "wer"]), *(ErrorRate(unit, unit, alignment="sclite") for unit in order)]
    assert_same_error(tmp_path, texts, metrics, TooDifferentError, named)


def test_a_metric_that_can_score_no_segment_of_any_part_is_an_error(tmp_path):
    texts = of_pairs(("a", "{}"), ("b", "{}"), ("c", "{}"))
    begin = "field_f1 can score none of the 3 segments; the first, 's0'"
    assert_same_error(tmp_path, texts, get_metrics(["cer", "field_f1"]), UndefinedResultError, begin)


def test_the_segments_that_are_scored_twice_are_spread_over_the_parts(tmp_path):
    write_normalized(tmp_path / "normalized", of_pairs(*[("a", "a")] * 10))
    tasks = plan_parts(tmp_path / "normalized", [], tmp_path, checked=4, most_rows=4)
    assert [(task.rows, task.checked) for task in tasks] == [(range(4), 2), (range(4, 8), 1), (range(8, 10), 1)]


def test_a_part_has_no_more_than_a_row_group(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 3)
    write_normalized(tmp_path / "normalized", of_pairs(*[("a", "a")] * 7))
    assert [task.rows for task in plan_parts(tmp_path / "normalized", [], tmp_path)] == [
        range(3),
        range(3, 6),
        range(6, 7),
    ]


def test_a_system_that_cannot_read_the_data_set_has_files_without_rows(tmp_path):
    capture = Capture(
        Origin("books", "m", not_applicable="reads audio"), SegmentKeys([], None, {}), TextPairs([], []), []
    )
    texts = normalize(capture, get_normalizer("none"))
    write_normalized(tmp_path / "normalized", texts)
    metrics = get_metrics(["cer"])
    whole = scored_at_once(ScoredSystem(texts, metrics), tmp_path)
    assert scored_in_parts(tmp_path / "normalized", tmp_path, metrics, "error", 1) == whole


def test_the_texts_of_a_part_are_given_back_at_once(tmp_path, monkeypatch):
    write_normalized(tmp_path / "normalized", of_pairs(("a b", "a c")))
    systems = []

    class Watched(ScoredSystem):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            systems.append(weakref.ref(self))

    monkeypatch.setattr(parts, "ScoredSystem", Watched)
    gc.disable()
    try:
        score_part(plan_parts(tmp_path / "normalized", get_metrics(["cer", "wer"]), tmp_path)[0])
        assert [system() for system in systems] == [None]
    finally:
        gc.enable()


def test_of_a_part_only_sums_come_back_and_its_files_are_taken_away(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    write_normalized(tmp_path / "normalized", of_pairs(("a b", "a c"), ("d", "")))
    scored = [
        score_part(task) for task in plan_parts(tmp_path / "normalized", get_metrics(["cer"]), folder, most_rows=1)
    ]
    assert [len(part.tally.described.segments) for part in scored] == [0, 0]
    assert [part.tally.counts["cer"]["errors"] for part in scored] == [1, 1]
    assert {path.stem for path in folder.iterdir()} == {"0", "1"}
    write_parts(scored, **{name: tmp_path / name for name in FILES})
    assert list(folder.iterdir()) == []
