from dataclasses import replace

import pytest

from misread.data.segment_table import Doubt, Origin, SegmentKeys, TextPairs
from misread.errors import UndefinedResultError, UnknownNameError
from misread.normalize.normalized_texts import NormalizedTexts
from misread.sockets import METRICS
from misread.tally import score
from misread.tally.missing_texts import MissingOutputs

IDS = ["p1", "p2", "p3", "p4", "p5"]
REASONS = [None, "no such file", None, "image is cut short", None]


def texts(hypotheses=("aa", None, "a", None, ""), reasons=REASONS):
    size = len(hypotheses)
    pairs = TextPairs(["aa"] * size, list(hypotheses))
    keys = SegmentKeys(IDS[:size], None, {"side": ["left"] * size})
    return NormalizedTexts(
        Origin("timeus", "kraken"),
        keys,
        raw=pairs,
        normalized=pairs,
        normalized_lines=pairs,
        reasons=reasons[:size],
        normalizer="none",
    )


def scored(missing, **changes):
    return score(texts(**changes), [METRICS["cer"]], missing=missing)


@pytest.mark.parametrize(
    ("missing", "changes", "message"),
    [
        (
            "error",
            {},
            r"2 of 5 segments of 'timeus' .*p2: no such file; p4: image is cut.*missing='empty' .*missing='drop'",
        ),
        ("error", {"hypotheses": [None], "reasons": [None]}, "p1: no hypothesis"),
        ("error", {"hypotheses": [None] * 5, "reasons": ["broken"] * 5}, r"p3: broken; and 2 more\)"),
        ("drop", {"hypotheses": [None, None]}, "no hypothesis for any of the 2 segments"),
    ],
)
def test_missing_ones_are_named_with_their_reasons_and_what_to_do(missing, changes, message):
    with pytest.raises(UndefinedResultError, match=message):
        scored(missing, **changes)


@pytest.mark.parametrize("missing", ["drop", "empty"])
def test_missing_and_failed_outputs_are_counted_by_run(missing):
    recorded = "the data set recorded no output of 'kraken' for this segment"
    first = texts(reasons=[None, recorded, None, "image is cut short", None])
    second = replace(texts(("aa",) * 5, [None] * 5), run="2")
    third = replace(texts((None, "aa", "a", None, None), [None, None, None, "late", "late"]), run="3")
    scores = score(replace(first, further_runs=(second, third)), [METRICS["cer"]], missing=missing)
    expected = MissingOutputs(missing={"1": 1, "2": 0, "3": 1}, failed={"1": 1, "2": 0, "3": 2})
    assert scores.missing_outputs == expected
    assert expected.total == (2, 3)
    assert scored(missing, hypotheses=["aa", ""]).missing_outputs is None


def test_error_scores_when_nothing_is_missing():
    assert len(scored("error", hypotheses=["aa", ""]).segments) == 2


def test_drop_leaves_missing_ones_out_with_their_labels_and_says_how_many():
    scores = scored("drop")
    assert list(scores.segments.segment_id) == ["p1", "p3", "p5"]
    assert scores.counts["cer"]["errors"].tolist() == [0, 1, 2]
    assert scores.segments.groups == {"side": ["left"] * 3}
    assert (scores.excluded, scores.missing) == (2, "drop")


def test_empty_counts_a_missing_hypothesis_as_an_empty_one_and_says_how_many():
    scores = scored("empty")
    assert scores.counts["cer"]["errors"].tolist() == [0, 2, 1, 2, 2]
    assert scores.missing == "empty"
    note = "kraken: 2 of 5 hypotheses are missing and count as empty texts (p2, p4)."
    assert scores.origin.facts.doubts == (
        Doubt(sentence=note, brief="kraken: 2 of 5 hypotheses are missing and count as empty texts."),
    )
    (note,) = scored("empty", hypotheses=[None] * 5).origin.facts.sentences
    assert note == "kraken: 5 of 5 hypotheses are missing and count as empty texts (p1, p2, p3, and 2 more)."
    complete = scored("empty", hypotheses=["aa", ""])
    assert not any("missing" in note for note in complete.origin.facts.sentences)


@pytest.mark.parametrize("policy", ["error", "drop", "empty"])
def test_no_segment_at_all_is_an_error(policy):
    with pytest.raises(UndefinedResultError, match="nothing to score"):
        scored(policy, hypotheses=[])


def test_an_unknown_policy_lists_the_choices():
    with pytest.raises(UnknownNameError, match=r"'strict'.*There are: drop, empty, error"):
        scored("strict")
