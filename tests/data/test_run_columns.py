"""Tables with a row per segment and run, as data sets of a study."""

import json

import pytest

from misread.data import Table
from misread.engines import CaptureSettings, Processes, Readings, Recorded
from misread.engines.capture import why_not_applicable
from misread.errors import ConfigurationError, InputFileError


def make(folder, runs=(1, 2), **changes):
    rows = [
        {"id": key, "text": f"ref {key}", "m": f"{key}{run}", "run": run, "answer": f"{key}-{run}"}
        for key in "ab"
        for run in runs
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row | changes) + "\n" for row in rows), encoding="utf-8")
    settings = {"segment_id": ["id"], "reference": "text", "recorded": ["m"], "run": "run"}
    return lambda **others: Table(root=str(folder), file="rows.jsonl", **{**settings, **others})


def test_each_run_is_recorded_and_captured_by_its_number(tmp_path):
    dataset = make(tmp_path)(request="answer")
    segments = dataset.segments()
    assert segments.segment_id == ["a", "b"]
    assert segments.hypotheses == {"m.1": ["a1", "b1"], "m.2": ["a2", "b2"]}
    engine = Recorded("mistral", name="m.{run}")
    assert why_not_applicable(engine, dataset.offers) == ""
    readings = Readings(segments.sources(), engine, Processes(), None, CaptureSettings(runs=2))
    assert [(of.run, of.segment_id, of.text) for of in readings] == [
        (1, "a", "a1"),
        (1, "b", "b1"),
        (2, "a", "a2"),
        (2, "b", "b2"),
    ]


@pytest.mark.parametrize(("run", "name"), [("run", "m.1"), ("", "m")])
def test_a_table_of_one_run_is_recorded_as_the_first_and_one_without_runs_by_its_columns(tmp_path, run, name):
    dataset = make(tmp_path, runs=(1,))(run=run)
    assert dataset.offers == {f"recorded:{name}"}
    assert dataset.segments().hypotheses == {name: ["a1", "b1"]}


@pytest.mark.parametrize(
    ("written", "asked", "said"),
    [
        ({"runs": (1, 3)}, {}, "has the runs 1, 3, expected numbers from 1 without a gap"),
        (
            {"answer": "x"},
            {"request": "answer"},
            r"line 2: column 'answer': request 'x' was answered on line 1 already",
        ),
        ({}, {"run": "", "request": "answer"}, "request needs run: it is about rows of several runs"),
    ],
)
def test_runs_and_requests_that_contradict_each_other_are_refused(tmp_path, written, asked, said):
    with pytest.raises((InputFileError, ConfigurationError), match=said):
        make(tmp_path, **written)(**asked).segments()
