"""`misread inspect recitation`, and the view of `misread score`."""

import csv
import io

import pytest
from tests.features.recitation.test_recitation import EDITION, LABELS, READERS, RECITER

ROWS = [
    {"id": f"l{row}", "page": page, "text": text, "a": RECITER[row], "b": READERS["b"][row], "c": READERS["c"][row]}
    for row, (page, text) in enumerate(zip(LABELS, EDITION, strict=True))
]


@pytest.fixture
def table(write_table):
    texts = ("--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--hyp", "c=c")
    return ("--table", write_table("jsonl", ROWS), *texts, "--id", "id", "--cluster", "page")


def test_the_reciting_system_is_named(misread, table):
    done = misread("inspect", "recitation", *table, "--width", "140")
    assert done.status == 0
    (line,) = [line for line in done.out.splitlines() if "suspicious, not proven" in line]
    assert line.startswith("a ")
    assert "not proven" not in misread("inspect", "recitation", *table, "--alpha", "1e-300", "--width", "140").out


def test_json_has_words_and_csv_has_documents(misread, table):
    recitation = misread("inspect", "recitation", *table, "--output", "json").json
    assert recitation["systems"]["a"]["is_suspicious"]
    assert len(recitation["systems"]["a"]["words"]) == recitation["systems"]["a"]["unparalleled"]
    lines = [*csv.DictReader(io.StringIO(misread("inspect", "recitation", *table, "--output", "csv").out))]
    assert {line["document"] for line in lines if line["system"] == "a"} >= {"", "p0"}


def test_score_shows_it_if_it_is_asked(misread, table):
    fast = ("--metrics", "wer", "--resamples", "99", "--output", "json")
    assert "recitation" not in str(misread("score", *table, *fast).json)
    records = misread("score", *table, *fast, "--view", "recitation").json["views"]["recitation"]
    # Of the others nothing can be said.
    assert [(record["system"], record["finding"]) for record in records if record["document"] is None] == [
        ("a", "suspicious, not proven")
    ]


def test_two_systems_are_refused_in_one_line(misread, table):
    done = misread("inspect", "recitation", *table[:8], *table[-4:])
    assert done.status == 1
    assert "which takes 3 systems; there are a, b." in done.err
