import gc
import pickle
import weakref
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.whole_tables import write_alignments, write_confusions, write_normalized, write_scores

from misread.alignment import policies
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import MisreadError, TooDifferentError, UndefinedResultError
from misread.metrics import ErrorRate
from misread.normalize import get_normalizer, normalize
from misread.pipeline import scored_parts as parts
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts
from misread.sockets import get_metrics
from misread.storage import confusion_parts, parquet_writer
from misread.tally import Equivalents, ScoredSystem

FILES = ("scores", "alignments", "confusions")
METRIC_IDS = ["cer", "wer", "cer_raw", "line_accuracy", "field_f1"]
EQUIVALENTS = Equivalents([["to", "two b"], ["c", "d"]])
WORDS = [
    "to",
    "two b",
    "a",
    "b",
    "c",
    "d",
    "<DELETE>",
    "e\u0301",
    "é",
    "x\u200b",
    "x",
    "\r",
    " ",
    "\n",
    '{"a": 1}',
    "日本",
]

plain = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
with_alternatives = st.lists(st.sampled_from(["{ a / b c }", "(d)", "{ é / @ }", "a", "d"]), max_size=3).map(" ".join)


@st.composite
def corpora(draw):
    """Normalized texts of some segments, as they may come: missing, empty, in groups, of several runs, annotated."""
    number = draw(st.integers(1, 12))

    def column(texts):
        return draw(st.lists(texts, min_size=number, max_size=number))

    sides = draw(st.sampled_from(["", "", "references", "both"]))
    references = column(with_alternatives if sides else plain)
    hypothesis = with_alternatives if sides == "both" else plain
    if draw(st.booleans()):
        hypothesis |= st.none()
    keys = SegmentKeys(
        [f"s{row}" for row in range(number)],
        draw(st.none() | st.just(column(st.sampled_from("pq")))),
        {"side": column(st.sampled_from("lr"))} if draw(st.booleans()) else {},
    )
    origin = Origin("lines", "m", notes=("A note.",), alternatives=sides)
    annotations = (
        {"biasing": column(draw(st.sampled_from([st.none() | st.just(["a"]), st.just(["a"])])))}
        if draw(st.booleans())
        else {}
    )
    runs = [
        Capture(
            origin,
            keys,
            TextPairs(references, column(hypothesis)),
            column(st.none() | st.just("cut short")),
            str(run),
            annotations=annotations,
        )
        for run in range(1, draw(st.integers(1, 3)) + 1)
    ]
    normalizer = get_normalizer(draw(st.sampled_from(["none", "whitespace", "lower"])))
    return normalize(replace(runs[0], further_runs=tuple(runs[1:])), normalizer)


def written_at_once(folder, texts, metrics, missing, equivalents):
    """The files of the whole, or the error that it raises."""
    system = ScoredSystem(texts, metrics, missing, equivalents)
    try:
        alignments, confusions = system.alignments, system.confusions
        write_scores(folder / "scores", system.scores)
    except MisreadError as error:
        return type(error), str(error)
    write_alignments(folder / "alignments", alignments)
    write_confusions(folder / "confusions", confusions)
    return [(folder / name).read_bytes() for name in FILES]


def sent(what):
    """As it arrives in another process."""
    return pickle.loads(pickle.dumps(what))  # noqa: S301


def elsewhere(function, tasks):
    """Results of tasks that another process does."""
    return (sent(function(sent(task))) for task in tasks)


def written_in_parts(folder, metrics, missing, equivalents, most_rows):
    """The same from parts that went to another process and back."""
    made = folder / "parts"
    made.mkdir()
    tasks = plan_parts(
        folder / "normalized", metrics, made, missing=missing, equivalents=equivalents, checked=2, most_rows=most_rows
    )
    try:
        write_parts(elsewhere(score_part, tasks), made, **{name: folder / name for name in FILES}, map_tasks=elsewhere)
    except MisreadError as error:
        assert not any((folder / name).exists() for name in FILES)
        return type(error), str(error)
    return [(folder / name).read_bytes() for name in FILES]


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    corpora(),
    st.sampled_from(["error", "drop", "empty"]),
    st.none() | st.just(EQUIVALENTS),
    st.integers(1, 13),
    st.booleans(),
    st.sampled_from([0, 3, 100]),
    st.sampled_from([1, 2, 5, 100]),
)
def test_files_and_errors_do_not_depend_on_the_parts(
    texts, missing, equivalents, most_rows, with_fields, most_in_memory, rows_of_a_group
):
    metrics = get_metrics(METRIC_IDS if with_fields else METRIC_IDS[:-1])
    if "biasing" in texts.annotations and None not in texts.annotations["biasing"]:
        metrics += get_metrics(["b_wer"])
    with TemporaryDirectory() as one, TemporaryDirectory() as other, pytest.MonkeyPatch.context() as patch:
        patch.setattr(confusion_parts, "MOST_IN_MEMORY", most_in_memory)
        patch.setattr(confusion_parts, "_ROWS_OF_A_RUN", 3)
        patch.setattr(confusion_parts, "_BLOCK", 2)
        patch.setattr(confusion_parts, "_GROUPS_OF_A_TASK", 2)
        for module in (confusion_parts, parquet_writer):
            patch.setattr(module, "GROUP_ROWS", rows_of_a_group)
        write_normalized(Path(other) / "normalized", texts)
        whole = written_at_once(Path(one), texts, metrics, missing, equivalents)
        assert written_in_parts(Path(other), metrics, missing, equivalents, most_rows) == whole


def of_pairs(*pairs, normalizer="whitespace"):
    references, hypotheses = zip(*pairs, strict=True)
    keys = SegmentKeys([f"s{row}" for row in range(len(pairs))], None, {})
    capture = Capture(Origin("books", "m"), keys, TextPairs(references, hypotheses), [None] * len(pairs))
    return normalize(capture, get_normalizer(normalizer))


def assert_same_error(folder, texts, metrics, kind, begin):
    write_normalized(folder / "normalized", texts)
    whole = written_at_once(folder, texts, metrics, "error", None)
    assert whole[0] is kind
    assert whole[1].startswith(begin)
    assert written_in_parts(folder, metrics, "error", None, 1) == whole


@pytest.mark.parametrize(
    ("order", "named"), [(("word", "char"), "word, segment 's1'"), (("char", "word"), "char, segment 's0'")]
)
def test_the_error_is_that_of_the_first_metric_whatever_part_it_is_in(tmp_path, monkeypatch, order, named):
    monkeypatch.setattr(policies, "MOST_CELLS", 50)
    texts = of_pairs(("abcdefghij", "0123456789"), ("a " * 9, "b " * 9))
    metrics = [*get_metrics(["cer", "wer"]), *(ErrorRate(unit, unit, alignment="sclite") for unit in order)]
    assert_same_error(tmp_path, texts, metrics, TooDifferentError, named)


def test_a_metric_that_can_score_no_segment_of_any_part_is_an_error(tmp_path):
    texts = of_pairs(("a", "{}"), ("b", "{}"), ("c", "{}"))
    begin = "field_f1 can score none of the 3 segments; the first, 's0'"
    assert_same_error(tmp_path, texts, get_metrics(["cer", "field_f1"]), UndefinedResultError, begin)


def test_the_segments_that_are_scored_twice_are_spread_over_the_parts(tmp_path):
    write_normalized(tmp_path / "normalized", of_pairs(*[("a", "a")] * 10))
    tasks = plan_parts(tmp_path / "normalized", [], tmp_path, checked=4, most_rows=4)
    assert [(task.rows, task.checked) for task in tasks] == [(range(4), 2), (range(4, 8), 1), (range(8, 10), 1)]


def test_a_part_has_no_more_than_a_row_group(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 3)
    write_normalized(tmp_path / "normalized", of_pairs(*[("a", "a")] * 7))
    assert [task.rows for task in plan_parts(tmp_path / "normalized", [], tmp_path)] == [
        range(3),
        range(3, 6),
        range(6, 7),
    ]


def test_a_system_that_cannot_read_the_data_set_has_files_without_rows(tmp_path):
    capture = Capture(
        Origin("books", "m", not_applicable="reads audio"), SegmentKeys([], None, {}), TextPairs([], []), []
    )
    texts = normalize(capture, get_normalizer("none"))
    write_normalized(tmp_path / "normalized", texts)
    metrics = get_metrics(["cer"])
    whole = written_at_once(tmp_path, texts, metrics, "error", None)
    assert written_in_parts(tmp_path, metrics, "error", None, 1) == whole


def test_the_texts_of_a_part_are_given_back_at_once(tmp_path, monkeypatch):
    write_normalized(tmp_path / "normalized", of_pairs(("a b", "a c")))
    systems = []

    class Watched(ScoredSystem):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            systems.append(weakref.ref(self))

    monkeypatch.setattr(parts, "ScoredSystem", Watched)
    gc.disable()
    try:
        score_part(plan_parts(tmp_path / "normalized", get_metrics(["cer", "wer"]), tmp_path)[0])
        assert [system() for system in systems] == [None]
    finally:
        gc.enable()


def test_of_a_part_only_sums_come_back_and_its_files_are_taken_away(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    write_normalized(tmp_path / "normalized", of_pairs(("a b", "a c"), ("d", "")))
    scored = [
        score_part(task) for task in plan_parts(tmp_path / "normalized", get_metrics(["cer"]), folder, most_rows=1)
    ]
    assert [len(part.scores.segments) for part in scored] == [0, 0]
    assert [(part.alignments.segment_id, part.confusions.confusions) for part in scored] == [([], {})] * 2
    assert {path.stem for path in folder.iterdir()} == {"0", "1"}
    write_parts(scored, folder, **{name: tmp_path / name for name in FILES})
    assert list(folder.iterdir()) == []
