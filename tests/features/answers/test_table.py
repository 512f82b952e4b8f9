import json

import pytest

from misread import evaluate
from misread.tables import render_markdown

ENTRIES = [{"surname": "Keller", "year": 1912}, {"surname": "Meier", "year": 1913}, {"surname": "Frey", "year": 1914}]
REFERENCES = [json.dumps({"page": 1, "entries": ENTRIES}), json.dumps({"page": 2, "entries": ENTRIES[:1]})]
ANSWERS = [json.dumps({"page": 1, "entries": [ENTRIES[0], {"surname": "Frei", "year": 1914}]}), "I cannot"]


def scored(metric="field_f1(records=true)"):
    return evaluate(REFERENCES, {"a": ANSWERS, "b": REFERENCES}, metrics=[metric], seed=1, statistics={"resamples": 99})


def test_the_view_has_a_row_for_every_field_by_its_path():
    rows = scored().view("fields")
    columns = ["system", "field", "reference", "hypothesis", "correct", "missing"]
    assert rows[columns].values.tolist() == [
        ["a", "page", 2, 1, 1, 1],
        ["a", "entries[].surname", 4, 2, 1, 2],
        ["a", "entries[].year", 4, 2, 2, 2],
        ["b", "page", 2, 2, 2, 0],
        ["b", "entries[].surname", 4, 4, 4, 0],
        ["b", "entries[].year", 4, 4, 4, 0],
    ]
    assert rows["recall"].tolist()[:3] == [0.5, 0.25, 0.5]


def test_answers_that_cannot_be_read_are_counted_below_it():
    table = scored().lay_out_view("fields")
    assert "a: 1 of 2 answers are no JSON object; their fields are missing." in table.notes
    assert "entries" in render_markdown(table)


def test_the_rules_are_those_of_the_first_field_metric():
    result = scored("field_f1(rules={page:{compare:number},*:null})")
    assert set(result.view("fields")["field"]) == {"page"}
    assert set(scored("json_validity").view("fields")["field"]) == {"page", "entries[].surname", "entries[].year"}


SETTING = "each compared as a whole; the setting records=true, as in field_f1(records=true),"
LISTS = f"Values of entries have lists of records, {SETTING} pairs the records and counts their values."
OBJECTS = f"Values of vendor are objects, {SETTING} counts the values inside."


def test_nested_values_are_never_compared_as_a_whole_in_silence():
    result = scored("field_f1")
    assert LISTS in result.warnings
    assert LISTS.replace("entries", "1 field") in " ".join(str(result).split())
    assert LISTS in scored("field_f1(flatten=true)").warnings
    assert LISTS not in scored().warnings
    assert LISTS not in scored("json_validity").warnings


@pytest.mark.parametrize(("metric", "warned"), [("field_f1", True), ("field_f1(flatten=true)", False)])
def test_objects_are_named_where_they_are_not_flattened(metric, warned):
    references = [json.dumps({"vendor": {"city": "Bern"}})] * 2
    result = evaluate(references, {"a": references}, metrics=[metric], seed=1, statistics={"resamples": 99})
    assert (OBJECTS in result.warnings) is warned
