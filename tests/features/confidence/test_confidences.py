"""Words by bins of confidence, counted by hand."""

import numpy as np

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.features.confidence import Calibration
from misread.features.confidence.confidences import sort_into_bins
from misread.normalize import get_normalizer, normalize
from misread.tally import ScoredSystem


def scored(metrics):
    texts = TextPairs(["a b c"], ["a x c"])
    confidences = {"confidence": [[0.95, 0.15, 0.85]]}
    capture = Capture(Origin("d", "a"), SegmentKeys(["1"], None, {}), texts, [None], annotations=confidences)
    return ScoredSystem(normalize(capture, get_normalizer("none")), metrics)


def test_words_correct_ones_and_confidences_are_summed_by_bin():
    found = sort_into_bins(scored([]))
    assert found.words.tolist() == [[0, 1, 0, 0, 0, 0, 0, 0, 1, 1]]
    assert found.correct.tolist() == [[0, 0, 0, 0, 0, 0, 0, 0, 1, 1]]
    assert np.allclose(found.confidence, [[0, 0.15, 0, 0, 0, 0, 0, 0, 0.85, 0.95]])


def test_bins_are_those_of_the_first_calibration_error():
    metrics = [Calibration("b", "brier", bins=3), Calibration("e", "expected_error", bins=4)]
    assert sort_into_bins(scored(metrics)).words.tolist() == [[1, 0, 0, 2]]
