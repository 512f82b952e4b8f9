import pytest

from misread.data.segment_table import Origin, SegmentKeys, TextPairs
from misread.errors import UndefinedResultError, UnknownNameError
from misread.normalize.normalized_texts import NormalizedTexts
from misread.sockets import METRICS
from misread.tally import score

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


def test_error_names_the_segments_and_their_reasons():
    with pytest.raises(UndefinedResultError, match=r"2 of 5 segments of 'timeus' .*p2: no such file; p4: image is cut"):
        scored("error")


def test_error_says_how_to_go_on():
    with pytest.raises(UndefinedResultError, match=r"missing=empty .*missing=drop"):
        scored("error")


def test_error_names_a_segment_without_a_reason_too():
    with pytest.raises(UndefinedResultError, match="p1: no hypothesis"):
        scored("error", hypotheses=[None], reasons=[None])


def test_error_shortens_a_long_list():
    with pytest.raises(UndefinedResultError, match=r"p3: broken; and 2 more\)"):
        scored("error", hypotheses=[None] * 5, reasons=["broken"] * 5)


def test_error_scores_when_nothing_is_missing():
    assert len(scored("error", hypotheses=["aa", ""]).segments) == 2


def test_empty_says_how_many_count_as_empty_texts():
    assert scored("empty").origin.facts.notes[-1] == (
        "kraken: 2 of 5 hypotheses are missing and count as empty texts (p2, p4)."
    )


def test_empty_shortens_a_long_list():
    (note,) = scored("empty", hypotheses=[None] * 5).origin.facts.notes
    assert note == "kraken: 5 of 5 hypotheses are missing and count as empty texts (p1, p2, p3, and 2 more)."


def test_empty_says_nothing_when_nothing_is_missing():
    assert not any("missing" in note for note in scored("empty", hypotheses=["aa", ""]).origin.facts.notes)


def test_drop_leaves_missing_ones_out():
    found = scored("drop")
    assert list(found.segments.segment_id) == ["p1", "p3", "p5"]
    assert found.counts["cer"]["errors"].tolist() == [0, 1, 2]


def test_drop_says_how_many_it_left_out():
    assert scored("drop").excluded == 2


def test_drop_leaves_out_the_labels_of_those_segments():
    assert scored("drop").segments.groups == {"side": ["left"] * 3}


def test_drop_with_nothing_left_is_an_error():
    with pytest.raises(UndefinedResultError, match="no hypothesis for any of the 2 segments"):
        scored("drop", hypotheses=[None, None])


def test_empty_counts_a_missing_hypothesis_as_an_empty_one():
    found = scored("empty")
    assert found.counts["cer"]["errors"].tolist() == [0, 2, 1, 2, 2]


def test_the_policy_is_part_of_the_result():
    assert [scored(policy).missing for policy in ("drop", "empty")] == ["drop", "empty"]


@pytest.mark.parametrize("policy", ["error", "drop", "empty"])
def test_no_segment_at_all_is_an_error(policy):
    with pytest.raises(UndefinedResultError, match="nothing to score"):
        scored(policy, hypotheses=[])


def test_an_unknown_policy_lists_the_choices():
    with pytest.raises(UnknownNameError, match=r"'strict'.*There are: drop, empty, error"):
        scored("strict")
