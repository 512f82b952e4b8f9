from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.normalize import NormalizerByColumn, get_normalizer
from misread.tally.step_changes import count_changes


def capture(references, hypotheses, languages):
    ids = [f"s{number}" for number in range(1, len(references) + 1)]
    keys = SegmentKeys(ids, None, {"language": languages})
    return Capture(Origin("speech", "asr"), keys, TextPairs(references, hypotheses), [None] * len(ids))


def test_every_step_says_how_many_segments_it_changed_with_examples():
    texts = capture(["A  b", "c", "D"], ["a", None, "D  "], ["en"] * 3)
    spaces, case = (step.as_record() for step in count_changes(texts, get_normalizer("lower"))[""].values())
    assert (spaces["step"], spaces["references"], spaces["hypotheses"]) == ("collapse_whitespace", 1, 1)
    assert (case["step"], case["references"], case["hypotheses"]) == ("lower_case", 2, 1)
    assert [(each.segment_id, each.side, each.before, each.after) for each in case["examples"]] == [
        ("s1", "references", "A b", "a b"),
        ("s3", "references", "D", "d"),
        ("s3", "hypotheses", "D", "d"),
    ]


def test_steps_of_every_label_are_counted_apart_with_the_ids_of_its_segments():
    by_language = NormalizerByColumn("x", column="language", profiles={"tr": "turkish", "en": "lower"})
    changes = count_changes(capture(["ONE", "IŞIK", "TWO"], ["one", "x", "TWO"], ["en", "tr", "en"]), by_language)
    assert list(changes) == ["en", "tr"]
    case = changes["en"][1]
    assert (case.normalizer, case.step, dict(case.changed)) == (
        "lower",
        "lower_case",
        {"references": 2, "hypotheses": 1},
    )
    assert [example.segment_id for example in case.examples["references"]] == ["s1", "s3"]
