from functools import partial

import jiwer
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import distances, error_counts
from misread.alignment.api import Operation, align
from misread.errors import ConfigurationError, InputTypeError, LengthMismatchError, UnknownNameError
from misread.text.words import split_words

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
WORDS = jiwer.Compose([jiwer.ReduceToListOfListOfWords()])

VOCABULARY = ["the", "The", "naïve", "Müll", "İstanbul", "ırmak", "слово", "λέξη", "کلمه", "शब्द", "言葉", "😀", "a\0b"]

texts = st.text(st.sampled_from("ab \u00a0é漢😀"), max_size=90)


def totals(counts):
    return [int(column.sum()) for column in (counts.hits, counts.substitutions, counts.deletions, counts.insertions)]


def jiwer_totals(output):
    return [output.hits, output.substitutions, output.deletions, output.insertions]


def random_texts(units, joint, seed, number=40):
    """Pairs of 1 to 150 units, half of them related."""
    rng = np.random.default_rng(seed)

    def draw(length):
        return [units[index] for index in rng.integers(len(units), size=length)]

    references, hypotheses = [], []
    for length in rng.integers(1, 151, size=number):
        reference = draw(length)
        dice = zip(reference, draw(length), rng.random(length), strict=True)
        related = [other if die < 0.2 else unit for unit, other, die in dice if die < 0.9]
        references += [joint.join(reference)] * 2
        hypotheses += [joint.join(related), joint.join(draw(rng.integers(1, 151)))]
    return references, hypotheses


def replay(alignment):
    """Hypothesis units that the operations make of the reference, and reference units that they use."""
    made, used = [], []
    for kind, reference_position, hypothesis_position in alignment.operations:
        assert (reference_position, hypothesis_position) == (len(used), len(made))
        if kind == "hit":
            assert alignment.reference[reference_position] == alignment.hypothesis[hypothesis_position]
        if kind == "substitution":
            assert alignment.reference[reference_position] != alignment.hypothesis[hypothesis_position]
        if kind != "insertion":
            used.append(alignment.reference[reference_position])
        if kind != "deletion":
            made.append(alignment.hypothesis[hypothesis_position])
    return tuple(used), tuple(made)


@pytest.mark.parametrize("alphabet", ["a", "ab", "abc ", "éa漢\U00010400\n\u00a0"])
def test_characters_are_counted_as_jiwer_counts_them(alphabet):
    for reference, hypothesis in zip(*random_texts(alphabet, "", seed=1), strict=True):
        output = jiwer.process_characters(reference, hypothesis, CHARACTERS, CHARACTERS)
        assert totals(error_counts(reference, hypothesis)) == jiwer_totals(output)


def test_words_of_all_scripts_are_counted_as_jiwer_counts_them():
    for reference, hypothesis in zip(*random_texts(VOCABULARY, " ", seed=2), strict=True):
        output = jiwer.process_words(reference, hypothesis, WORDS, WORDS)
        assert totals(error_counts(reference, hypothesis, unit="word")) == jiwer_totals(output)


@pytest.mark.parametrize("blank", ["  ", "\n", "\t", "\u00a0", "\u3000", "\r\n"])
def test_any_white_space_separates_words(blank):
    counts = error_counts("one two three", blank.join(["one", "two", "three"]), unit="word")
    assert (totals(counts), counts.reference_length.tolist()) == ([3, 0, 0, 0], [3])


def test_words_that_differ_in_one_character_are_different():
    assert error_counts("straße", "strasse", unit="word").substitutions.tolist() == [1]


@given(texts, texts, st.sampled_from(["char", "word"]))
def test_operations_turn_the_reference_into_the_hypothesis(reference, hypothesis, unit):
    alignment = align(reference, hypothesis, unit=unit)
    assert replay(alignment) == (alignment.reference, alignment.hypothesis)
    split = tuple if unit == "char" else lambda text: tuple(split_words(text))
    assert (alignment.reference, alignment.hypothesis) == (split(reference), split(hypothesis))


def test_operations_have_positions_on_both_sides():
    assert align("abc", "xbcd").operations == (
        Operation("substitution", 0, 0),
        Operation("hit", 1, 1),
        Operation("hit", 2, 2),
        Operation("insertion", 3, 3),
    )


def test_counts_have_one_entry_a_pair():
    counts = error_counts(["abc", "", "x"], ["abd", "y", ""])
    assert len(counts) == 3
    assert counts.errors.tolist() == [1, 1, 1]
    assert counts.reference_length.tolist() == [3, 0, 1]
    assert counts.hypothesis_length.tolist() == [3, 1, 0]
    assert counts.hits.dtype == np.int64


@pytest.mark.parametrize(
    ("references", "hypotheses", "errors"),
    [
        ("kitten", "sitting", [3]),
        ("", "", [0]),
        ([], [], []),
        (("ab", "c"), np.array(["ab", "d"], dtype=object), [0, 1]),
    ],
)
def test_one_text_is_one_pair_and_any_sequence_of_strings_will_do(references, hypotheses, errors):
    assert error_counts(references, hypotheses).errors.tolist() == errors
    assert distances(references, hypotheses).tolist() == errors


def test_the_textbook_example():
    assert totals(error_counts("kitten", "sitting")) == [4, 2, 0, 1]


@pytest.mark.parametrize(
    ("function", "sides", "error", "message"),
    [
        (error_counts, (["a", "b"], ["a"]), LengthMismatchError, "2 references and 1 hypotheses"),
        (error_counts, ("ab", ["a", "b"]), InputTypeError, "is one string and the other side is list"),
        (error_counts, (["a", "b"], "ab"), InputTypeError, "is one string and the other side is list"),
        (error_counts, (["a"], None), InputTypeError, "hypotheses is None"),
        (partial(align, unit="line"), ("a", "b"), UnknownNameError, "There are: char, grapheme, word"),
        (partial(distances, score_hint=-1), ("a", "b"), ConfigurationError, "score_hint is -1"),
    ],
)
def test_what_cannot_be_compared_is_named(function, sides, error, message):
    with pytest.raises(error, match=message):
        function(*sides)


def test_batches_of_different_scripts_are_counted_together():
    references = ["abc"] * 9000 + ["漢字"] * 9000 + ["😀b"]
    hypotheses = ["abd"] * 9000 + ["漢"] * 9000 + ["b"]
    counts = error_counts(references, hypotheses)
    assert totals(counts) == [18_000 + 9000 + 1, 9000, 9001, 0]
    assert counts.reference_length.tolist() == [3] * 9000 + [2] * 9001


def test_an_alignment_shows_its_errors_and_counts_its_hits():
    assert repr(align("abc", "acb", alignment="transpositions")) == "<Alignment: 1 hit, ('b', 'c') -> ('c', 'b')>"
    shown = repr(align("x" * 30, "y" * 30))
    assert (shown.count("'x' -> 'y'"), shown[-10:]) == (12, ", 18 more>")
