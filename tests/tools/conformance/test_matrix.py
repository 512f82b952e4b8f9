"""What is recorded of other scorers, and the page that is made of it."""

import json
import subprocess

import pytest
from conformance.runners import serve
from tools.conformance.completion import runner
from tools.conformance.matrix import ANSWERS, COMMAND, PAGE, SCORERS, VERDICTS, Scorer, render
from tools.parts import read_part

from tools.conformance import matrix

RECORDS = json.loads(ANSWERS.read_text(encoding="utf-8"))
SUITE = serve.read_cases()


def test_the_page_is_made_of_the_recorded_answers():
    assert read_part(PAGE, COMMAND) == render(RECORDS, SUITE)


def test_every_scorer_was_asked_every_case_that_there_is():
    assert [*RECORDS] == [scorer.label for scorer in SCORERS]
    for record in RECORDS.values():
        assert sum(map(sum, record["subjects"].values())) == len(SUITE)
        assert {*record["differences"]} <= {case["id"] for case in SUITE}


def test_misread_agrees_with_every_case_in_plain_python_and_in_its_kernels():
    for label in ("misread", "misread, kernels"):
        assert RECORDS[label]["differences"] == {}
        assert {sum(counts[1:]) for counts in RECORDS[label]["subjects"].values()} == {0}


@pytest.mark.parametrize("name", ["jiwer", "rapidfuzz", "kaldialign", "meeteval"])
def test_scorers_of_this_environment_differ_where_the_record_says(name):
    pytest.importorskip(name)
    answers = {case["id"]: serve.ask(runner(name), case) for case in SUITE}
    differing = {
        case["id"]: answers[case["id"]]
        for case in SUITE
        if serve.grade(case, answers[case["id"]]) in ("differ", "refuse")
    }
    assert differing == RECORDS[name]["differences"]


CASE = {
    "expected": {"length": [4, 4], "errors": [2, 2], "substitutions": [0, 2], "deletions": [0, 1], "insertions": [0, 1]}
}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"length": 4, "errors": 2, "substitutions": 2, "deletions": 0, "insertions": 0}, "agree"),
        ({"length": 4, "errors": 2, "substitutions": 0, "deletions": 1, "insertions": 1}, "agree"),
        # Each inside of its range, but no alignment has them together.
        ({"length": 4, "errors": 2, "substitutions": 2, "deletions": 1, "insertions": 1}, "differ"),
        ({"length": 4, "errors": 3}, "differ"),
        ({"errors": 2}, "agree"),
        ({"rate": 0.5}, "agree"),
        ({"rate": 0.25}, "differ"),
        ({"error": "ValueError: empty"}, "refuse"),
        (None, None),
    ],
)
def test_an_answer_is_judged_by_what_it_has(answer, verdict):
    assert serve.grade(CASE, answer) == verdict


def test_a_rate_without_a_length_cannot_be_judged():
    assert serve.grade({"expected": {"length": [0, 0], "errors": [1, 1]}}, {"rate": 1.0}) is None


def test_verdicts_are_counted_in_the_order_of_the_record():
    assert VERDICTS == ("agree", "differ", "refuse", "cannot express")
    assert RECORDS["werpy"]["subjects"]["empty texts"] == [5, 0, 7, 8]


def test_answers_of_a_scorer_that_does_not_install_stay_as_they_are(monkeypatch, capsys, tmp_path):
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"x": {"version": "1"}}), encoding="utf-8")
    monkeypatch.setattr(matrix, "ANSWERS", path)
    monkeypatch.setattr(matrix, "SCORERS", (Scorer("x", "jiwer", ("no such package==1",)),))

    def fail(command, **_):
        raise subprocess.CalledProcessError(1, command[0])

    monkeypatch.setattr(subprocess, "run", fail)
    matrix.write_answers(SUITE)
    assert json.loads(path.read_text(encoding="utf-8")) == {"x": {"version": "1"}}
    assert capsys.readouterr().err.startswith("x was not asked, and its answers stay as they are: ")
