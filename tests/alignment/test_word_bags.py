from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import PairedTexts, word_bags
from misread.errors import InputTypeError
from misread.text.words import split_words

texts = st.lists(
    st.sampled_from(
        ["a", "b", "a\0", " ", "\u3000", "é", "漢", "nine.letters", "nine.lettres", "😀", "seventeen.letters"]
    ),
    max_size=40,
).map("".join)


def expected(reference, hypothesis):
    one, other = split_words(reference), split_words(hypothesis)
    shared = sum((Counter(one) & Counter(other)).values())
    equal = sum(word == found for word, found in zip(one, other, strict=False))
    return [shared, len(one), len(other), len({*one} & {*other}), len({*one}), len({*other}), equal]


@given(st.lists(st.tuples(texts, texts), max_size=6))
def test_words_are_counted_as_multisets_as_sets_and_by_position(pairs):
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert word_bags(PairedTexts(references, hypotheses)).tolist() == [expected(*pair) for pair in pairs]


@pytest.mark.parametrize("words", [(63, 70), (65, 3), (3, 65), (500, 400)])
def test_words_of_long_texts_are_counted_by_hash_tables(words):
    sides = [
        " ".join(f"word-{number * step % 97}" for number in range(length))
        for length, step in zip(words, (3, 5), strict=True)
    ]
    assert word_bags(PairedTexts(*([side] for side in sides))).tolist() == [expected(*sides)]


def test_the_same_counts_on_one_thread_and_on_three(use_threads):
    sides = [
        [" ".join("abc"[(row * place + side) % 3] for place in range(row % 9)) for row in range(200)] for side in (1, 2)
    ]
    found = []
    for threads in (1, 3):
        use_threads(threads)
        found.append(word_bags(PairedTexts(*sides)).tolist())
    assert found[0] == found[1] == [expected(*pair) for pair in zip(*sides, strict=True)]


def test_an_entry_that_is_no_string_is_named():
    with pytest.raises(InputTypeError, match="hypothesis 1 is None"):
        word_bags(PairedTexts(["a", "b"], ["a", None]))
