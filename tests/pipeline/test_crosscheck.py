from dataclasses import replace

import numpy as np
import pytest

from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.errors import ConfigurationError, CrossCheckError
from misread.metrics import ErrorRate
from misread.normalize import get_normalizer, normalize
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline.crosscheck import CrossCheckSettings, cross_check
from misread.sockets import METRICS, get_metrics
from misread.tally import score
from misread.tally.scores import Counts

PAIRS = [
    ("Depruneaux, imprimeur sur étoffes", "Lepruneaux, imprimeur sur élo/fes"),
    ("", "a b"),
    ("one\u2003two  three", "one two thre"),
    ("a b c", ""),
    ("", ""),
    ("e\u0301", "é"),
    ("ab" * 40, "ba" * 40),
    ("  a ", "a"),
]


@pytest.fixture
def texts():
    references, hypotheses = zip(*PAIRS, strict=True)
    keys = SegmentKeys([f"s{row}" for row in range(len(PAIRS))], None, {})
    capture = Capture(Origin("d", "s"), keys, TextPairs(references, hypotheses), [None] * len(PAIRS))
    return normalize(capture, get_normalizer("whitespace"))


SCORED = get_metrics(["cer", "wer", "cer_raw", "wer_raw"])


def scored(texts, metrics=SCORED):
    return score(texts, metrics)


def falsified(scores, metric, row, column):
    counts = Counts(METRICS[metric].columns, scores.counts[metric].values.copy())
    counts[column][row] += 1
    return replace(scores, counts={**scores.counts, metric: counts})


def test_true_counts_pass(texts):
    assert cross_check(scored(texts), texts, SCORED, CrossCheckSettings(50)) == len(PAIRS)


@pytest.mark.parametrize("metric", ["cer", "wer", "cer_raw", "wer_raw"])
@pytest.mark.parametrize("column", ["hits", "substitutions", "deletions", "insertions"])
def test_a_false_count_names_the_segment_and_the_metric(texts, metric, column):
    scores = falsified(scored(texts), metric, 2, column)
    with pytest.raises(CrossCheckError, match=rf"segment 's2': {metric} counted .* jiwer counts"):
        cross_check(scores, texts, SCORED, CrossCheckSettings(50))


def test_of_a_system_that_was_left_out_there_is_nothing_to_check():
    origin = Origin("d", "s", not_applicable="nothing answers at http://127.0.0.1:9")
    left_out = normalize(
        Capture(origin, SegmentKeys([], None, {}), TextPairs([], []), []), get_normalizer("whitespace")
    )
    assert cross_check(scored(left_out), left_out, SCORED, CrossCheckSettings(50)) == 0


def test_the_sample_is_as_large_as_asked(texts):
    assert cross_check(scored(texts), texts, get_metrics(["cer"]), CrossCheckSettings(3)) == 3


def test_the_sample_holds_the_first_and_the_last_segment(texts):
    for row in (0, len(PAIRS) - 1):
        with pytest.raises(CrossCheckError):
            cross_check(
                falsified(scored(texts), "cer", row, "hits"), texts, get_metrics(["cer"]), CrossCheckSettings(2)
            )


def test_a_size_of_none_switches_the_check_off(texts):
    false = falsified(scored(texts), "cer", 0, "hits")
    assert cross_check(false, texts, get_metrics(["cer"]), CrossCheckSettings(0)) == 0


def test_a_negative_size_is_refused():
    with pytest.raises(ConfigurationError, match=r"crosscheck\.segments is -1"):
        CrossCheckSettings(-1)


def test_segments_that_a_policy_left_out_do_not_shift_the_check(texts):
    hypotheses = [None, *[hypothesis for _, hypothesis in PAIRS[1:]]]
    pairs = TextPairs(texts.raw.references, hypotheses)
    gap = replace(texts, raw=pairs, normalized=get_normalizer("whitespace").apply(pairs), normalized_lines=pairs)
    metrics = get_metrics(["cer", "wer_raw"])
    assert cross_check(score(gap, metrics, missing="drop"), gap, metrics, CrossCheckSettings(50)) == len(PAIRS) - 1


def test_a_missing_hypothesis_that_counts_as_empty_passes(texts):
    pairs = TextPairs(["ab", "cd"], [None, "cd"])
    keys = SegmentKeys(["a", "b"], None, {})
    gap = replace(texts, segments=keys, raw=pairs, normalized=pairs, normalized_lines=pairs, reasons=["broken", None])
    metrics = get_metrics(["cer"])
    assert cross_check(score(gap, metrics, missing="empty"), gap, metrics, CrossCheckSettings(50)) == 2


def test_random_text_passes(texts):
    rng = np.random.default_rng(3)
    sides = [["".join(rng.choice(list("ab c"), size=rng.integers(0, 12))) for _ in range(200)] for _ in range(2)]
    pairs = TextPairs(*sides)
    keys = SegmentKeys([str(row) for row in range(200)], None, {})
    many = replace(
        texts, segments=keys, raw=pairs, normalized=get_normalizer("whitespace").apply(pairs), normalized_lines=pairs
    )
    many = replace(many, reasons=[None] * 200)
    assert cross_check(scored(many), many, SCORED, CrossCheckSettings(200)) == 200


TEXTS = TextPairs(["aaabb", "hello world", "M\u00fcll"], ["bbcca", "helo wrold", "Mu\u0308ll"])
SEGMENTS = NormalizedTexts(
    Origin("lines", "ours"),
    SegmentKeys(["1", "2", "3"], None, {}),
    raw=TEXTS,
    normalized=TEXTS,
    normalized_lines=TEXTS,
    reasons=[None] * 3,
    normalizer="none",
)


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_jiwer_is_asked_about_nothing_that_it_counts_otherwise(unit, alignment):
    metrics = [ErrorRate("some", unit, alignment=alignment)]
    assert cross_check(score(SEGMENTS, metrics), SEGMENTS, metrics, CrossCheckSettings(3)) == 3


def test_counts_that_jiwer_does_not_share_are_an_error_that_names_the_segment():
    metric = ErrorRate("some", "char")
    scores = score(SEGMENTS, [metric])
    scores.counts["some"]["hits"][1] += 1
    with pytest.raises(CrossCheckError, match="segment '2': some counted"):
        cross_check(scores, SEGMENTS, [metric], CrossCheckSettings(3))
