"""Segments and clusters that are read worst, by pandas and the rate of each text alone."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import misread
from misread.errors import MisreadError
from misread.sockets import get_view

WORDS = st.text("abc", min_size=1, max_size=6)


@settings(max_examples=40)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS, st.sampled_from("pq")), min_size=2, max_size=8), st.booleans())
def test_segments_and_clusters_come_by_the_mean_of_the_rates_of_all_systems(rows, by_cluster):
    frame = pd.DataFrame(rows, columns=["text", "a", "b", "cluster"])
    result = misread.evaluate(
        [*frame.text], {"a": [*frame.a], "b": [*frame.b]}, clusters=[*frame.cluster], metrics=["cer"], seed=1
    )
    labels = frame.cluster if by_cluster else (frame.index + 1).astype(str)
    expected = {
        str(label): [misread.cer([*part.text], [*part[system]]) for system in "ab"]
        for label, part in frame.groupby(labels)
    }
    view = result.view("worst(by=cluster)" if by_cluster else "worst").set_index("cluster" if by_cluster else "segment")
    assert {label: [row.rate_a, row.rate_b] for label, row in view.iterrows()} == {
        label: pytest.approx(rates) for label, rates in expected.items()
    }
    means = view[["rate_a", "rate_b"]].mean(axis=1)
    assert means.is_monotonic_decreasing
    assert view.length.sum() == frame.text.str.len().sum()


def test_of_a_metric_where_more_is_better_the_lowest_comes_first():
    result = misread.evaluate(
        ["a b", "a b", "a b"], {"x": ["a b", "c d", "a d"]}, metrics=["cer", "word_accuracy"], seed=1
    )
    assert [*result.view("worst(metric=word_accuracy,most=1)").segment] == ["2", "3", "1"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("worst(by=page)", "There are: cluster, segment"), ("worst(most=0)", "worst.most is 0, expected 1 or more")],
)
def test_a_setting_that_cannot_be_says_what_can(name, said):
    with pytest.raises(MisreadError, match=said):
        get_view(name)


def test_without_clusters_there_is_no_table_of_them():
    result = misread.evaluate(["a", "b"], {"x": ["a", "c"]}, metrics=["cer"], seed=1)
    assert result.view("worst(by=cluster)").empty
    with pytest.raises(MisreadError, match="There are: cer"):
        result.view("worst(metric=wer)")
