from dataclasses import replace

from tests.whole_tables import write_normalized

from misread.data import from_columns, with_annotations
from misread.engines.base import Reading
from misread.normalize import get_normalizer, normalize
from misread.storage import read_capture, read_normalized, read_segments, write_capture, write_segments


def test_annotations_come_through_every_stage(tmp_path):
    table = from_columns(["a", "b"], {"s.1": ["a", "b"]}, ids=["x", "y"])
    table = with_annotations(table, {"biasing": [["É"], None], "confidence": {"s.1": [[0.5], [1.0]]}})
    write_segments(tmp_path / "segments", table, offers=frozenset(), root="r", folder=tmp_path)
    segments, _ = read_segments(tmp_path / "segments", data_root="")
    assert (segments.annotations, segments.annotations_of) == (table.annotations, table.annotations_of)
    captured = table.captures()["s.1"]
    readings = [Reading(each, text, None, 0.0, 0) for each, text in (("x", "a"), ("y", "b"))]
    write_capture(
        tmp_path / "capture", captured.origin, table.keys, table.references, readings, segments.annotations_for("s.1")
    )
    capture = read_capture(tmp_path / "capture")
    assert capture.annotations == {"biasing": [["É"], None], "confidence": [[0.5], [1.0]]}
    write_normalized(tmp_path / "normalized", normalize(capture, get_normalizer("lower")))
    assert read_normalized(tmp_path / "normalized").annotations["biasing"] == [["é"], None]


def test_how_sure_an_engine_was_of_a_text_is_its_confidence(tmp_path):
    table = from_columns(["a", "b"], {"s": ["a", "b"]}, ids=["x", "y"])
    readings = [Reading("x", "a", None, 0.0, 0, confidence=0.5), Reading("y", "b", None, 0.0, 0)]
    write_capture(tmp_path / "capture", table.captures()["s"].origin, table.keys, table.references, readings)
    assert read_capture(tmp_path / "capture").annotations == {"confidence": [0.5, None]}


def test_each_run_keeps_what_is_known_of_it(tmp_path):
    known = {"1": {"scores": [{"exact": 1}, {"exact": 0}]}, "2": {"scores": [{"exact": 0}, None]}}
    table = from_columns(["a", "b"], {"s": {"1": ["a", "b"], "2": ["c", "d"]}})
    texts = normalize(replace(table, annotations_of_runs={"s": known}).captures()["s"], get_normalizer("none"))
    write_normalized(tmp_path / "normalized", texts)
    first = read_normalized(tmp_path / "normalized")
    assert [run.annotations for run in (first, *first.further_runs)] == list(known.values())
