"""What is known of a metric without knowing which it is."""

import math

import numpy as np
import pytest

from misread.metrics import METRICS, ScoredText, score_range
from misread.metrics.base import divide

WORST = ScoredText(["ab c"], ["x y z w v u t s r q p o"])
BEST = ScoredText(["ab c"], ["ab c"])


# Others need a schema or fields, and count in the same way.
READY = [metric for name, metric in METRICS.items() if not name.endswith(("_compliance", "_completeness"))]


@pytest.mark.parametrize("metric", READY, ids=lambda metric: metric.id)
@pytest.mark.parametrize("texts", [WORST, BEST], ids=["worst", "best"])
def test_scores_lie_in_the_range_that_the_metric_names(metric, texts):
    lowest, highest = score_range(metric)
    score = float(metric.rate(metric.count(texts).sum(axis=0)))
    assert math.isnan(score) or lowest <= score <= highest


def test_rates_with_insertions_have_no_highest_value():
    for name in ("cer", "wer", "bag_of_words_error"):
        metric = METRICS[name]
        assert float(metric.rate(metric.count(WORST).sum(axis=0))) > 1
        assert score_range(metric) == (0.0, np.inf)


def test_a_metric_that_names_no_range_has_one_by_its_kind():
    assert score_range(METRICS["token_f1"]) == (0.0, 1.0)
    assert score_range(METRICS["chars_per_token"]) == (0.0, np.inf)


def test_a_quotient_by_zero_is_what_is_asked_for():
    assert divide(np.array([1, 2]), np.array([4, 0]), undefined=0.0).tolist() == [0.25, 0.0]
    assert math.isnan(divide(np.array(2), np.array(0), undefined=math.nan))
