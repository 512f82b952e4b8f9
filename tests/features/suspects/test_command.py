"""`misread inspect suspects`."""

import pytest

ROWS = [
    {"id": "l1", "text": "one two", "page": "p1", "a": "one too", "b": "one too", "c": "one two"},
    {"id": "l2", "text": "three", "page": "p1", "a": "three", "b": "three", "c": "thre"},
    {"id": "l3", "text": "four", "page": "p2", "a": "for", "b": "for", "c": "for"},
]
SYSTEMS = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--hyp", "c=c", "--segment-id", "id", "--cluster", "page")


@pytest.fixture
def table(write_table):
    return ("--table", write_table("jsonl", ROWS), *SYSTEMS)


def test_suspects_stand_with_what_most_systems_read(misread, table):
    done = misread("inspect", "suspects", *table, "--width", "140")
    assert done.status == 0
    assert "Suspect references: 2 of 3 segments on which most of 3 systems agree" in done.out
    assert "two -> too" in done.out
    assert "four -> for" in done.out
    assert "look at the image before you change it" in done.out
    assert "Errors of the reference that each system repeats" in done.out


def test_json_and_csv_have_all(misread, table):
    found = misread("inspect", "suspects", *table, "--output", "json").json
    assert [of["segment_id"] for of in found["suspects"]] == ["l3", "l1"]
    assert found["systems"]["c"]["repeats"] == 1
    lines = misread("inspect", "suspects", *table, "--output", "csv", "--most", "1").out.splitlines()
    assert lines[0] == "segment,cluster,reference,proposal,systems,errors_explained,signature"
    assert len(lines) == 3


def test_only_so_many_are_shown(misread, table):
    assert "And 1 more; CSV has all." in misread("inspect", "suspects", *table, "--most", "1").out


def test_texts_of_a_project_are_taken(misread, write_results, tmp_path):
    write_results(tmp_path)
    assert "Suspect references" in misread("inspect", "suspects", "--dataset", "lines").out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "name --dataset ID of the project, or references and systems"),
        (("--table", "x.csv", "--ref", "a", "--hyp", "b=b", "--systems", "b"), "--systems goes with --dataset"),
        (("--dataset", "x", "--cluster", "page"), "--cluster: for texts of your own"),
    ],
)
def test_options_that_do_not_go_together_are_refused(misread, arguments, words):
    done = misread("inspect", "suspects", *arguments)
    assert done.status == 1
    assert words in done.err
