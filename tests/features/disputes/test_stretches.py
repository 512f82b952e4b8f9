"""Disputed stretches."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import misread
from misread.errors import TooDifferentError
from misread.features.disputes import stretches as module
from misread.features.disputes.stretches import find_disputed

TEXTS = st.text(alphabet="ab é\u0301", max_size=12)
READINGS = st.integers(2, 4).flatmap(lambda number: st.lists(TEXTS, min_size=number, max_size=number))


def split(texts, context):
    """Disputed stretches of one segment, with what each system has in them."""
    systems = [[text] for text in texts]
    (stretches,) = find_disputed(systems, context)
    return systems, stretches


@pytest.mark.parametrize(
    ("texts", "context", "readings"),
    [
        (("brown fox", "brovn fox"), 0, [("w", "v")]),
        (("brown fox", "brovn fox"), 1, [("own", "ovn")]),
        (("brown fox", "brovn fax"), 4, [("brown fox", "brovn fax")]),
        # What one has and the other lacks is shown with a character that both have.
        (("abcd", "abXcd"), 0, [("b", "bX")]),
        # A space alone cannot be typed.
        (("to day", "today"), 0, [("o d", "od")]),
        (("one two", "one"), 0, [("e two", "e")]),
        (("same", "same"), 1, []),
        (("", "new"), 1, [("", "new")]),
        # An accent stays with its letter.
        (("cafe\u0301s", "cafes"), 0, [("e\u0301", "e")]),
        (("abc", "axc", "ayc"), 0, [("b", "x", "y")]),
    ],
)
def test_a_stretch_is_what_not_all_have_with_context(texts, context, readings):
    systems, stretches = split(texts, context)
    assert [stretch.readings(systems) for stretch in stretches] == readings


@given(READINGS, st.integers(0, 3))
def test_outside_of_stretches_all_systems_have_the_same(texts, context):
    _, stretches = split(texts, context)
    for start, end in zip([None, *stretches], [*stretches, None], strict=True):
        between = {
            text[start.ends[system] if start else 0 : end.starts[system] if end else len(text)]
            for system, text in enumerate(texts)
        }
        assert len(between) == 1
    assert bool(stretches) == (len({*texts}) > 1)


@given(READINGS, st.integers(0, 3))
def test_no_reading_ends_in_white_space_or_is_blank_unless_the_segment_does(texts, context):
    systems, stretches = split(texts, context)
    for stretch in stretches:
        for reading, start, end, text in zip(
            stretch.readings(systems), stretch.starts, stretch.ends, texts, strict=True
        ):
            if start > 0:
                assert reading
                assert not reading[0].isspace()
                assert not unicodedata.combining(reading[0])
            if end < len(text):
                assert reading
                assert not reading[-1].isspace()
                assert not unicodedata.combining(text[end])


def test_texts_that_cannot_be_aligned_are_named_by_their_segment(monkeypatch):
    def refuse(*arguments, **options):
        raise TooDifferentError(1, (5, 6), 7)

    monkeypatch.setattr(module, "paired_operations", refuse)
    disputes = misread.dispute({"a": ["x", "same", "y"], "b": ["X", "same", "Y"]}, seed=1, ids=["l1", "l2", "l3"])
    with pytest.raises(TooDifferentError, match=r"^l3: texts of 5 and 6 units"):
        len(disputes)


@given(st.lists(st.text(alphabet="ab \n", max_size=70), min_size=1, max_size=12), st.text(alphabet="xy", max_size=2))
def test_around_a_span_is_the_text_that_all_have_with_an_ellipsis_for_every_other_span(pieces, added):
    """The whole text around each span is made, and cut to the 30 characters next to it."""
    pivot, other = "x".join(pieces), ("x" + added + "y").join(pieces)
    if pivot == other:
        return
    disputes = misread.dispute({"a": [pivot], "b": [other]}, seed=1, context=0)
    text = disputes.texts[0][0]
    (stretches,) = disputes.disputed
    shown, start = [], 0
    for stretch in stretches:
        shown.append(text[start : stretch.starts[0]])
        start = stretch.ends[0]
    shown.append(text[start:])
    for place, span in enumerate(disputes.spans):
        assert span.before == "…".join(shown[: place + 1])[-30:]
        assert span.after == "…".join(shown[place + 1 :])[:30]


@pytest.mark.parametrize("texts", [("a" + " " * 300_000 + "b", "a" + " " * 300_000), ("a", "a" + " " * 300_000 + "b")])
def test_a_long_blank_is_gone_through_once(texts):
    """The reading grows by as much, which took a copy for each of its characters."""
    _, (stretch,) = split(texts, 0)
    assert set(stretch.starts) == {0}
