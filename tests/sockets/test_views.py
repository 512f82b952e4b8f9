"""Views by name: what one object in one module brings to tables, figures and the page."""

import subprocess
import sys
from typing import get_args

import pytest

from misread import evaluate
from misread.report import DatasetResults, ReportInput, write_report
from misread.report.page import render_page
from misread.report.page.explorer import pack_explorer
from misread.report.page.payload import unpack
from misread.report.page.segments import view_segments
from misread.sockets import Plug, draw_views, kinds_of_marks, lay_out_views, mark_segments
from misread.sockets.views import VIEWS
from misread.tables import Column, MarkKind, ReportSettings, SegmentMark, Table, View, ViewInput
from misread.tables.figures.canvas import drawing
from misread.tables.view_names import ViewName

TEXTS = ["one two", "three"]


def lay_out_shouts(source):
    rows = [
        (system, segment_id)
        for system, scored in source.scored.items()
        for segment_id, text in zip(scored.normalized.segment_ids, scored.normalized.hypotheses, strict=True)
        if text.isupper()
    ]
    if not rows:
        return None
    return Table(
        stem=f"{source.dataset}_shouts",
        caption="Segments in capitals.",
        columns=[
            Column("system", lambda row: row[0], kind="name", name="system"),
            Column("segment", lambda row: row[1], kind="name", name="segment"),
        ],
        rows=rows,
        segments=[segment_id for _, segment_id in rows],
    )


def draw_shouts(source, folder):
    with drawing(folder / f"{source.dataset}_shouts", source.settings.figure_formats, 1) as (figure, paths):
        figure.add_subplot()
    return paths


def mark_shouts(source):
    table = lay_out_shouts(source)
    return {system: {segment_id: [SegmentMark("shout", 0, 7, "why so loud")]} for system, segment_id in table.records}


SHOUTS = View(lay_out_shouts, draw_shouts, mark_shouts, [MarkKind("shout", "shouting", "The output is in capitals.")])


@pytest.fixture
def listed(monkeypatch):
    """The one line that a view needs in the list."""
    monkeypatch.setitem(VIEWS, "shouts", Plug(__name__, "SHOUTS"))


@pytest.fixture
def source():
    scored = evaluate(TEXTS, {"a": TEXTS, "b": ["ONE TWO", "three"]}, metrics="cer", seed=1, resamples=9).scored
    return ViewInput("texts", scored, ReportSettings(["cer"], figure_formats=[]))


def test_the_list_has_all_names_that_settings_may_name_in_their_order():
    assert tuple(VIEWS) == get_args(ViewName)


@pytest.mark.parametrize("name", VIEWS)
def test_every_name_is_a_view_with_kinds_of_marks_of_its_own(name):
    assert isinstance(VIEWS[name].load(), View)
    kinds = [kind.kind for kind in kinds_of_marks(list(VIEWS))]
    assert len(kinds) == len({*kinds})


@pytest.mark.process
def test_listing_names_loads_no_feature():
    code = "import sys; from misread.sockets.views import VIEWS; print(len(VIEWS), *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    number, *modules = done.stdout.split()
    assert number == str(len(VIEWS))
    assert not [module for module in modules if module.startswith("misread.features.")]


@pytest.mark.usefixtures("listed")
def test_a_view_of_another_module_has_its_table_figure_and_marks(source, tmp_path):
    (table,) = lay_out_views(source, ["flags", "shouts"])
    assert table.named_records == [{"system": "b", "segment": "1"}]
    assert draw_views(source, ["shouts"], tmp_path) == [tmp_path / "texts_shouts.svg"]
    marks = mark_segments(source, ["shouts"])
    texts = {system: scored.texts for system, scored in source.scored.items()}
    alignments = {system: scored.alignments for system, scored in source.scored.items()}
    packed = pack_explorer(view_segments(texts, alignments, ["a", "b"], marks), {}, {})
    assert unpack(packed.index)["flags"] == {"shout": [[], [0]]}
    assert unpack(packed.chunks[0])[0][2][1][2] == [["shout", 0, 7, "why so loud"]]


@pytest.mark.usefixtures("listed")
def test_marks_of_two_views_stand_side_by_side(source):
    scored = evaluate(["one two"], {"b": ["ONE TWO" + " AT TEN" * 6]}, metrics="cer", seed=1, resamples=9).scored
    marks = mark_segments(ViewInput("texts", scored, source.settings), ["flags", "shouts"])
    assert [mark.kind for mark in marks.by_system["b"]["1"]] == ["loop", "insertions", "long", "shout"]
    assert [kind.kind for kind in marks.kinds][-2:] == ["unrelated", "shout"]


def test_a_function_of_all_systems_is_called_once_for_all_views(source):
    calls = []

    def find(given):
        calls.append(given)
        return len(given.scored)

    assert [source.once(find) for _ in range(2)] == [2, 2]
    assert calls == [source]


def test_the_page_names_kinds_of_the_views_of_its_report_and_no_others(tmp_path):
    made = evaluate(TEXTS, {"a": TEXTS}, metrics="cer", seed=1, resamples=9)
    run = ReportInput([DatasetResults(comparison=made.result, scored=made.scored)])

    def page(*views):
        settings = ReportSettings(["cer"], views=views, figure_formats=[])
        return render_page(run, write_report(run, settings, tmp_path), settings, tmp_path)

    assert 'loop: ["loops", "The output repeats what the reference does not."]' in page("flags")
    assert "const FLAGS = {\n};" in page("scripts")
