import pytest

from misread.metrics import get_metrics, score
from misread.records import NormalizedTexts, Origin, SegmentKeys, TextPairs
from misread.stats.caveats import warnings_about
from misread.stats.shared_segments import SharedSegments


def composition_warnings(metrics):
    keys = SegmentKeys(["one", "two"], None, {})
    pairs = TextPairs(["Mu\u0308ll", "b"], ["M\u00fcll", "b"])
    texts = NormalizedTexts(Origin("lines", "ours"), keys, pairs, pairs, [None, None], "none")
    scores = score(texts, get_metrics(metrics))
    shared = SharedSegments(keys, {"ours": scores.counts}, None, "", 0)
    return [warning for warning in warnings_about(shared, {}, {"ours": scores}) if "composed" in warning]


@pytest.mark.parametrize(
    ("metrics", "end"),
    [(["cer", "wer"], "they count as errors."), (["cer", "ger"], "they count as errors, but not among graphemes.")],
)
def test_composed_and_decomposed_letters_are_pointed_out(metrics, end):
    [warning] = composition_warnings(metrics)
    assert warning.startswith("ours: 1 segment in which composed and decomposed letters differ")
    assert warning.endswith(end)
