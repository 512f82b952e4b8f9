"""Scores of confidences, compared with NIST's figures and with formulas written out."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import data as datasets
from misread import evaluate
from misread.data import from_columns, with_annotations
from misread.errors import ConfigurationError, InputValueError, LengthMismatchError, UndefinedResultError
from misread.evaluation import evaluate_table
from misread.features.confidence import Calibration, ReviewShare, confidence_scores
from misread.features.confidence.confidences import review
from misread.features.confidence.metric import _of_reading
from misread.metrics import ScoredText
from misread.normalize import get_normalizer, normalize
from misread.sockets import METRICS
from misread.tally import ScoredSystem
from misread.text.alternatives import parse_alternatives

SCORES = {"nce": "normalized_cross_entropy", "brier": "brier", "ece": "expected_error", "mce": "maximum_error"}
WORDS = st.lists(st.tuples(st.integers(0, 100).map(lambda percent: percent / 100), st.booleans()), min_size=1)


def text_of(confidences, reference="a b c", hypothesis="a x c"):
    return ScoredText([reference], [hypothesis], annotations={"confidence": [confidences]})


@pytest.fixture
def published(shared_data):
    folder = shared_data / "confidence"
    table = datasets.read_segment_files(folder / "lvc_ref.stm", {"a": folder / "lvc_hypc.ctm"}, "stm", "ctm")
    metrics = [Calibration(name, score, alignment="sclite") for name, score in SCORES.items()]
    metrics.append(ReviewShare("review", 0.1, alignment="sclite"))
    return ScoredSystem(normalize(table.captures()["a"], get_normalizer("lower")), metrics)


@pytest.mark.slow
def test_cross_entropy_by_speaker_and_in_all_is_that_of_nist_and_other_scores_are_those_known(published):
    metric, counts = published.metrics[0], published.scores.counts["nce"]
    speakers = np.array(published.scores.segments.cluster)
    by_speaker = [metric.rate(counts.values[speakers == each].sum(axis=0)) for each in np.unique(speakers)]
    assert [f"{value:.3f}" for value in by_speaker] == ["0.256", "0.174", "0.145", "0.197"]
    assert counts.total[:2].tolist() == [1724, 1013]
    rates = {metric.id: metric.rate(published.scores.counts[metric.id].total) for metric in published.metrics}
    assert f"{rates['nce']:.3f} {rates['brier']:.4f} {rates['ece']:.4f}" == "0.205 0.1793 0.0588"
    assert rates["ece"] < rates["mce"] < 1
    # The view knows every confidence, the metric levels of a hundredth: as these confidences have.
    assert rates["review"] == pytest.approx(review(published).share_for(0.1))


@given(WORDS)
def test_scores_are_their_formulas(words):
    scores = confidence_scores(*zip(*words, strict=True))
    n, right = len(words), sum(outcome for _, outcome in words)
    assert scores.brier == pytest.approx(sum((value - outcome) ** 2 for value, outcome in words) / n, abs=1e-8)
    gaps = []
    for place in range(10):
        inside = [
            (value, is_right) for value, is_right in words if max(0, math.ceil(round(10 * value, 6)) - 1) == place
        ]
        gaps.append((abs(sum(value for value, _ in inside) - sum(outcome for _, outcome in inside)), len(inside)))
    assert scores.expected_error == pytest.approx(sum(gap for gap, _ in gaps) / n, abs=1e-8)
    assert scores.maximum_error == pytest.approx(max(gap / size for gap, size in gaps if size), abs=1e-8)
    if right in (0, n):
        assert scores.normalized_cross_entropy is None
        return
    share = right / n
    entropy = -n * (share * math.log2(share) + (1 - share) * math.log2(1 - share))
    limited = [(min(max(value, 1e-7), 1 - 1e-7), outcome) for value, outcome in words]
    likelihood = sum(math.log2(value if outcome else 1 - value) for value, outcome in limited)
    assert scores.normalized_cross_entropy == pytest.approx((entropy + likelihood) / entropy, abs=1e-6)


@pytest.mark.parametrize(("hypotheses", "confidences"), [(["x"], [[0]]), (["x"], [[1]]), (["a", "x"], [[1], [0]])])
def test_cross_entropy_says_why_there_is_none(hypotheses, confidences):
    """Of both texts there is one, and an interval there is for neither."""
    references = ["a", "b"][: len(hypotheses)]
    table = with_annotations(from_columns(references, {"s": hypotheses}), {"confidence": {"s": confidences}})
    result = evaluate_table(table, metrics="normalized_cross_entropy", seed=1)
    (reason,) = [of for of in result.warnings if of.startswith("normalized_cross_entropy: no interval.")]
    assert reason.endswith("all words are right, or all wrong.")


def test_one_number_holds_for_all_words():
    metric = METRICS["brier_score"]
    np.testing.assert_array_equal(metric.count(text_of(0.5)), metric.count(text_of([0.5, 0.5, 0.5])))


@pytest.mark.parametrize(
    ("confidences", "message"),
    [
        (None, "segment 1 has no confidences, expected one for each of its 3 words"),
        ([1.0, None, 1.0], "segment 1: the confidence of word 2 is missing"),
        ([0.5, 0.5], "2 confidences for the 3 words of its normalized hypothesis"),
        *(
            ([0.0, 1.0, wrong], "segment 1: the confidence of word 3 is .*, expected a number from 0 to 1")
            for wrong in (1.01, -0.01, float("nan"), "0.5", True, 1e308, 10**400, -(10**400))
        ),
        *((wrong, "segment 1: the confidence of word 1 is .*, expected") for wrong in (10**400, 2**63, float("inf"))),
    ],
)
def test_words_without_a_confidence_from_0_to_1_are_refused_by_name(confidences, message):
    for metric in ("brier_score", "expected_calibration_error"):
        with pytest.raises(InputValueError, match=message):
            METRICS[metric].count(text_of(confidences))
    assert METRICS["brier_score"].count(text_of(None, "a", "")).tolist() == [[0, 0]]


def test_confidences_follow_words_that_a_normalizer_takes_apart_or_away():
    table = from_columns(["it is two to three", "so"], {"a": ["um it's two-to three", "so"]})
    table = with_annotations(table, {"confidence": {"a": [[0.1, 0.2, 0.3, 0.4], [1.0]]}})
    made = evaluate_table(table, metrics="brier_score", normalizer="english", seed=1)
    values = made.scored["a"].texts.annotations["confidence"][0]
    assert len(values) == len(made.scored["a"].texts.normalized.hypotheses[0].split())


def test_without_the_annotation_the_metric_says_how_to_give_it():
    with pytest.raises(ConfigurationError, match=r"brier_score needs the annotation 'confidence'.*annotations"):
        evaluate(["a"], {"a": ["a"]}, metrics="brier_score", seed=1)


def test_the_least_sure_words_are_checked_first():
    reference = " ".join("abcdefghij")
    hypothesis = " ".join("xbcdeyghij")
    confidences = [0.05, 0.9, 0.15, 0.9, 0.9, 0.35, 0.9, 0.9, 0.9, 0.25]
    for target, share in ((0.2, 0.0), (0.1, 0.1), (0.05, 0.4), (0.0, 0.4)):
        metric = ReviewShare("review", target)
        counts = metric.count(text_of(confidences, reference, hypothesis))
        assert metric.rate(counts.sum(axis=0)) == share, target


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(ConfigurationError, match="target of x is 1, expected a share from 0 to below 1"):
        ReviewShare("x", 1)
    with pytest.raises(ConfigurationError, match="bins of x is 0, expected 1 or more"):
        Calibration("x", "brier", 0)


def test_lists_that_do_not_fit_are_refused():
    with pytest.raises(LengthMismatchError, match="1 confidences and 2 outcomes"):
        confidence_scores([0.5], [True, False])
    with pytest.raises(InputValueError, match=r"confidences\[1\] is 2, expected"):
        confidence_scores([0.5, 2], [True, False])
    with pytest.raises(UndefinedResultError, match="no word"):
        confidence_scores([], [])


def test_views_and_intervals_are_by_cluster():
    texts = [f"a{number} b c" for number in range(12)]
    wrong = [text.replace("b", "x") if number % 3 else text for number, text in enumerate(texts)]
    table = from_columns(texts, {"a": wrong}, clusters=[number // 2 for number in range(12)])
    made = evaluate_table(
        with_annotations(table, {"confidence": {"a": [[0.95, 0.4, 0.85]] * 12}}),
        metrics=["expected_calibration_error", "normalized_cross_entropy", "review_share"],
        seed=1,
        statistics={"resamples": 99},
    )
    bins = made.view("reliability")
    assert bins[["from", "words", "right"]].round(3).values.tolist() == [[0.3, 12, 0.333], [0.8, 12, 1], [0.9, 12, 1]]
    assert bins["low"][0] < 1 / 3 < bins["high"][0]
    assert made.view("review")["to_check"].iloc[-1] == pytest.approx(1 / 3)
    assert made.systems["a"]["normalized_cross_entropy"].interval.high <= 1
    assert made.systems["a"]["review_share"].rate == pytest.approx(1 / 3)


def test_a_segment_is_exact_by_cross_entropy_where_all_is_right_and_nothing_in_doubt():
    metric = Calibration("nce", "normalized_cross_entropy")
    sure, doubtful, wrong = (
        metric.count(text_of([confidence] * 3, hypothesis=hypothesis))[0]
        for confidence, hypothesis in ((1.0, "a b c"), (0.5, "a b c"), (1.0, "a x c"))
    )
    assert metric.is_exact(np.stack([sure, doubtful, wrong])).tolist() == [True, False, False]


def test_confidences_follow_the_words_that_were_read_of_alternatives():
    items = parse_alternatives("a {b / c d} e")
    values = [0.1, [[0.2], [0.3, 0.4]], 0.5]
    assert _of_reading(values, items, ["a", "b", "e"]) == [0.1, 0.2, 0.5]
    assert _of_reading(values, items, ["a", "c", "d", "e"]) == [0.1, 0.3, 0.4, 0.5]
    assert _of_reading(values, items, ["a", "x", "e"]) == values
