"""A corpus is the sum of its parts: files, changes of steps, flags, ablations and errors do not depend on them."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.parts_and_whole import elsewhere, of_pairs, outcome, scored_at_once, scored_in_parts
from tests.whole_tables import write_normalized

from misread.data.segment_table import Origin, SegmentKeys, TextFacts
from misread.engines.base import Reading
from misread.errors import UndefinedResultError
from misread.features.flags.flagged import flag_segments
from misread.features.regimes import AblationSettings
from misread.features.regimes.ablation import ablate
from misread.normalize import NormalizerByColumn, get_normalizer, normalize
from misread.normalize import captures as normalize_captures
from misread.pipeline import normalized_parts
from misread.sockets import get_metrics
from misread.storage import (
    StoredTexts,
    parquet_writer,
    read_capture,
    read_capture_parts,
    read_normalized,
    write_capture,
)
from misread.tally import ScoredSystem
from misread.tally.scored_system import count_part
from misread.tally.step_changes import count_changes
from misread.tally.tally import Tally

pytestmark = pytest.mark.slow

METRIC_IDS = ["cer", "wer", "cer_raw", "line_accuracy", "field_f1"]
BY_LANGUAGE = NormalizerByColumn(
    "by_language", column="language", profiles={"tr": "turkish", "en": "lower"}, default="nist"
)
NORMALIZERS = [*map(get_normalizer, ("none", "whitespace", "lower", "nist", "english")), BY_LANGUAGE]
WORDS = [
    *("to", "two b", "a", "b", "c", "d", "A  b", "Don't", "IŞIK 42", "<DELETE>", "e\u0301", "é", "x\u200b", "x"),
    *("\r", " ", "\n", '{"a": 1}', "日本", "at ten at ten at ten at ten at ten at ten at ten"),
]

plain = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
with_alternatives = st.lists(st.sampled_from(["{ a / b c }", "(d)", "{ é / @ }", "a", "d"]), max_size=3).map(" ".join)


@st.composite
def captured(draw):
    """Arguments of `write_capture`: texts as they may come, missing, empty, in groups, of several runs, annotated."""
    number = draw(st.integers(1, 12))

    def column(values):
        return draw(st.lists(values, min_size=number, max_size=number))

    sides = draw(st.sampled_from(["", "", "references", "both"]))
    hypothesis = with_alternatives if sides == "both" else plain
    if draw(st.booleans()):
        hypothesis |= st.none()
    keys = SegmentKeys(
        [f"s{row}" for row in range(number)],
        draw(st.none() | st.just(column(st.sampled_from("pq")))),
        {"language": column(st.sampled_from(["tr", "en", "de"]))},
    )
    readings = [
        Reading(name, text, None if text is not None else "cut short", 0.0, None, run=run, confidence=confidence)
        for run in range(1, draw(st.integers(1, 3)) + 1)
        for name, text, confidence in zip(
            keys.segment_id, column(hypothesis), column(st.none() | st.just(0.5)), strict=True
        )
    ]
    biasing = draw(st.sampled_from([st.none() | st.just(["A  B"]), st.just(["a"])]))
    annotations = {"biasing": column(biasing)} if draw(st.booleans()) else {}
    origin = Origin("lines", "m", facts=TextFacts(notes=("A note.",), alternatives=sides))
    return origin, keys, column(with_alternatives if sides else plain), readings, annotations


def normalized_at_once(path, target, normalizer):
    capture = read_capture(path)
    write_normalized(target, normalize(capture, normalizer))
    return target.read_bytes(), [
        step.as_record() for of_label in count_changes(capture, normalizer).values() for step in of_label.values()
    ]


def normalized_in_parts(path, target, normalizer, most_rows):
    tasks = normalized_parts.plan_parts(path, normalizer, target.parent, most_rows=most_rows)
    tally = normalized_parts.write_parts(elsewhere(normalized_parts.normalize_part, tasks), target, normalizer, path)
    return target.read_bytes(), [step.as_record() for of_label in tally.changes.values() for step in of_label.values()]


# An example takes a fifth of a second.
@settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    max_examples=settings.default.max_examples // 2,
)
@given(
    captured(),
    st.sampled_from(NORMALIZERS),
    st.sampled_from(["error", "drop", "empty"]),
    st.integers(1, 13),
    st.booleans(),
    st.sampled_from([1, 2, 5, 100]),
    st.integers(1, 4),
)
def test_a_corpus_is_the_sum_of_its_parts(
    written, normalizer, missing, most_rows, with_fields, rows_of_a_group, most_linted
):
    metrics = get_metrics(METRIC_IDS if with_fields else METRIC_IDS[:-1])
    if None not in written[-1].get("biasing", [None]):
        metrics += get_metrics(["b_wer"])
    with TemporaryDirectory() as one, TemporaryDirectory() as other, pytest.MonkeyPatch.context() as patch:
        whole, parts = Path(one), Path(other)
        patch.setattr(normalize_captures, "_MOST_LINTED", most_linted)
        patch.setattr(parquet_writer, "GROUP_ROWS", rows_of_a_group)
        write_capture(parts / "capture", *written)

        expected = normalized_at_once(parts / "capture", whole / "normalized", normalizer)
        assert normalized_in_parts(parts / "capture", parts / "normalized", normalizer, most_rows) == expected
        assert {path.name for path in parts.iterdir()} == {"capture", "normalized"}

        system, stored = (
            ScoredSystem(source, metrics, missing)
            for source in (read_normalized(whole / "normalized"), StoredTexts(parts / "normalized"))
        )
        expected = outcome(lambda: scored_at_once(system, whole))
        arguments = parts / "normalized", parts, metrics, missing, most_rows
        assert outcome(lambda: scored_in_parts(*arguments)) == expected
        assert outcome(lambda: flag_segments(stored).flags) == outcome(lambda: flag_segments(system).flags)
        assert outcome(lambda: flag_segments(stored).rate) == outcome(lambda: flag_segments(system).rate)

        ablated = AblationSettings(get_metrics(["cer", "line_accuracy"]), [get_normalizer("lower_ascii"), normalizer])
        expected = outcome(lambda: ablate([read_capture(parts / "capture")], ablated, missing=missing))
        assert outcome(lambda: ablate(read_capture_parts(parts / "capture"), ablated, missing=missing)) == expected


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(captured(), st.sampled_from(["drop", "empty"]), st.integers(0, 12), st.integers(0, 12))
def test_tallies_add_in_any_grouping_and_an_empty_one_is_zero(written, missing, one_cut, other_cut):
    low, high = sorted((one_cut, other_cut))
    metrics = get_metrics(METRIC_IDS[:-1])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "capture"
        write_capture(path, *written)
        capture = read_capture(path)
        write_normalized(path, normalize(capture, BY_LANGUAGE))
        whole = count_part(ScoredSystem(read_normalized(path), metrics, missing), explains=True)
        first, second, third = (
            count_part(ScoredSystem(read_normalized(path, rows), metrics, missing), explains=True)
            for rows in (range(low), range(low, high), range(high, len(capture.texts)))
        )
    assert (first + second) + third == first + (second + third) == whole
    assert Tally() + whole == whole + Tally() == whole


def test_a_tally_knows_how_many_segments_count_and_the_sums_of_every_metric():
    pairs = of_pairs(("a b", "a c"), ("", "x"), ("d", None), ("e", ""))
    tally = count_part(ScoredSystem(pairs, get_metrics(["cer"]), "empty"))
    assert (tally.missing.segments, tally.missing.scored, dict(tally.missing.number)) == (4, 4, {"1": 1})
    assert (tally.counts["cer"]["errors"], tally.counts["cer"]["length"]) == (4, 5)
    assert (tally.runs["1"].empty_references.shown, tally.runs["1"].empty_hypotheses.shown) == (("s1",), ("s3",))


def test_nothing_can_be_concluded_where_nothing_was_counted():
    with pytest.raises(ValueError, match="nothing was counted"):
        Tally().conclude()


def test_of_two_failures_the_one_that_the_whole_would_come_to_first_is_raised():
    pairs = of_pairs(("a", "a"))
    tally = count_part(ScoredSystem(pairs, get_metrics(["cer"])))
    later, earlier = UndefinedResultError("later"), UndefinedResultError("earlier")
    both = tally + Tally(failures={(2, 0, 1): later}) + Tally(failures={(1, 0, 2): earlier})
    with pytest.raises(UndefinedResultError, match="earlier"):
        both.conclude()
