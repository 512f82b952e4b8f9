from dataclasses import astuple

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from misread.alignment import PairedTexts, paired_error_counts
from misread.text import lazy_texts
from misread.text.arrow import ArrowTexts
from misread.text.lazy_texts import ClosedLines, DeferredTexts, JoinedTexts, close_lines


def test_texts_are_made_once_and_only_when_one_is_looked_at():
    made = []
    texts = DeferredTexts(2, lambda: made.append("once") or ["one", "two"])
    assert (len(texts), made) == (2, [])
    assert (texts[1], list(texts[:1]), list(texts)) == ("two", ["one"], ["one", "two"])
    assert made == ["once"]


def test_each_text_has_a_line_feed_after_it():
    texts = ArrowTexts(pa.array(["one", "", "zwei Wörter"]), "references")
    closed = ClosedLines(texts)
    assert list(closed) == ["one\n", "\n", "zwei Wörter\n"]
    assert closed.texts is texts
    assert pa.array(closed, pa.string()).to_pylist() == list(closed)


def test_a_missing_text_stays_missing():
    assert close_lines(pa.array(["a", None])).to_pylist() == ["a\n", None]


TEXTS = st.lists(st.text("ab \0é\u0431\U0001f600", max_size=5), max_size=9)


def joined(texts):
    return JoinedTexts("".join(text + "|" for text in texts), "|")


@pytest.fixture(params=[9, 2])
def kept(request, monkeypatch):
    """Texts up to which their strings stay in memory; of more, two are made at a time."""
    monkeypatch.setattr(lazy_texts, "KEPT", request.param)
    monkeypatch.setattr(lazy_texts, "AT_A_TIME", 2)


@pytest.mark.usefixtures("kept")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.slices(9), st.sampled_from(["", "\0", " - "]), st.lists(st.integers(0, 8)))
def test_it_is_a_sequence_of_its_texts(texts, part, separator, rows):
    made = joined(texts)
    assert [*made] == texts
    assert made == texts
    assert made == joined(texts)
    assert made != [*texts, "a"]
    assert made != joined([*texts[1:], "c"])
    assert [text in made for text in ("a", "", None)] == [text in texts for text in ("a", "", None)]
    assert made.lengths.tolist() == [*map(len, texts)]
    rows = [row for row in rows if row < len(texts)]
    assert made.take(np.array(rows, np.int64)) == [texts[row] for row in rows]
    assert made.take(range(len(texts))[:3]) == texts[:3]
    assert [made[row] for row in range(-len(texts), len(texts))] == texts * 2
    assert len(made[part]) == len(texts[part])
    assert [*made[part]] == texts[part]
    assert made[part].join(separator) == separator.join(texts[part])


def test_there_is_nothing_after_the_last():
    with pytest.raises(IndexError):
        joined(["a"])[1]


@given(
    st.lists(st.tuples(*[st.text("ab \0é\u0431\U0001f600", max_size=5)] * 2), max_size=9),
    st.sampled_from(["char", "word"]),
)
def test_it_is_aligned_as_a_list(pairs, unit):
    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    expected = paired_error_counts(PairedTexts(*sides), unit=unit)
    found = paired_error_counts(PairedTexts(*map(joined, sides)), unit=unit)
    assert [of.tolist() for of in astuple(found)] == [of.tolist() for of in astuple(expected)]


def test_texts_of_many_batches_are_aligned_as_a_list():
    texts = [f"{row} x" * (row % 3) for row in range(20_000)]
    others = [text.replace("1", "2") for text in texts]
    expected = paired_error_counts(PairedTexts(texts, others))
    assert (paired_error_counts(PairedTexts(joined(texts), joined(others))).errors == expected.errors).all()
