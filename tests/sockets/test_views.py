"""Views by name: what one object in one module brings to tables, figures and the page."""

import subprocess
import sys
from dataclasses import dataclass
from operator import itemgetter

import pytest

from misread import evaluate
from misread.errors import ConfigurationError, UnknownNameError
from misread.provenance.plugins import use_study_modules
from misread.report import DatasetResults, ReportInput, write_report
from misread.report.page import render_page
from misread.report.page.explorer import pack_part
from misread.report.page.payload import unpack
from misread.report.page.segments import view_segments
from misread.sockets import draw_views, get_view, get_views, kinds_of_marks, lay_out_views, mark_segments
from misread.sockets.plug import Plug
from misread.sockets.views import VIEWS
from misread.tables import Column, MarkKind, ReportSettings, SegmentMark, SystemView, ViewInput
from misread.tables.figures.canvas import drawing

TEXTS = ["one two", "three"]


@dataclass(frozen=True)
class Shouts(SystemView):
    """Segments in capitals."""

    shortest: int = 1

    mark_kinds = (MarkKind("shout", "shouting", "The output is in capitals."),)

    def caption(self, dataset):
        return f"Segments of {dataset} in capitals."

    def count(self, system):
        texts = system.normalized
        pairs = zip(texts.segment_ids, texts.hypotheses, strict=True)
        return [(segment, text) for segment, text in pairs if text.isupper() and len(text) >= self.shortest]

    def columns(self, settings):
        return [Column("segment", itemgetter(0), kind="name", name="segment"), Column("text", itemgetter(1))]

    def draw(self, source, folder):
        with drawing(folder / f"{source.dataset}_{self.id}", source.settings.figure_formats, 1) as (figure, paths):
            figure.add_subplot()
        return paths

    def mark(self, source):
        return {
            system: {segment: [SegmentMark("shout", 0, len(text), "why so loud")] for segment, text in rows}
            for system, scored in source.scored.items()
            if (rows := self.count(scored))
        }


@pytest.fixture
def listed(monkeypatch):
    """The one line that a view needs in the list."""
    monkeypatch.setitem(VIEWS, "shouts", Plug(__name__, "Shouts"))


@pytest.fixture
def source():
    scored = evaluate(
        TEXTS, {"a": TEXTS, "b": ["ONE TWO", "three"]}, metrics="cer", seed=1, statistics={"resamples": 9}
    ).scored
    return ViewInput("texts", scored, ReportSettings(["cer"], figure_formats=[]))


@pytest.mark.parametrize("name", VIEWS)
def test_every_name_is_a_view_with_kinds_of_marks_of_its_own(name):
    assert (get_view(name).id, get_view(name).name) == (name, "")
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
    assert table.named_records == [{"dataset": "texts", "system": "b", "segment": "1"}]
    assert draw_views(source, ["shouts"], tmp_path) == [tmp_path / "texts_shouts.svg"]
    marks = mark_segments(source, ["shouts"])
    texts = {system: scored.texts for system, scored in source.scored.items()}
    alignments = {system: scored.alignments for system, scored in source.scored.items()}
    packed = pack_part(view_segments(texts, alignments, ["a", "b"], marks), {}, {}, room=sys.maxsize)
    assert unpack(packed.index)["flags"] == {"shout": [[], [0]]}
    assert unpack(packed.chunks[0])[0][2][1][2] == [["shout", 0, 7, "why so loud"]]


@pytest.mark.usefixtures("listed")
def test_marks_of_two_views_stand_side_by_side(source):
    scored = evaluate(
        ["one two"], {"b": ["ONE TWO" + " AT TEN" * 6]}, metrics="cer", seed=1, statistics={"resamples": 9}
    ).scored
    marks = mark_segments(ViewInput("texts", scored, source.settings), ["flags", "shouts"])
    assert [mark.kind for mark in marks.by_system["b"]["1"]] == ["loop", "long", "shout"]
    assert [kind.kind for kind in marks.kinds][-2:] == ["silence", "shout"]


def test_a_function_of_all_systems_is_called_once_for_all_views(source):
    calls = []

    def find(given):
        calls.append(given)
        return len(given.scored)

    assert [source.once(find) for _ in range(2)] == [2, 2]
    assert calls == [source]


@pytest.mark.slow
def test_the_page_names_kinds_of_the_views_of_its_report_and_no_others(tmp_path):
    made = evaluate(TEXTS, {"a": TEXTS}, metrics="cer", seed=1, statistics={"resamples": 9})
    run = ReportInput([DatasetResults(comparison=made.result, scored=made.scored)])

    def page(*views):
        settings = ReportSettings(["cer"], views=views, figure_formats=[])
        return render_page(run, write_report(run, settings, tmp_path), settings, tmp_path)

    assert 'loop: ["loops", "The output repeats what the reference does not."]' in page("flags")
    assert "const FLAGS = {\n};" in page("scripts")


@pytest.mark.parametrize(
    ("text", "view_id", "name"),
    [
        ("bands", "bands", ""),
        ("bands(edges=[1,10,100,1000,10000])", "bands", ""),
        (" bands( edges = [10, 100] ) ", "bands_edges_10_edges_100", "bands(edges=[10,100])"),
        ("rare=bands(edges=[10])", "rare", "bands(edges=[10])"),
        ("flags(most=50)", "flags_most_50", "flags(most=50)"),
    ],
)
def test_a_name_has_one_spelling_and_an_id(text, view_id, name):
    view = get_view(text)
    assert (view.id, view.name) == (view_id, name)
    if name:
        assert get_view(f"{view_id}={name}") == view


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("band", UnknownNameError, "unknown view 'band'. Did you mean 'bands'"),
        ("bands(edge=[1])", UnknownNameError, "unknown setting 'edge' in bands. Did you mean 'edges'"),
        ("bands(edges=10)", ConfigurationError, "bands.edges is 10, expected a list"),
        ("bands(edges=[10,1])", ConfigurationError, r"bands.edges is \[10, 1\], expected ascending numbers"),
        ("bands(10)", ConfigurationError, r"view 'bands\(10\)': expected NAME"),
        ("json.dumps", ConfigurationError, "'json.dumps' is not of a plug-in: list 'json' in the setting plugins"),
    ],
)
def test_a_name_that_means_nothing_is_refused(text, error, message):
    with pytest.raises(error, match=message):
        get_view(text)


def test_two_of_one_id_are_refused():
    with pytest.raises(ConfigurationError, match="view 'flags' is named twice"):
        get_views(["flags", "flags=flags(most=3)"])
    assert [view.id for view in get_views(["flags", "flags(most=3)"])] == ["flags", "flags_most_3"]


OWN_VIEW = '''
from dataclasses import dataclass
from misread.tables import Column, SystemView

@dataclass(frozen=True)
class Empty(SystemView):
    """Hypotheses that are short."""

    longest: int = 0

    def caption(self, dataset):
        return f"Short hypotheses on {dataset}."

    def count(self, system):
        texts = system.normalized
        return [(key, len(text)) for key, text in zip(texts.segment_ids, texts.hypotheses) if len(text) <= self.longest]

    def columns(self, settings):
        return [
            Column("segment", lambda row: row[0], kind="name", name="segment"),
            Column("characters", lambda row: row[1], name="characters"),
        ]

NOT_A_VIEW = 1
'''


def test_a_view_of_the_users_own_module_is_named_like_any_other(source, tmp_path):
    (tmp_path / "own_views.py").write_text(OWN_VIEW)
    use_study_modules(["own_views"], tmp_path)
    (table,) = lay_out_views(source, ["own_views.Empty(longest=5)"])
    assert table.stem == "texts_empty_longest_5"
    assert table.named_records == [
        {"dataset": "texts", "system": system, "segment": "2", "characters": 5} for system in ("a", "b")
    ]
    assert lay_out_views(source, ["own_views.Empty"]) == []
    with pytest.raises(ConfigurationError, match=r"'own_views\.Full' is not a class of own_views"):
        get_view("own_views.Full")
    with pytest.raises(ConfigurationError, match=r"'own_views\.NOT_A_VIEW' is not a class of own_views"):
        get_view("own_views.NOT_A_VIEW")
