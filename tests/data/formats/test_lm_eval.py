"""Samples that lm_eval 0.4.13 wrote, and what may be wrong with them."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.frame_logs import DATE, LOGS, harness_log

from misread.data import read_log
from misread.data.formats.lm_eval import read_lm_eval
from misread.data.formats.recognition import guess_format
from misread.errors import InputFileError

ROW = {"doc_id": 0, "doc": {"page": "p1"}, "target": "a", "resps": [["b"]], "metrics": ["acc"], "acc": 0.0}


def write(folder, *rows, **results):
    path = folder / f"samples_a_task_{DATE}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    if results:
        (folder / f"results_{DATE}.json").write_text(json.dumps(results))
    return path


@pytest.mark.parametrize(
    ("model", "task"), [("large", "read_cards"), ("small", "read_cards"), ("large", "choose_place")]
)
def test_scores_have_the_mean_that_the_results_have(model, task):
    log = read_lm_eval(harness_log(model, task))
    results = json.loads((harness_log(model, task).parent / f"results_{DATE}.json").read_text())["results"][task]
    assert (log.model, log.task) == (f"readers/{model}", task)
    for scorer in log.scorers:
        values = [entry.scores[scorer] for entry in log.entries]
        mean = results[scorer if "," in scorer else f"{scorer},none"]
        assert math.fsum(values) / len(values) == pytest.approx(mean, abs=1e-12)
    assert len(log.scorers) == 2


def test_a_document_has_its_answer_before_filters_and_its_fields():
    entry = read_lm_eval(harness_log("small")).entries[3]
    assert (entry.segment_id, entry.run, entry.reference, entry.text) == ("3", "1", "Chur", "It says Chor")
    assert entry.labels["box"] == "box1"
    assert list(entry.scores) == ["exact_match,strict", "exact_match,last_word"]


def test_of_choices_the_likeliest_is_the_answer():
    rows = [json.loads(line) for line in harness_log("large", "choose_place").read_text().splitlines()]
    for entry, row in zip(read_lm_eval(harness_log("large", "choose_place")).entries, rows, strict=True):
        assert (entry.text == entry.reference) == (row["acc"] == 1.0)


def test_a_recorded_file_is_recognised():
    assert guess_format(harness_log("small"), kinds=["log"]).name == "lm_eval"
    assert guess_format(LOGS / "write_logs.py", kinds=["log"]) is None


def test_a_log_without_results_is_called_like_its_folder(tmp_path):
    log = read_log(write(tmp_path, ROW), "lm_eval")
    assert (log.model, log.scorers, log.lower_is_better) == (tmp_path.name, ["acc"], frozenset())


def test_results_say_which_scores_are_better_if_lower(tmp_path):
    results = {"model_name": "m", "higher_is_better": {"a_task": {"acc": False}}}
    for row in (ROW, {**ROW, "filter": "x"}):
        log = read_lm_eval(write(tmp_path, row, **results))
        assert (log.model, log.lower_is_better) == ("m", frozenset({"acc"}))


def test_metrics_that_are_not_listed_are_the_numbers_of_a_line(tmp_path):
    row = {name: value for name, value in ROW.items() if name != "metrics"}
    assert read_lm_eval(write(tmp_path, {**row, "f1": 0.5})).scorers == ["acc", "f1"]


def test_what_is_no_number_is_kept_as_it_is_and_nan_is_none(tmp_path):
    row = {**ROW, "metrics": ["acc", "ppl", "f1"], "acc": True, "ppl": [-3.5, 2], "f1": math.nan}
    assert read_lm_eval(write(tmp_path, row)).entries[0].scores == {"acc": 1.0, "ppl": [-3.5, 2], "f1": None}


@pytest.mark.parametrize(
    ("responses", "text", "notes"),
    [
        ([], None, 0),
        ([["one", "two"]], "one", 1),
        ([[[-1.5, True]]], "[-1.5, true]", 0),
        ([["a"], ["b"]], '["a", "b"]', 0),
        ([[[math.nan, True]], [[-1.0, True]]], "0", 0),
        ([[[-1.0, True]], [[math.nan, True]]], "1", 0),
    ],
)
def test_other_responses_become_texts(tmp_path, responses, text, notes):
    log = read_lm_eval(write(tmp_path, {**ROW, "resps": responses}))
    assert (log.entries[0].text, len(log.notes)) == (text, notes)


@pytest.mark.parametrize(
    ("target", "reference", "notes"),
    [
        ("['a', 'b']", "a", 1),
        (["a", "b"], "a", 1),
        ("['a']", "a", 0),
        ("['a', 1]", "['a', 1]", 0),
        ("[1, 2]", "[1, 2]", 0),
        ("['a', 'b'] or so", "['a', 'b'] or so", 0),
        ("a", "a", 0),
        (7, "7", 0),
        ([], "[]", 0),
    ],
)
def test_of_several_targets_the_first_is_the_reference_and_a_note_says_so(tmp_path, target, reference, notes):
    log = read_lm_eval(write(tmp_path, {**ROW, "target": target}))
    assert log.entries[0].reference == reference
    said = "1 document has several targets; the first one is the reference."
    assert [note.partition(": ")[2] for note in log.notes] == [said] * notes


@given(st.lists(st.text(max_size=8), min_size=1, max_size=4))
def test_a_list_of_targets_is_read_as_python_writes_it(tmp_path_factory, targets):
    path = write(tmp_path_factory.mktemp("log"), {**ROW, "target": str(targets)})
    assert read_lm_eval(path).entries[0].reference == targets[0]


@pytest.mark.parametrize(
    ("rows", "refusal"),
    [
        ([ROW, ROW], r"line 2: document 0 is on line 1 already\.$"),
        ([{**ROW, "filter": "x"}, {**ROW, "filter": "x"}], r"line 2: document 0 is on line 1 already for the filter"),
        ([{**ROW, "doc_id": None}], r"line 1: Expected `int \| str`, got `null` - at `\$\.doc_id`"),
        ([{"doc_id": 1}], r"line 1: Object missing required field `target`"),
        ([{**ROW, "resps": "x"}], r"line 1: Expected `array`, got `str` - at `\$\.resps`"),
        ([], r"samples_a_task_.*\.jsonl has no sample"),
        ([[1]], r"line 1: Expected `object`, got `array`"),
    ],
)
def test_what_is_no_sample_is_refused_with_its_line(tmp_path, rows, refusal):
    with pytest.raises(InputFileError, match=refusal):
        read_lm_eval(write(tmp_path, *rows))


def test_a_line_that_is_cut_is_refused(tmp_path):
    path = write(tmp_path, ROW, ROW)
    path.write_text(path.read_text()[:-20])
    with pytest.raises(InputFileError, match=r"line 2: not valid JSON"):
        read_lm_eval(path)
