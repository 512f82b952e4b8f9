import pyarrow as pa
import pytest

from misread import error_counts
from misread.alignment import (
    ErrorCounts,
    PairedTexts,
    api,
    count_operations,
    find_operations,
    paired_error_counts,
    paired_operations,
)
from misread.alignment.encode import paired_texts, texts
from misread.errors import InputTextError, LengthMismatchError

REFERENCES = ["one two", "", "漢字 x\u0301", "a b"]
HYPOTHESES = ["one  too", "e", "漢 x", "b a"]


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_texts_are_counted_as_if_they_stood_alone(unit, alignment):
    pairs = PairedTexts(REFERENCES, HYPOTHESES)
    for _ in range(2):
        counts = paired_error_counts(pairs, unit=unit, alignment=alignment)
        alone = error_counts(REFERENCES, HYPOTHESES, unit=unit, alignment=alignment)
        assert [*map(list, (counts.errors, counts.hits))] == [*map(list, (alone.errors, alone.hits))]


def test_characters_are_encoded_once(monkeypatch):
    encoded = []

    def encode_characters(references, hypotheses):
        encoded.append(references)
        return texts.encode_characters(references, hypotheses)

    monkeypatch.setattr(paired_texts, "encode_characters", encode_characters)
    pairs = PairedTexts(REFERENCES, HYPOTHESES)
    for unit in ("char", "word", "grapheme"):
        paired_error_counts(pairs, unit=unit)
    assert encoded == [REFERENCES]


def test_words_of_arrow_arrays_are_those_of_lists():
    pairs = PairedTexts(pa.array(REFERENCES), pa.array(HYPOTHESES))
    assert paired_error_counts(pairs, unit="word").errors.tolist() == [1, 1, 2, 2]


def test_texts_that_cannot_be_encoded_are_an_error_every_time():
    pairs = PairedTexts(["a"] * 9000, [*["a"] * 8999, "\ud800"])
    for _ in range(2):
        with pytest.raises(InputTextError, match="hypothesis 8999"):
            paired_error_counts(pairs)


def test_sides_that_differ_in_number_are_an_error():
    with pytest.raises(LengthMismatchError, match="2 references and 1 hypotheses"):
        PairedTexts(["a", "b"], ["a"])


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_texts_that_were_aligned_are_counted_by_their_operations(monkeypatch, unit, alignment):
    alone = error_counts(REFERENCES, HYPOTHESES, unit=unit, alignment=alignment)
    pairs = PairedTexts(REFERENCES, HYPOTHESES)
    found = paired_operations(pairs, unit=unit, alignment=alignment)
    assert list(found.letters()) == list(
        find_operations(REFERENCES, HYPOTHESES, unit=unit, alignment=alignment).letters()
    )
    monkeypatch.setattr(api, "_count_batches", None)
    counts = paired_error_counts(pairs, unit=unit, alignment=alignment)
    for name in ErrorCounts.__slots__:
        assert getattr(counts, name).tolist() == getattr(alone, name).tolist()


def test_no_texts_have_no_counts():
    assert len(count_operations(find_operations([], []))) == 0
