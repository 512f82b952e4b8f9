import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import Origin, SegmentTable, Source
from misread.engines import CaptureSettings, Processes, Readings, Recorded, RecordedOutputs, recorded
from misread.engines.base import UnreadableSourceError
from misread.errors import CaptureFailedError, ConfigurationError, InputValueError
from misread.storage import read_capture, read_segments, write_capture, write_recorded, write_segments


@pytest.mark.parametrize("text", ["one", "", " one\r\n\n"])
def test_it_hands_on_the_output_of_its_name_as_it_is(text):
    assert Recorded("pero").open().read(Source("a", None, {"pero": text, "kraken": "two"})) == text


@pytest.mark.parametrize("recorded", [{}, {"kraken": "two"}, {"pero": None}])
def test_a_segment_without_an_output_cannot_be_read(recorded):
    with pytest.raises(UnreadableSourceError, match="recorded no output of 'pero' for this segment"):
        Recorded("pero").open().read(Source("a", None, recorded))


def test_each_run_has_outputs_of_its_own():
    recorded = {"run1": "one", "run2": "two"}
    reader = Recorded("mistral", name="run{run}").open()
    assert [reader.read(Source("a", None, recorded, run)) for run in (1, 2)] == ["one", "two"]
    assert Recorded("mistral", name="run{run}").reads == {"recorded:run1"}


def test_one_output_is_not_served_for_several_runs():
    with pytest.raises(ConfigurationError, match=r"'pero' is a single recorded output.*name: run\{run\}"):
        Recorded("pero").open().read(Source("a", None, {"pero": "one"}, 2))


def test_it_reads_outputs_of_its_name_only():
    assert Recorded("pero").reads == {"recorded:pero"}


def test_its_versions_are_what_the_settings_say_of_the_system():
    assert Recorded("tesseract4", {"name": "Tesseract", "version": "4"}).versions() == {
        "name": "Tesseract",
        "version": "4",
    }


ORIGIN = Origin("d", "s")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=9)


def table_of(**hypotheses):
    size = len(next(iter(hypotheses.values())))
    return SegmentTable(
        segment_id=[f"line-{row}" for row in range(size)],
        references=[f"reference {row}" for row in range(size)],
        cluster=[f"page-{row // 3}" for row in range(size)],
        groups={"kind": ["odd" if row % 2 else "even" for row in range(size)]},
        annotations={"year": [row % 4 or None for row in range(size)]},
        hypotheses=hypotheses,
    )


@pytest.mark.slow
@given(st.lists(st.tuples(st.none() | TEXTS, st.none() | TEXTS), max_size=12), st.integers(1, 2), st.integers(1, 5))
def test_they_are_written_as_outputs_that_are_read_one_by_one(tmp_path_factory, texts, runs, part):
    folder = tmp_path_factory.mktemp("recorded")
    first, second = zip(*texts, strict=True) if texts else ((), ())
    written = table_of(run1=first, run2=second)
    write_segments(folder / "segments.parquet", written, offers=frozenset(), root=".", folder=folder)
    stored, _ = read_segments(folder / "segments.parquet", data_root="")
    engine, settings = Recorded("x", name="run{run}"), CaptureSettings(runs=runs)
    readings = Readings(written.sources(), engine, Processes(), None, settings)
    readings.read()
    write_capture(folder / "one", ORIGIN, written.keys, written.references, readings, written.annotations)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recorded, "_PART", part)
        for table in (written, stored):
            outputs = RecordedOutputs(table, engine, settings)
            write_recorded(folder / "all", ORIGIN, table.keys, table.references, outputs)
            assert (folder / "all").read_bytes() == (folder / "one").read_bytes()
            assert (len(outputs), outputs.failures.number) == (len(readings), readings.failures.number)
            named = [(of.run, of.segment_id, of.reason) for of in outputs.failures.first]
            assert named == [(of.run, of.segment_id, of.reason) for of in readings.failures.first]


def test_a_run_that_was_not_recorded_is_missing_in_all_segments():
    outputs = RecordedOutputs(table_of(run1=["a", "b"]), Recorded("x", name="run{run}"), CaptureSettings(runs=2))
    assert [part.texts.to_pylist() for part in outputs] == [["a", "b"], [None, None]]
    assert outputs.failures.first[0].reason == "the data set recorded no output of 'run2' for this segment"


def test_one_output_is_not_taken_for_several_runs():
    with pytest.raises(ConfigurationError, match="'x' is a single recorded output"):
        list(RecordedOutputs(table_of(x=["a"]), Recorded("x"), CaptureSettings(runs=2)))


def test_more_missing_outputs_than_may_be_leave_the_capture_as_it_was(tmp_path):
    (tmp_path / "capture").write_text("before")
    table = table_of(x=["a", None, None])
    outputs = RecordedOutputs(table, Recorded("x"), CaptureSettings(max_failed=1))
    with pytest.raises(CaptureFailedError, match=r"2 segments failed.*The first is segment 'line-1'"):
        write_recorded(tmp_path / "capture", ORIGIN, table.keys, table.references, outputs)
    assert (tmp_path / "capture").read_text() == "before"


def test_seconds_and_tokens_that_were_recorded_are_those_of_readings():
    table = SegmentTable(
        segment_id=["a", "b"],
        references=["x", "y"],
        hypotheses={"m.1": ["x", "y"], "m.2": ["x", "z"]},
        annotations_of={"m.2": {"latency_seconds": [0.5, None], "output_tokens": [7.0, 9.0], "usd": [None, 0.25]}},
    )
    outputs = RecordedOutputs(table, Recorded("m", name="m.{run}"), CaptureSettings(runs=2))
    first, second = outputs.timed()
    assert (first.segment_id, first.run, first.latency_seconds) == ("a", 2, 0.5)
    assert (first.output_tokens, first.input_tokens, first.attempts, first.usd) == (7, None, None, None)
    assert (second.segment_id, second.output_tokens, second.usd) == ("b", 9, 0.25)
    assert math.isnan(second.latency_seconds)


@pytest.mark.parametrize("value", [-1, "7", True])
def test_what_was_recorded_of_a_reading_is_a_number(value):
    table = replace(table_of(x=["a", "b"]), annotations_of={"x": {"usd": [0.5, value]}})
    with pytest.raises(InputValueError, match=r"segment 'line-1' has .* as usd, expected a number, 0 or more\."):
        list(RecordedOutputs(table, Recorded("x")).timed())


@pytest.mark.parametrize("part", [1, 5])
def test_annotations_of_each_run_are_written_with_it(tmp_path, monkeypatch, part):
    monkeypatch.setattr(recorded, "_PART", part)
    scores = {"x.1": {"scores": [{"a": 1}, {"a": 0}]}, "x.2": {"scores": [{"a": 0}, None], "note": ["n", None]}}
    table = replace(table_of(**{"x.1": ["a", "b"], "x.2": ["c", "d"]}), annotations_of=scores)
    outputs = RecordedOutputs(table, Recorded("x", name="x.{run}"), CaptureSettings(runs=2))
    write_recorded(tmp_path / "capture", ORIGIN, table.keys, table.references, outputs)
    first = read_capture(tmp_path / "capture")
    (second,) = first.further_runs
    years = {"year": [None, 1]}
    assert first.annotations == {**years, **scores["x.1"], "note": [None, None]}
    assert second.annotations == {**years, **scores["x.2"]}
