import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread import error_counts, resegment
from misread.errors import InputTypeError
from misread.normalize import get_normalizer

WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=8).map(" ".join)


@given(st.lists(WORDS, max_size=5), WORDS)
def test_errors_of_the_segments_add_up_to_those_of_the_document(references, hypothesis):
    cut = resegment(references, hypothesis)
    assert len(cut) == len(references)
    whole = error_counts(" ".join(references), hypothesis if references else "", unit="word").errors.sum()
    assert error_counts(references, cut, unit="word").errors.sum() == whole
    assert " ".join(" ".join(cut).split()) == (hypothesis if references else "")


@given(st.lists(WORDS, max_size=5))
def test_a_text_without_error_is_cut_at_the_very_boundaries(references):
    assert resegment(references, "\n".join(references)) == references


@pytest.mark.parametrize(
    ("references", "hypothesis", "expected"),
    [
        (["a b", "c d"], "x a b y c d z", ["x a b y", "c d z"]),
        (["", "a"], "x a", ["x", "a"]),
        (["a", "", "b"], "a b", ["a", "", "b"]),
        (["a b", "c"], "", ["", ""]),
        (["", ""], "x y", ["x y", ""]),
        ([], "x", []),
    ],
)
def test_words_that_were_inserted_belong_to_the_earlier_segment(references, hypothesis, expected):
    assert resegment(references, hypothesis) == expected


def test_words_are_compared_by_a_key_and_kept_as_they_are():
    references, hypothesis = ["It is", "a dog", "- no"], "IT IS A , DOG NO"
    key = get_normalizer("lower")
    assert resegment(references, hypothesis, key=key) == ["IT IS", "A , DOG", "NO"]
    assert resegment(["a b"], "a ! b", key=lambda word: word.strip("!")) == ["a ! b"]


SPOKEN = st.lists(
    st.sampled_from(
        ["I", "I'm", "am", "I am", "non-diarized", "non", "diarized", "twenty", "five", "25", "won't", "-", "uh"]
    ),
    max_size=7,
).map(" ".join)


@pytest.mark.parametrize("name", ["none", "lower", "basic", "english", "ocr"])
@given(references=st.lists(SPOKEN, max_size=4), hypothesis=SPOKEN)
def test_normalized_errors_of_the_segments_add_up_to_those_of_the_whole_normalized_text(name, references, hypothesis):
    normalizer = get_normalizer(name)
    normalized = [normalizer(text) for text in references]
    cut = [normalizer(text) for text in resegment(references, hypothesis, key=normalizer)]
    whole = error_counts(" ".join(normalized), normalizer(hypothesis) if references else "", unit="word").errors.sum()
    assert error_counts(normalized, cut, unit="word").errors.sum() == whole


def test_a_word_that_becomes_two_is_cut_between_them():
    cut = resegment(["And here I", "am working"], "And here I'm working", key=get_normalizer("english"))
    assert cut == ["And here i", "am working"]


def test_what_is_not_a_text_is_named():
    with pytest.raises(InputTypeError, match="hypothesis"):
        resegment(["a"], ["a"])
    with pytest.raises(InputTypeError, match="references"):
        resegment("a", "a")
