"""What stands for each word of the references, against one alignment at a time."""

from hypothesis import given
from hypothesis import strategies as st

from misread.alignment.operations import find_operations
from misread.features.recitation.read_words import read_words
from misread.text.words import split_words

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "dd"]), max_size=6).map(" ".join)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5)


def read_slowly(reference, hypothesis):
    """Reading, its position and whether nothing was left out or put in beside it, word by word: the oracle."""
    letters = find_operations(reference, hypothesis, unit="word").letters()[0]
    words, position = split_words(hypothesis), 0
    for at, letter in enumerate(letters):
        if letter != "I":
            gaps = set(letters[max(0, at - 1) : at + 2]) & {"I", "D"}
            yield (words[position] if letter != "D" else None), position, not gaps
        position += letter != "D"


@given(PAIRS)
def test_every_word_has_its_reading(texts):
    references, *systems = zip(*texts, strict=True)
    words = read_words(references, dict(enumerate(systems)))
    expected_words = [(row, word) for row, text in enumerate(references) for word in split_words(text)]
    assert words.segments.tolist() == [row for row, _ in expected_words]
    assert [words.vocabulary[number] for number in words.references] == [word for _, word in expected_words]
    for number, system in enumerate(systems):
        expected = [entry for pair in zip(references, system, strict=True) for entry in read_slowly(*pair)]
        readings = [None if code < 0 else words.vocabulary[code] for code in words.readings[number]]
        assert readings == [reading for reading, _, _ in expected]
        assert words.plain[number].tolist() == [plain for _, _, plain in expected]
        for reading, at, (_, position, _) in zip(readings, words.positions[number], expected, strict=True):
            assert reading is None or at == position
