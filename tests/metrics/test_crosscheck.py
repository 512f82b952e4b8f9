import pytest

from misread.errors import CrossCheckError
from misread.metrics import CrossCheck, ErrorRate, crosscheck, score
from misread.records import NormalizedTexts, Origin, SegmentKeys, TextPairs

TEXTS = TextPairs(["aaabb", "hello world", "M\u00fcll"], ["bbcca", "helo wrold", "Mu\u0308ll"])
SEGMENTS = NormalizedTexts(
    Origin("lines", "ours"), SegmentKeys(["1", "2", "3"], None, {}), TEXTS, TEXTS, [None] * 3, "none"
)


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_jiwer_is_asked_about_nothing_that_it_counts_otherwise(unit, alignment):
    metrics = [ErrorRate("some", unit, alignment=alignment)]
    assert crosscheck(score(SEGMENTS, metrics), SEGMENTS, metrics, CrossCheck(3)) == 3


def test_counts_that_jiwer_does_not_share_are_an_error_that_names_the_segment():
    metric = ErrorRate("some", "char")
    scores = score(SEGMENTS, [metric])
    scores.counts["some"][1] += 1
    with pytest.raises(CrossCheckError, match="segment '2': some counted"):
        crosscheck(scores, SEGMENTS, [metric], CrossCheck(3))
