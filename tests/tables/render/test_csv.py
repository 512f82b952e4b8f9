import csv
import io

import pytest

from misread.tables import render_csv
from misread.tables.render.csv import write_rows


def read(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_floats_have_six_digits_and_none_is_an_empty_field():
    rows = [["a", 0.25, 3], ["b", None, 3]]
    assert write_rows(["system", "rate", "n"], rows) == "system,rate,n\na,0.250000,3\nb,,3\n"


def test_it_parses_back_to_the_numbers(make_paper, three):
    found = {row["system"]: row for row in read(render_csv([make_paper(three)]))}
    for name, of in three.systems.items():
        assert float(found[name]["rate"]) == pytest.approx(of["cer"].micro, abs=1e-6)
        assert int(found[name]["errors"]) == of["cer"].counts["errors"]
        assert float(found[name]["low"]) == pytest.approx(of["cer"].confidence_interval.low, abs=1e-6)


def test_names_with_commas_quotes_and_line_breaks_parse_back(make_paper, make_result):
    name = 'a, "b"\nc'
    assert [row["system"] for row in read(render_csv([make_paper(make_result({name: 0.1}))], raw=True))] == [name]


@pytest.mark.parametrize("raw", [False, True])
def test_line_breaks_of_names_are_written_as_escapes_unless_texts_are_asked_for(make_paper, make_result, raw):
    name = "a\n\x1b[31mb"
    (row,) = read(render_csv([make_paper(make_result({name: 0.1}))], raw=raw))
    assert row["system"] == (name if raw else r"a\n\x1b[31mb")


@pytest.mark.parametrize(
    "name", ["=1+1", "+cmd", "-cmd", "@SUM(A1)", " =1+1", "=HYPERLINK(0)", "-1+1|cmd", "\uff1d1", "--", "+4.7.6", "- x"]
)
def test_names_that_begin_a_formula_get_an_apostrophe_unless_texts_are_asked_for(make_paper, make_result, name):
    paper = make_paper(make_result({name: 0.1}))
    assert [row["system"] for row in read(render_csv([paper]))] == [f"'{name}"]
    assert [row["system"] for row in read(render_csv([paper], raw=True))] == [name]


@pytest.mark.parametrize("name", ["-3.5", "+4.76", "-.5", "1e-5", "-2.E+3", "a=b", "a-b", "", "-", "=", "\u2212x"])
def test_numbers_and_names_that_begin_no_formula_stay_as_they_are(make_paper, make_result, name):
    assert [row["system"] for row in read(render_csv([make_paper(make_result({name: 0.1}))]))] == [name]


def test_negative_numbers_stay_numbers(make_paper, make_result):
    paper = make_paper(make_result({"a": -0.25}))
    assert [row["rate"] for row in read(render_csv([paper]))] == ["-0.250000"]


def test_systems_stand_under_their_id_and_a_significant_difference_is_a_word(make_paper, three):
    rows = read(render_csv([make_paper(three, names={"pero": "PERO"})]))
    differs = [(row["system"], row["differs_from_best"]) for row in rows]
    assert differs == [("pero", ""), ("tesseract4", "no"), ("kraken", "yes")]


def test_what_is_not_there_is_an_empty_cell(make_paper, make_result):
    (row,) = read(render_csv([make_paper(make_result({"a": 0.1}, with_interval=False))]))
    empty = ("low", "high", "difference_to_best", "difference_low", "difference_high", "pvalue_adjusted")
    assert {row[name] for name in empty} == {""}


def test_several_tables_share_one_header(make_paper, three, make_result):
    rows = read(render_csv([make_paper(three), make_paper(make_result({"x": 0.5}, dataset="maps"))]))
    assert [row["dataset"] for row in rows] == ["books"] * 3 + ["maps"]


def test_a_table_in_which_no_rate_is_defined_is_a_header(make_paper, make_result):
    assert read(render_csv([make_paper(make_result({"a": None}))])) == []
