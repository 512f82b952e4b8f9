"""Tables with a row per segment, system and run, against the same data with a column for each."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data import Table, TableColumns, gather_runs, read_table
from misread.engines.capture import why_not_applicable
from misread.engines.recorded import Recorded
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.evaluation import evaluate_table

SHARED = {"segment_id": ["id"], "cluster": "page", "groups": ["side"]}
TEXTS = st.text("ab c", max_size=6).filter(lambda text: text == text.strip())


@st.composite
def wide_tables(draw):
    """References with clusters and groups, and by system the texts of one run or of three, None if one is missing."""
    number = draw(st.integers(2, 6))
    column = st.lists(st.one_of(TEXTS, st.none()), min_size=number, max_size=number)
    return {
        "references": draw(st.lists(st.text("abc", min_size=1, max_size=6), min_size=number, max_size=number)),
        "pages": draw(st.lists(st.sampled_from("pq"), min_size=number, max_size=number)),
        "sides": draw(st.lists(st.sampled_from("lr"), min_size=number, max_size=number)),
        "systems": {name: draw(st.lists(column, min_size=runs, max_size=runs)) for name, runs in (("a", 1), ("b", 3))},
        "order": draw(st.permutations(range(4))),
    }


@pytest.mark.slow
@given(wide_tables())
def test_a_long_table_gives_what_the_wide_one_gives_bit_for_bit(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("tables")
    shared = [
        {"id": f"s{row}", "ref": text, "page": page, "side": side}
        for row, (text, page, side) in enumerate(zip(drawn["references"], drawn["pages"], drawn["sides"], strict=True))
    ]
    readings = [(name, run, texts) for name, runs in drawn["systems"].items() for run, texts in enumerate(runs, 1)]
    wide = [{**row, **{f"{name}{run}": texts[n] for name, run, texts in readings}} for n, row in enumerate(shared)]
    # Rows of one segment may stand in any order; the first of a system decides which system comes first.
    mixed = [readings[0], *(readings[1:][index] for index in drawn["order"] if index < len(readings) - 1)]
    long = [
        {**row, "model": name, "turn": run, "read": texts[n], "ms": n + run}
        for n, row in enumerate(shared)
        for name, run, texts in mixed
    ]
    for name, rows in (("wide", wide), ("long", long)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    columns = {f"{name}{run}": f"{name}{run}" for name, run, _ in readings}
    expected = gather_runs(
        read_table(folder / "wide.jsonl", TableColumns(reference="ref", **SHARED), columns),
        {"a": {"1": "a1"}, "b": {"1": "b1", "2": "b2", "3": "b3"}},
    )
    table = read_table(
        folder / "long.jsonl",
        TableColumns(
            reference="ref", system="model", hypothesis="read", run="turn", measured={"latency_seconds": "ms"}, **SHARED
        ),
    )
    assert table.annotations_of["a"]["latency_seconds"] == [n + 1 for n in range(len(shared))]
    assert table.annotations_of_runs["b"]["3"]["latency_seconds"] == [n + 3 for n in range(len(shared))]
    assert replace(table, name="wide", annotations_of={}, annotations_of_runs={}) == expected
    results = [
        evaluate_table(replace(read, name="t"), missing="empty", pairing="as-given", seed=1).result
        for read in (table, expected)
    ]
    assert results[0] == results[1]


ROWS = [
    {
        "id": key,
        "ref": f"text {key}",
        "page": page,
        "model": model,
        "run": run,
        "read": f"{model}{key}{run}",
        "s": "0.5",
    }
    for key, page in (("x", "p"), ("y", "q"))
    for model in ("big", "small")
    for run in (1, 2)
]


def long_table(folder: Path, rows=ROWS, **settings):
    with (folder / "rows.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(ROWS[0]))
        writer.writeheader()
        writer.writerows(rows)
    fixed = {"segment_id": ["id"], "reference": "ref", "system": "model", "hypothesis": "read", "run": "run"}
    return Table(root=str(folder), file="rows.csv", **{**fixed, "recorded": ["big", "small"], **settings})


def changed(row, **values):
    return [{**content, **(values if number == row else {})} for number, content in enumerate(ROWS)]


def test_a_study_records_every_run_of_every_system(tmp_path):
    dataset = long_table(tmp_path)
    assert dataset.segments().hypotheses == {
        "big.1": ["bigx1", "bigy1"],
        "big.2": ["bigx2", "bigy2"],
        "small.1": ["smallx1", "smally1"],
        "small.2": ["smallx2", "smally2"],
    }
    assert why_not_applicable(Recorded("big", name="big.{run}"), dataset.offers) == ""


def test_a_study_takes_the_systems_that_it_names(tmp_path):
    assert list(long_table(tmp_path, recorded=["small"]).segments().hypotheses) == ["small.1", "small.2"]
    with pytest.raises(UnknownNameError, match=r"unknown system 'huge' in column model of rows\.csv"):
        long_table(tmp_path, recorded=["huge"]).segments()


def test_a_study_without_runs_records_every_system(tmp_path):
    rows = [row for row in ROWS if row["run"] == 1]
    assert list(long_table(tmp_path, rows, run="").segments().hypotheses) == ["big", "small"]


def test_what_a_text_took_stays_with_its_run(tmp_path):
    rows = [{**row, "s": str(number)} for number, row in enumerate(ROWS)]
    dataset = long_table(tmp_path, rows, measured={"latency_seconds": "s"}, recorded=["small"])
    assert dataset.segments().annotations_of == {
        "small.1": {"latency_seconds": [2.0, 6.0]},
        "small.2": {"latency_seconds": [3.0, 7.0]},
    }
    once = [row for row in rows if row["run"] == 1]
    for run, name in (("", "small"), ("run", "small.1")):
        segments = long_table(tmp_path, once, measured={"latency_seconds": "s"}, run=run, recorded=["small"]).segments()
        assert segments.annotations_of == {name: {"latency_seconds": [2.0, 6.0]}}


def test_what_a_text_took_is_of_rows_with_one_system_each(tmp_path):
    with pytest.raises(ConfigurationError, match="measured needs system: it is about rows with one system each"):
        long_table(tmp_path, measured={"usd": "s"}, system="", hypothesis="")


@pytest.mark.parametrize("columns", [{"system": ""}, {"hypothesis": ""}])
def test_systems_and_their_texts_are_named_together(tmp_path, columns):
    with pytest.raises(ConfigurationError, match=r"needs both columns, system and hypothesis"):
        long_table(tmp_path, **columns)


@pytest.mark.parametrize(
    ("rows", "refusal"),
    [
        (changed(3, ref="other"), r"line 5: column 'ref' of segment 'x' in system 'small', run '2' is not that of line "
         r"2: 'other' here, 'text x' there; rows of one segment share everything but what was read\.$"),
        ([*ROWS, ROWS[2]], r"line 10: segment 'x' has system 'small', run '1' twice, the first time on line 4"),
        (changed(1, model=""), r"line 3: column 'model' has no value"),
    ],
)  # fmt: skip
def test_rows_that_contradict_each_other_are_refused(tmp_path, rows, refusal):
    with pytest.raises(InputFileError, match=refusal):
        long_table(tmp_path, rows).segments()


def test_a_row_that_is_not_there_is_a_missing_text(tmp_path):
    texts = long_table(tmp_path, ROWS[:-1]).segments().hypotheses
    assert texts["small.2"] == ["smallx2", None]


def test_what_a_reading_took_is_a_number(tmp_path):
    long_table(tmp_path, changed(2, s="fast"))
    settings = {"segment_id": ["id"], "system": "model", "hypothesis": "read", "run": "run", "measured": {"usd": "s"}}
    with pytest.raises(InputFileError, match=r"line 4: column 's' holds 'fast', expected a number, 0 or more\.$"):
        read_table(tmp_path / "rows.csv", TableColumns(reference="ref", **settings))
