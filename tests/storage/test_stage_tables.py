import itertools
import weakref
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.whole_tables import write_normalized, write_scores

from misread.data.segment_table import Capture, Doubt, Origin, SegmentKeys, TextFacts, TextPairs, Word
from misread.engines.base import Reading
from misread.errors import InputFileError
from misread.normalize import get_normalizer, normalize
from misread.normalize.normalized_texts import NormalizedTexts
from misread.provenance.signature import Signature
from misread.sockets import get_metrics
from misread.storage import (
    add_faults,
    read_capture,
    read_normalized,
    read_scores,
    read_timings,
    write_capture,
    write_timings,
)
from misread.storage.parquet import read_parquet
from misread.storage.parquet_writer import write_parquet
from misread.tally import score
from misread.tally.scores import Counts, Scores

TEXT = st.characters(exclude_categories=["Cs"])
ORIGIN = Origin(
    "lines",
    "tesseract",
    "ab" * 32,
    {"tesseract": "5.5", "tesserocr": "2.8"},
    "page",
    facts=TextFacts(notes=("2 words lie outside.", "Ça.")),
)
PLAIN = SegmentKeys(["a", "b", "c"], None, {})
CLUSTERED = SegmentKeys(["a", "b", "c"], ["p1", "p1", "p2"], {})
GROUPED = SegmentKeys(["a", "b", "c"], None, {"hand": ["x", "y", "x"], "group.of": ["1", "2", "3"]})
CLUSTERED_GROUPED = SegmentKeys(["a", "b", "c"], ["p1", "p1", "p2"], {"hand": ["x", "y", "x"]})
ALL_KEYS = pytest.mark.parametrize("keys", [PLAIN, CLUSTERED, GROUPED, CLUSTERED_GROUPED])

PAIRS = TextPairs(["one", "", "漢\r\n\x00é"], ["one", None, ""])
REASONS = [None, "a.png is damaged", None]

EMPTY_KEYS = SegmentKeys([], None, {})
NOT_APPLICABLE = replace(ORIGIN, not_applicable="the system reads audio, the data set offers line_image")


def scores_of(keys, counts):
    digests = [f"{row:02x}" for row in range(len(keys))]
    signatures = {metric: Signature(metric, {"unit": "char"}) for metric in counts}
    counts = {metric: Counts(COLUMNS[metric], values) for metric, values in counts.items()}
    return Scores(
        ORIGIN,
        keys,
        counts=counts,
        signatures=signatures,
        normalizer="whitespace@1a2b",
        reference_digest=digests,
        missing="drop",
        excluded=2,
    )


RECORD = {"fault": "swap", "segment_ids": ["a", "b"], "errors": 3}
COLUMNS = {"cer": ("errors", "length"), "exact": ("matches",)}


def write(path, capture):
    readings = [
        Reading(segment, text, reason, 0.1, None)
        for segment, text, reason in zip(
            capture.segments.segment_id, capture.texts.hypotheses, capture.reasons, strict=True
        )
    ]
    write_capture(path, capture.origin, capture.segments, capture.texts.references, readings)


LABEL = st.text(TEXT, min_size=1, max_size=3)


@st.composite
def keys_of_rows(draw):
    rows = draw(st.integers(0, 4))
    labels = st.lists(LABEL, min_size=rows, max_size=rows)
    ids = [str(row) for row in range(rows)]
    return SegmentKeys(ids, draw(st.none() | labels), draw(st.dictionaries(LABEL, labels, max_size=2)))


@given(keys_of_rows(), st.lists(st.tuples(st.text(TEXT), st.text(TEXT), st.booleans()), min_size=4, max_size=4))
def test_a_capture_is_read_as_written(tmp_path_factory, keys, rows):
    path = tmp_path_factory.mktemp("captures") / "x.parquet"
    rows = rows[: len(keys)]
    texts = TextPairs([row[0] for row in rows], [None if row[2] else row[1] for row in rows])
    reasons = [row[1] if row[2] else None for row in rows]
    capture = Capture(ORIGIN if rows else NOT_APPLICABLE, keys, texts, reasons)
    write(path, capture)
    assert read_capture(path) == capture


def test_the_same_capture_gives_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        write(tmp_path / name, Capture(ORIGIN, CLUSTERED_GROUPED, PAIRS, REASONS))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


FORMS = st.lists(st.tuples(*[st.sampled_from(["", "a", "a\n", "\n", "é"])] * 3), min_size=4, max_size=4)
NONE = (None, None, None)


@given(keys_of_rows(), FORMS, FORMS, st.lists(st.none() | st.text(TEXT), min_size=4, max_size=4))
def test_whatever_normalizing_made_is_read_as_written(tmp_path_factory, keys, references, hypotheses, reasons):
    path, rows = tmp_path_factory.mktemp("forms") / "x.parquet", len(keys)
    pairs = [(list(ref), NONE if why else hyp) for ref, hyp, why in zip(references, hypotheses, reasons, strict=True)]
    raw, normalized, lines = (
        TextPairs([ref[form] for ref, _ in pairs[:rows]], [hyp[form] for _, hyp in pairs[:rows]]) for form in range(3)
    )
    texts = NormalizedTexts(
        ORIGIN, keys, raw=raw, normalized=normalized, normalized_lines=lines, reasons=reasons[:rows], normalizer="n"
    )
    write_normalized(path, texts)
    assert read_normalized(path) == texts


def test_texts_that_normalizing_leaves_as_they_are_stand_once_in_the_file(tmp_path):
    lines = TextPairs(["one\n", "two\n"], ["one\n", "too\n"])
    pairs = TextPairs(["one", "two"], ["one", "too"])
    keys = SegmentKeys(["1", "2"], None, {})
    texts = NormalizedTexts(
        ORIGIN, keys, raw=pairs, normalized=pairs, normalized_lines=lines, reasons=[None] * 2, normalizer="n"
    )
    write_normalized(tmp_path / "x.parquet", texts)
    table = pq.ParquetFile(tmp_path / "x.parquet").read()
    assert {name for name in table.column_names if not table[name].null_count} == {
        "segment_id",
        "reference",
        "hypothesis",
    }
    found = read_normalized(tmp_path / "x.parquet")
    assert found.normalized.references is found.raw.references
    assert found == texts


def test_counts_are_read_as_written(tmp_path):
    counts = {"cer": np.array([[1, 2], [0, 2**40], [5, 6]]), "exact": np.array([[1], [0], [1]])}
    write_scores(tmp_path / "x.parquet", scores_of(PLAIN, counts))
    assert pq.read_table(tmp_path / "x.parquet")["cer.length"].to_pylist() == [2, 2**40, 6]
    found = read_scores(tmp_path / "x.parquet").counts
    assert found["cer"].values.dtype == np.int64
    assert {metric: of.values.tolist() for metric, of in found.items()} == {
        metric: array.tolist() for metric, array in counts.items()
    }
    assert {metric: of.columns for metric, of in found.items()} == COLUMNS


@ALL_KEYS
def test_scores_in_the_order_of_ids_are_those_that_were_written_in_another(tmp_path, keys):
    scores = scores_of(keys, {"cer": np.arange(6).reshape(3, 2), "exact": np.array([[3], [4], [5]])})
    scores = replace(scores, problems={"cer": {"a": "it is not valid JSON."}})
    for order in itertools.permutations(range(3)):
        written = scores.take(np.array(order))
        write_scores(tmp_path / "x.parquet", written)
        assert replace(read_scores(tmp_path / "x.parquet"), counts={}) == replace(written, counts={})
        found = read_scores(tmp_path / "x.parquet", ascending=True)
        expected = scores.take(np.argsort(keys.segment_id))
        assert replace(found, counts={}) == replace(expected, counts={})
        assert {metric: counts.values.tolist() for metric, counts in found.counts.items()} == {
            metric: counts.values.tolist() for metric, counts in expected.counts.items()
        }


def test_counts_of_some_columns_are_read_without_the_rest(tmp_path):
    counts = {"cer": np.array([[1, 2], [0, 2**40], [5, 6]]), "exact": np.array([[1], [0], [1]])}
    write_scores(tmp_path / "x.parquet", scores_of(PLAIN, counts))
    scores = read_scores(tmp_path / "x.parquet", columns={"cer": ["length"]})
    assert {metric: of.values.tolist() for metric, of in scores.counts.items()} == {"cer": [[2], [2**40], [6]]}
    assert (scores.counts["cer"].columns, len(scores.segments), scores.origin) == (("length",), 0, ORIGIN)


@ALL_KEYS
def test_a_doubt_is_added_to_a_file_as_if_it_were_written_with_it(tmp_path, keys):
    scores = scores_of(keys, {"cer": np.arange(6).reshape(3, 2), "exact": np.ones((3, 1), np.int64)})
    for name in ("first", "again"):
        write_scores(tmp_path / name, scores)
    doubts = [Doubt(sentence="They are shifted ('a').", brief="They are shifted."), Doubt(sentence="x", brief="y")]
    add_faults(tmp_path / "first", doubts, [RECORD])
    write_scores(tmp_path / "again", scores.with_faults(doubts, [RECORD]))
    assert (tmp_path / "first").read_bytes() == (tmp_path / "again").read_bytes()
    assert read_scores(tmp_path / "first").origin.facts.doubts == tuple(doubts)
    assert read_scores(tmp_path / "first").pairing == [RECORD]


def test_scores_without_segments_keep_the_shape_of_their_counts(tmp_path):
    counts = {"cer": np.zeros((0, 2), np.int64), "exact": np.zeros((0, 1), np.int64)}
    write_scores(tmp_path / "x.parquet", scores_of(EMPTY_KEYS, counts))
    found = read_scores(tmp_path / "x.parquet").counts
    assert {metric: of.values.shape for metric, of in found.items()} == {"cer": (0, 2), "exact": (0, 1)}


def test_timings_hold_one_row_a_reading(tmp_path):
    streamed = {"first_byte_seconds": 0.1, "input_tokens": 300, "output_tokens": 0}
    streamed |= {"usd": 0.5, "concurrency": 4, "batch_size": 2, "server_version": "vllm 0.6", "served_model": "m"}
    readings = [
        Reading("a", "one", None, 0.25, 4096, warm_up=True, start_up_seconds=2.0, **streamed),
        Reading("b", None, "it broke", 0.5, None, run=2, attempts=3),
    ]
    write_timings(tmp_path / "x.parquet", ORIGIN, readings)
    first = {"segment_id": "a", "run": 1, "attempts": 1, "latency_seconds": 0.25, "peak_memory_bytes": 4096}
    second = {"segment_id": "b", "run": 2, "attempts": 3, "latency_seconds": 0.5, "peak_memory_bytes": None}
    assert pq.read_table(tmp_path / "x.parquet").to_pylist() == [
        {**first, "warm_up": True, "start_up_seconds": 2.0, **streamed},
        {**second, "warm_up": False, "start_up_seconds": None, **dict.fromkeys(streamed)},
    ]
    timings = read_timings(tmp_path / "x.parquet")
    assert timings.latency_seconds.tolist() == [0.25, 0.5]
    assert (timings.peak_memory_bytes[0], np.isnan(timings.peak_memory_bytes[1])) == (4096, True)
    assert (timings.warm_up.tolist(), timings.output_tokens[0]) == ([True, False], 0)
    assert np.isnan(timings.first_byte_seconds[1])
    assert (timings.usd[0], np.isnan(timings.usd[1])) == (0.5, True)


def test_timings_without_any_recorded_cost_have_none_so_that_a_price_may_say_it(tmp_path):
    write_timings(tmp_path / "x.parquet", ORIGIN, [Reading("a", "one", None, 0.25, 4096)])
    assert len(read_timings(tmp_path / "x.parquet").usd) == 0


def test_timings_stay_out_of_the_capture_so_that_it_repeats(tmp_path):
    write(tmp_path / "x.parquet", Capture(ORIGIN, PLAIN, PAIRS, REASONS))
    assert pq.read_table(tmp_path / "x.parquet").column_names == [
        *("segment_id", "reference", "run", "hypothesis", "reason", "confidence", "raw", "words")
    ]


def test_a_capture_holds_all_runs(tmp_path):
    readings = [Reading(name, f"{name}{run}", None, 0.1, None, run=run) for run in (1, 2, 3) for name in "abc"]
    write_capture(tmp_path / "x.parquet", ORIGIN, CLUSTERED_GROUPED, PAIRS.references, readings)
    rows = pq.read_table(tmp_path / "x.parquet").to_pylist()
    assert [(row["run"], row["segment_id"], row["hypothesis"]) for row in rows] == [
        (run, name, f"{name}{run}") for run in (1, 2, 3) for name in "abc"
    ]
    assert [(row["cluster"], row["group.hand"], row["reference"]) for row in rows] == [
        *(("p1", "x", "one"), ("p1", "y", ""), ("p2", "x", PAIRS.references[2]))
    ] * 3
    first, *further = (
        Capture(
            ORIGIN,
            CLUSTERED_GROUPED,
            TextPairs(PAIRS.references, [f"a{run}", f"b{run}", f"c{run}"]),
            [None] * 3,
            str(run),
        )
        for run in (1, 2, 3)
    )
    assert read_capture(tmp_path / "x.parquet") == replace(first, further_runs=tuple(further))


def test_a_run_without_some_of_the_segments_is_refused(tmp_path):
    readings = [Reading(name, name, None, 0.1, None, run=run) for run in (1, 2) for name in "abc"]
    write_capture(tmp_path / "x.parquet", ORIGIN, CLUSTERED_GROUPED, PAIRS.references, readings)
    table, note = read_parquet(tmp_path / "x.parquet", kind="capture", made_by="capture")
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    write_parquet(tmp_path / "x.parquet", {name: of[:5] for name, of in columns.items()}, kind="capture", note=note)
    with pytest.raises(InputFileError, match=r"run 2 has other segments than run 1 \(2 and 3\)"):
        read_capture(tmp_path / "x.parquet")


def test_counts_of_runs_in_the_order_of_ids_are_those_that_were_written_in_another(tmp_path):
    runs = [TextPairs(["one", "two", "six"], [f"a{run}", "tw", f"{run}six"]) for run in "123"]
    captures = [Capture(ORIGIN, CLUSTERED_GROUPED, of, [None] * 3, run) for run, of in zip("123", runs, strict=True)]
    texts = normalize(replace(captures[0], further_runs=tuple(captures[1:])), get_normalizer("none"))
    scores = score(texts, get_metrics(["cer"]))
    assert scores.runs.same_text.tolist() == [False, True, False]
    for order in itertools.permutations(range(3)):
        write_scores(tmp_path / "s.parquet", scores.take(np.array(order)))
        found = read_scores(tmp_path / "s.parquet", ascending=True).runs
        assert found.same_text.tolist() == [False, True, False]
        assert found.counts["cer"].tolist() == scores.runs.counts["cer"].tolist()


def test_texts_and_counts_of_all_runs_are_read_as_they_were_written(tmp_path):
    runs = [TextPairs(PAIRS.references, [f"{name}{run}" for name in "abc"]) for run in (1, 2, 3)]
    captures = [Capture(ORIGIN, CLUSTERED_GROUPED, of, [None] * 3, str(run)) for run, of in enumerate(runs, start=1)]
    texts = normalize(replace(captures[0], further_runs=tuple(captures[1:])), get_normalizer("lower"))
    write_normalized(tmp_path / "n.parquet", texts)
    assert read_normalized(tmp_path / "n.parquet") == texts
    scores = score(texts, get_metrics(["cer", "exact_line_f1"]))
    write_scores(tmp_path / "s.parquet", scores)
    found = read_scores(tmp_path / "s.parquet")
    assert list(found.runs.runs) == ["1", "2", "3"]
    assert found.runs.same_text.tolist() == [False] * 3
    for metric, of in scores.runs.counts.items():
        assert np.array_equal(found.runs.counts[metric], of)
        assert np.array_equal(found.counts[metric].values, of.sum(axis=0))


def test_a_capture_larger_than_one_part_is_read_as_written(tmp_path):
    names = [str(number) for number in range(2500)]
    readings = [
        Reading(name, name, None, 0.1, 1, raw=f"<{name}>", confidence=0.5, words=(Word(name, 0.25),)) for name in names
    ]
    write_capture(tmp_path / "x.parquet", ORIGIN, SegmentKeys(names, None, {}), names, iter(readings))
    assert list(read_capture(tmp_path / "x.parquet").texts.hypotheses) == names
    table = pq.read_table(tmp_path / "x.parquet")
    assert table["raw"].to_pylist() == [f"<{name}>" for name in names]
    assert table["words"].to_pylist()[-1] == [{"text": "2499", "confidence": 0.25}]


@given(st.lists(st.none() | st.lists(st.tuples(st.text(TEXT, max_size=5), st.floats(0, 1))), min_size=1, max_size=9))
def test_words_are_laid_out_as_arrow_does(tmp_path_factory, lists):
    path = tmp_path_factory.mktemp("words") / "x.parquet"
    readings = [
        Reading("a", "", None, 0.1, 1, words=None if words is None else tuple(Word(*word) for word in words))
        for words in lists
    ]
    keys = SegmentKeys(["a"] * len(lists), None, {})
    write_capture(path, ORIGIN, keys, [""] * len(lists), readings)
    table, _ = read_parquet(path, kind="capture", made_by="stages/captures/dvc.yaml")
    expected = [
        None if words is None else [{"text": text, "confidence": confidence} for text, confidence in words]
        for words in lists
    ]
    assert table["words"].to_pylist() == expected


@pytest.mark.parametrize("text", ["one", 3000 * "x"])
def test_timings_of_one_pass_are_those_of_two(tmp_path, text):
    readings = [
        Reading(str(number), text, None, number / 7, 4096, warm_up=number == 0, output_tokens=number % 3 or None)
        for number in range(2500)
    ]
    keys = SegmentKeys([reading.segment_id for reading in readings], None, {})
    write_timings(tmp_path / "apart", ORIGIN, readings)
    write_capture(tmp_path / "x.parquet", ORIGIN, keys, [""] * 2500, iter(readings), timings=tmp_path / "together")
    assert (tmp_path / "together").read_bytes() == (tmp_path / "apart").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(("length", "most"), [(3_999_999, 2), (4_000_000, 1)])
def test_long_answers_are_laid_out_a_few_at_a_time(tmp_path, length, most):
    names = ["a", "b", "c", "d"]
    waiting = weakref.WeakSet()

    class Text(str):
        """A text that tells whether it is still held."""

    def readings():
        for name in names:
            text = Text(length * name)
            waiting.add(text)
            assert len(waiting) <= most + 1
            yield Reading(name, text, None, 0.1, 1)
            del text

    write_capture(tmp_path / "x.parquet", ORIGIN, SegmentKeys(names, None, {}), names, readings())
    assert [text[0] for text in read_capture(tmp_path / "x.parquet").texts.hypotheses] == names


@pytest.mark.parametrize(
    ("read", "stage"),
    [(read_capture, "stages/captures/dvc.yaml"), (read_normalized, "normalize"), (read_scores, "score")],
)
def test_a_file_that_is_missing_or_of_another_stage_says_which_stage_to_run(tmp_path, read, stage):
    for said in ("is not there;", "is a file of kind 'timings', expected"):
        with pytest.raises(InputFileError, match=rf"{said}.* run `dvc repro {stage}`"):
            read(tmp_path / "x.parquet")
        write_timings(tmp_path / "x.parquet", ORIGIN, [])


def test_a_column_that_is_missing_is_named_with_those_there_are(tmp_path):
    columns = {
        "segment_id": pa.array(["a"]),
        "reference": pa.array(["one"]),
        "run": pa.array([1], pa.int32()),
        "confidence": pa.array([None], pa.float64()),
    }
    write_parquet(tmp_path / "x.parquet", columns, kind="capture", note={"origin": {"dataset": "d", "system": "s"}})
    with pytest.raises(InputFileError, match=r"no column 'hypothesis'; it has: segment_id, reference"):
        read_capture(tmp_path / "x.parquet")
