from operator import itemgetter

import numpy as np
import pytest

from misread import evaluate
from misread.errors import ConfigurationError
from misread.features.flags import FlaggedSegments, FlagRules
from misread.features.flags.flag import LEFT_OUT_KINDS, MADE_UP_KINDS
from misread.features.flags.table import Flags
from misread.metrics import ScoredText
from misread.sockets import METRICS, get_metrics
from misread.tables import render_markdown

REFERENCES = ["we meet at ten", "nothing else to say", "it is late"]
HYPOTHESES = ["we meet at ten at ten at ten at ten at ten", "nothing else to soy", "it is late"]


@pytest.fixture
def texts():
    return ScoredText(REFERENCES, HYPOTHESES)


def total(metric, texts):
    return dict(zip(METRICS[metric].columns, METRICS[metric].count(texts).sum(axis=0).tolist(), strict=True))


def test_flagged_segments_are_counted_by_reason(texts):
    columns = itemgetter("flagged", "segments", "flags_loop", "flags_long", "flags_unrelated")
    assert columns(total("flagged_segments", texts)) == (1, 3, 1, 1, 0)


def test_with_and_without_flagged_segments_add_up(texts):
    with_them, without = total("cer", texts), total("cer_unflagged", texts)
    assert (with_them["errors"], without["errors"], without["left_out"]) == (29, 1, 1)
    assert with_them["length"] - without["length"] == len(REFERENCES[0])
    assert total("wer_unflagged", texts)["errors"] == 1


def test_errors_inside_loops_are_a_share_of_all(texts):
    assert total("loop_error_share", texts) == {"errors_in_loops": 28, "errors": 29}
    exact = ScoredText(["a"], ["a"])
    assert METRICS["loop_error_share"].rate(METRICS["loop_error_share"].count(exact).sum(axis=0)) == 0.0


def test_other_rules_have_another_signature():
    strict = FlaggedSegments("flagged_segments", FlagRules(insertion=4))
    assert strict.signature("none") != METRICS["flagged_segments"].signature("none")
    assert strict.count(ScoredText(["a"], ["a b c d"]))[:, 0].tolist() == [1]


def test_a_rate_without_flagged_segments_is_refused_alone():
    with pytest.raises(ConfigurationError, match="cer_unflagged leaves segments out; name cer as well"):
        get_metrics(["cer_unflagged"])
    with pytest.raises(ConfigurationError, match="wer_unflagged leaves segments out; name wer as well"):
        evaluate(REFERENCES, {"a": HYPOTHESES}, metrics=["cer", "wer_unflagged"], seed=1)


@pytest.mark.parametrize("names", [["mine=cer_unflagged"], ["cer=wer", "mine=cer_unflagged"]])
def test_an_id_of_ones_own_changes_nothing_of_that(names):
    with pytest.raises(ConfigurationError, match="mine leaves segments out; name cer as well"):
        get_metrics(names)
    assert [metric.id for metric in get_metrics(["all=cer", "mine=cer_unflagged"])] == ["all", "mine"]


def test_the_view_names_every_flag_and_rates_with_and_without():
    made = evaluate(REFERENCES, {"a": HYPOTHESES, "b": REFERENCES}, metrics="cer", seed=1, statistics={"resamples": 99})
    view = made.view("flags")
    assert view[["system", "segment_id", "flag", "start", "end"]].values.tolist() == [
        ["a", "1", "loop", 7, 42],
        ["a", "1", "long", 0, 42],
    ]
    notes = " ".join(made.lay_out_view("flags").notes)
    assert "a: 1 of 3 segments flagged (loop 1, long 1); CER 67.44 with them, 3.45 without" in notes
    assert "96.55 of the errors lie in loops, 0.00 in omissions (in per cent)" in notes
    assert "b: nothing flagged in 3 segments." in notes
    assert evaluate(REFERENCES, {"b": REFERENCES}, metrics="cer", seed=1).view("flags").empty


def test_the_page_has_a_name_for_every_kind_of_flag():
    assert tuple(kind.kind for kind in Flags.mark_kinds) == (*MADE_UP_KINDS, *LEFT_OUT_KINDS)


def test_counts_do_not_depend_on_what_else_is_counted(texts):
    fresh = ScoredText(REFERENCES, HYPOTHESES)
    for metric in ("wer", "cer"):
        METRICS[metric].count(texts)
    for metric in ("flagged_segments", "loop_error_share", "cer_unflagged"):
        np.testing.assert_array_equal(METRICS[metric].count(texts), METRICS[metric].count(fresh))


LONG = "the minutes of the last meeting were read and signed by all who had been there"
LEFT_OUT = ScoredText([LONG, LONG, "it is late"], [LONG[:30], LONG.replace("read", "raed"), "it is late"])


def test_omitted_segments_are_counted_by_reason_and_left_out():
    columns = itemgetter("flagged", "segments", "flags_cut", "flags_omission", "flags_seam", "flags_silence")
    assert columns(total("omitted_segments", LEFT_OUT)) == (1, 3, 1, 0, 0, 0)
    with_them, without = total("cer", LEFT_OUT), total("cer_complete", LEFT_OUT)
    assert (with_them["errors"], without["errors"], without["left_out"]) == (50, 2, 1)
    assert total("wer_complete", LEFT_OUT)["errors"] == 1
    assert total("omission_error_share", LEFT_OUT) == {"errors_in_omissions": 48, "errors": 50}
    # They change no count of text that was made up.
    assert total("flagged_segments", LEFT_OUT)["flagged"] == 0
    assert total("cer_unflagged", LEFT_OUT)["errors"] == with_them["errors"]


def test_the_view_shows_what_is_missing_of_the_reference():
    made = evaluate(
        LEFT_OUT.references, {"a": LEFT_OUT.hypotheses}, metrics="cer", seed=1, statistics={"resamples": 99}
    )
    (row,) = made.view("flags")[["flag", "start", "end", "missing_start", "missing_end", "text"]].values.tolist()
    assert row == ["cut", 30, 30, 30, 78, LONG[30:]]
    table = made.lay_out_view("flags")
    assert "reference 30 to 78" in render_markdown(table)
    assert "0.00 of the errors lie in loops, 96.00 in omissions" in " ".join(table.notes)


def test_limits_of_omissions_are_settings_of_the_metric():
    (metric,) = get_metrics(["omitted_segments(rules={gap:60,short_gap:60})"])
    assert metric.count(LEFT_OUT)[:, 0].tolist() == [1, 0, 0]  # half of its segment
    assert metric.signature("none") != METRICS["omitted_segments"].signature("none")
    with pytest.raises(ConfigurationError, match="cer_complete leaves segments out; name cer as well"):
        get_metrics(["cer_complete"])
