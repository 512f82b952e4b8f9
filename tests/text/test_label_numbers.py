import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from misread.text import arrow
from misread.text.arrow import ArrowTexts
from misread.text.label_numbers import number_labels

LABELS = st.lists(st.text(st.characters(codec="utf-8"), max_size=3), max_size=30)


@given(LABELS)
def test_labels_are_numbered_in_the_order_of_their_characters(labels):
    names, numbers = number_labels(labels)
    assert names == sorted({*labels})
    assert [names[number] for number in numbers] == labels


@given(LABELS)
def test_labels_in_arrow_buffers_have_the_same_numbers(labels):
    names, numbers = number_labels(labels)
    of_arrow = number_labels(ArrowTexts.of(pa.array(labels, pa.large_string())))
    assert (of_arrow[0], of_arrow[1].tolist()) == (names, numbers.tolist())


@given(LABELS)
def test_texts_ascend_as_python_sorts_them(labels):
    texts = ArrowTexts.of(pa.array(labels, pa.large_string()))
    assert [labels[row] for row in texts.ascending()] == sorted(labels)


def test_of_very_many_texts_no_string_is_kept(monkeypatch):
    monkeypatch.setattr(arrow, "_KEPT", 3)
    monkeypatch.setattr(arrow, "_AT_A_TIME", 2)
    labels = ["d", "a", "c", "b", "é"]
    texts = ArrowTexts.of(pa.array(labels, pa.large_string()))
    assert (list(texts), texts[-1], texts[1:3] == ["a", "c"], "é" in texts, "x" in texts) == (
        labels,
        "é",
        True,
        True,
        False,
    )
    assert "_strings" not in vars(texts)
