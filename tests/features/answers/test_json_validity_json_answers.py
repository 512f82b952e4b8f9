import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.features.answers.json_validity import DEEPEST, parse_json
from misread.normalize import Normalizer, normalize
from misread.sockets import get_metrics
from misread.tally import score


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_an_answer_may_be_nested_as_deeply_as_the_limit_and_no_deeper(opened, closed):
    assert parse_json(opened * DEEPEST + "1" + closed * DEEPEST) is not None
    for levels in (DEEPEST + 1, 900, 100_000):
        with pytest.raises(ValueError, match="nested too deeply"):
            parse_json(opened * levels + "1" + closed * levels)


def test_many_brackets_side_by_side_are_not_deep():
    assert len(parse_json(f"[{'[], ' * 10_000}{{}}]")) == 10_001


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_fields_of_the_deepest_answer_are_compared_without_a_traceback(opened, closed):
    answer = f'{{"total": {opened * (DEEPEST - 1)}1{closed * (DEEPEST - 1)}}}'
    texts = TextPairs([answer], [answer])
    capture = Capture(Origin("d", "s"), SegmentKeys(["1"], None, {}), texts, [None])
    names = ["field_f1", "json_validity", "extraction_success"]
    counts = score(normalize(capture, Normalizer("none", ())), get_metrics(names)).counts
    assert counts["field_f1"]["correct"].tolist() == [1]
