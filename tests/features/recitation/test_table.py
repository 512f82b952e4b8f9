"""Recitation as a table, and as marks on the page."""

from dataclasses import replace

import pytest
from tests.features.recitation.test_recitation import EDITION, LABELS, PAGES, READERS, RECITER

from misread import evaluate
from misread.sockets import get_view, lay_out_views, mark_segments
from misread.tables import ReportSettings, ViewInput, render_markdown


def laid_out(systems, references=EDITION):
    scored = evaluate(
        references, systems, clusters=LABELS, metrics="wer", seed=1, statistics={"resamples": 99}, pairing="as-given"
    ).scored
    return ViewInput("book", scored, ReportSettings(["wer"], names={"a": "Model A"}))


@pytest.fixture(scope="module")
def source():
    return laid_out({"a": RECITER, "b": READERS["b"], "c": READERS["c"]})


def test_the_reciting_system_is_named_with_its_documents(source):
    (table,) = lay_out_views(source, ["recitation(most=2)"])
    shown = render_markdown(table)
    assert "Model A" in shown
    assert shown.count("suspicious, not proven") == 1
    assert [row.document is None for row in table.shown] == [True, False, False]
    records = table.named_records
    assert {record["dataset"] for record in records} == {"book"}
    whole = [record for record in records if record["document"] is None]
    assert [record["system"] for record in whole] == ["a"]
    assert [note.partition(":")[0] for note in table.notes if "too little to tell" in note] == ["b, c"]
    assert whole[0]["unparalleled"] == sum(
        record["unparalleled"] for record in records if record["system"] == "a" and record["document"]
    )


def test_the_page_marks_what_was_recited(source):
    marks = mark_segments(source, ["recitation"])
    assert [kind.kind for kind in marks.kinds] == ["recited"]
    assert [*marks.by_system] == ["a"]
    for segment_id, marks_of_segment in marks.by_system["a"].items():
        row = int(segment_id) - 1
        for mark in marks_of_segment:
            assert RECITER[row][mark.start : mark.end] not in PAGES[row].split()
            assert mark.reason.removeprefix("all others read ") in READERS["b"][row].split()


def test_two_systems_have_one_plain_line_and_no_number():
    (table,) = lay_out_views(laid_out({"a": RECITER, "b": PAGES}), ["recitation"])
    assert "cannot be said" in table.caption
    assert [record["reason"] for record in table.named_records] == [
        "recitation shows where all other systems agree, which takes 3 systems; there are a, b."
    ] * 2


def test_where_nothing_can_be_said_of_any_system_there_is_no_number():
    (table,) = lay_out_views(laid_out({"a": PAGES, "b": PAGES, "c": PAGES}, PAGES), ["recitation"])
    assert "cannot be said" in table.caption
    assert [*table.named_records[0]] == ["dataset", "system", "reason"]


def test_a_view_shows_so_many_documents(source):
    view = get_view("recitation(most=0)")
    assert len(view.lay_out(source).shown) == 1
    assert replace(view, most=1).lay_out(source).shown[1].document is not None
