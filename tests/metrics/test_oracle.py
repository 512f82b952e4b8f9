import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import cer
from misread.data import from_columns, with_annotations
from misread.errors import ConfigurationError, InputValueError
from misread.evaluation import evaluate_table
from misread.metrics import OracleErrorRate, ScoredText
from misread.sockets import METRICS

TEXTS = st.text("ab ", max_size=6)


def texts(reference, *lists):
    return ScoredText([reference] * len(lists), [""] * len(lists), annotations={"nbest": list(lists)})


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4))
def test_the_best_of_a_list_has_the_fewest_errors(reference, listed):
    (counts,) = METRICS["oracle_cer"].count(texts(reference, listed))
    assert counts[0] == min(cer(reference, text) * max(1, len(reference)) for text in listed)


def test_a_depth_looks_at_the_first_ones_only():
    listed = ["a x", "a b", "c"]
    for depth, errors in ((1, 1), (2, 0), (3, 0), (9, 0)):
        assert OracleErrorRate("o", "word", depth).count(texts("a b", listed))[0, 0] == errors


def test_it_says_how_often_the_first_is_the_best():
    counts = METRICS["oracle_wer"].count(texts("a b", ["a b", "c"], ["c", "a b"], ["a c", "a d"]))
    assert counts[:, -1].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("value", "message"), [([], "an empty n-best list"), (None, "no n-best list"), ("a", "'a' as its n-best list")]
)
def test_an_empty_list_or_none_is_refused_by_name(value, message):
    with pytest.raises(InputValueError, match=f"segment 2 has {message}"):
        METRICS["oracle_wer"].count(texts("a", ["a"], value))


def test_lists_are_normalized_as_hypotheses_are():
    table = with_annotations(from_columns(["a"], {"s": ["x"]}), {"nbest": {"s": [["X", "A"]]}})
    made = evaluate_table(table, metrics="oracle_wer", normalizer="lower", seed=1)
    assert made.systems["s"]["oracle_wer"].counts["errors"] == 0


def test_a_depth_below_1_is_refused():
    with pytest.raises(ConfigurationError, match="depth of o is 0, expected 1 or more"):
        OracleErrorRate("o", "word", 0)


def test_without_segments_nothing_is_counted():
    counts = METRICS["oracle_wer"].count(ScoredText([], [], annotations={"nbest": []}))
    assert counts.shape == (0, 7)
