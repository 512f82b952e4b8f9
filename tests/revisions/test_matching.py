from dataclasses import replace

import numpy as np
import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import NotComparableError
from misread.normalize import Normalizer, normalize
from misread.provenance.signature import Signature
from misread.revisions.matching import AFTER, BEFORE, has_rules, pair_segments, rate_of
from misread.sockets import get_metrics
from misread.tally import score


def scores(ids="abc", *, references=None, normalizer="none", steps=(), missing="error"):
    texts = references or [f"text {key}" for key in ids]
    capture = Capture(
        Origin("lines", "a"), SegmentKeys(list(ids), None, {}), TextPairs(texts, texts), [None] * len(ids)
    )
    return score(normalize(capture, Normalizer(normalizer, steps)), get_metrics(["cer", "wer_raw"]), missing=missing)


def pair(before, after, metrics=("cer", "wer_raw")):
    return pair_segments("a", before, after, metrics)


def test_segments_are_paired_by_id_whatever_their_order():
    paired = pair(scores("abcd"), scores("dbxc"))
    assert paired.shared.keys.segment_id == ["b", "c", "d"]
    assert (paired.only_before, paired.only_after) == (1, 1)
    assert set(paired.shared.counts) == {BEFORE, AFTER}
    assert np.array_equal(*(paired.shared.counts[side]["cer"].values for side in (BEFORE, AFTER)))


def test_sides_with_different_numbers_of_runs_weigh_alike():
    once = scores()
    run = Capture(
        Origin("lines", "a"), SegmentKeys(list("abc"), None, {}), TextPairs(*[["text a"] * 3] * 2), [None] * 3
    )
    wrong = replace(run, texts=TextPairs([f"text {key}" for key in "abc"], ["text a", "text", "tex"]), run="1")
    right = replace(wrong, texts=TextPairs(wrong.texts.references, wrong.texts.references), run="2")
    texts = normalize(replace(wrong, further_runs=(right,)), Normalizer("none", ()))
    twice = score(texts, get_metrics(["cer", "wer_raw"]))
    shared = pair(once, twice).shared
    totals = {side: shared.counts[side]["cer"].total.tolist()[:2] for side in (BEFORE, AFTER)}
    # Errors 0 of 18 against 0, 2 and 3 in one run and none in the other, of 36.
    assert totals == {BEFORE: [0, 36], AFTER: [5, 36]}
    assert shared.own_counts(BEFORE, "cer").sum(axis=0).tolist()[:2] == [0, 18]


def test_another_normalizer_is_refused_by_name_unless_the_metric_is_of_raw_texts():
    before, after = scores(), scores(normalizer="lower", steps=["lower_case"])
    with pytest.raises(
        NotComparableError,
        match=r"a on lines: the normalizer of cer differs \(none -> lower@\w+\); check the older one out",
    ):
        pair(before, after)
    assert len(pair(before, after, ["wer_raw"]).shared.keys) == 3


def test_another_rule_is_refused_by_name():
    before = scores()
    rules = {**before.signatures, "cer": before.signatures["cer"].replace(align="sclite")}
    with pytest.raises(NotComparableError, match=r"cer was scored under different settings \(align: sclite -> unit\)"):
        pair(replace(before, signatures=rules), before)


def test_another_version_alone_is_no_other_rule():
    before = scores()
    older = {metric: signature.replace(v="0.0.1") for metric, signature in before.signatures.items()}
    assert len(pair(replace(before, signatures=older), before).shared.keys) == 3


def test_another_policy_for_missing_hypotheses_is_refused():
    with pytest.raises(NotComparableError, match="missing: empty -> error"):
        pair(scores(missing="empty"), scores())


def test_other_references_are_refused_with_their_number_and_the_first():
    changed = scores(references=["text a", "text B", "text C"])
    with pytest.raises(NotComparableError, match="the references of 2 of 3 segments differ \\(first: 'b'\\)"):
        pair(scores(), changed)


def test_nothing_in_common_is_refused():
    with pytest.raises(NotComparableError, match="no segment in common"):
        pair(scores("ab"), scores("cd"))


def test_a_signature_may_say_more_than_the_configuration_expects():
    said = [
        Signature.parse(f"wer|unit:word|norm:none{more}")
        for more in ("|alternatives:reference-aligned|v:0.1.0", "|v:0.2.0", "")
    ]
    assert has_rules(said[0], said[1])
    assert not has_rules(said[2], said[2].replace(norm="lower"))
    assert not has_rules(Signature.parse("wer|norm:none"), said[2])


def test_a_rate_that_is_undefined_is_none():
    (metric,) = get_metrics(["cer"])
    assert rate_of(metric, np.array([1, 4, *[0] * (len(metric.columns) - 2)])) == 0.25

    class Undefined:
        def rate(self, counts):
            return np.nan

    assert rate_of(Undefined(), np.zeros(2)) is None
