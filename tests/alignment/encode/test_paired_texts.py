import pyarrow as pa
import pytest

from misread import error_counts
from misread.alignment import (
    ErrorCounts,
    PairedTexts,
    api,
    are_single_lines,
    count_operations,
    find_operations,
    paired_error_counts,
    paired_error_table,
    paired_operations,
)
from misread.alignment.encode import paired_texts, texts
from misread.compiled import budget
from misread.errors import InputTextError, LengthMismatchError
from misread.text.arrow import ArrowTexts
from misread.text.lazy_texts import ClosedLines

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


@pytest.mark.parametrize("align_first", [False, True])
@pytest.mark.parametrize("unit", ["char", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_a_table_of_counts_has_them_row_by_row(unit, alignment, align_first):
    pairs = PairedTexts(REFERENCES, HYPOTHESES)
    if align_first:
        paired_operations(pairs, unit=unit, alignment=alignment)
    of = error_counts(REFERENCES, HYPOTHESES, unit=unit, alignment=alignment)
    single = (of.errors, of.reference_length, of.hits, of.substitutions, of.deletions, of.insertions)
    table = paired_error_table(pairs, unit=unit, alignment=alignment)
    assert table.tolist() == [*map(list, (*single, of.transpositions, of.hypothesis_length))]


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


@pytest.fixture
def compiled(monkeypatch):
    monkeypatch.setattr(budget.ALIGNING, "seconds", 0.0)


@pytest.mark.parametrize("texts", [(["one", "", "é"], ["on", "x", "é"]), (["漢字", "a"], ["漢", ""]), (["𐐀"], ["b"])])
def test_lines_are_encoded_with_the_texts_that_they_close(compiled, monkeypatch, texts):
    whole = PairedTexts(*(ArrowTexts(pa.array(side), "references") for side in texts))
    lines = PairedTexts(*map(ClosedLines, (whole.references, whole.hypotheses)), without_line_feeds=whole)
    expected = paired_error_counts(PairedTexts(*([f"{text}\n" for text in side] for side in texts)))
    closed = ([f"{text}\n" for text in side] for side in texts)
    flags = are_single_lines(PairedTexts(*closed)).tolist()
    assert are_single_lines(whole).tolist() == are_single_lines(PairedTexts(*texts)).tolist()
    monkeypatch.setattr(paired_texts, "encode_characters", None)
    assert paired_error_counts(lines).reference_length.tolist() == expected.reference_length.tolist()
    assert paired_error_counts(lines).errors.tolist() == expected.errors.tolist()
    assert are_single_lines(lines).tolist() == flags


def test_few_lines_are_encoded_by_themselves(monkeypatch):
    monkeypatch.setattr(budget.ALIGNING, "seconds", 0.4)
    whole = PairedTexts(*(ArrowTexts(pa.array(side), "references") for side in (["one"], ["on"])))
    lines = PairedTexts(*map(ClosedLines, (whole.references, whole.hypotheses)), without_line_feeds=whole)
    assert paired_error_counts(lines).reference_length.tolist() == [4]


@pytest.mark.parametrize("script", ["abc é", "Привет", "漢字", "𐐀x", "e\u0301 عربى"])
def test_texts_in_arrow_buffers_have_the_codes_of_python_strings(compiled, script):
    sides = [script, "", script * 20], [script[1:], "x", script * 19]
    arrow = [ArrowTexts(pa.array(["before", *side]), "references")[1:] for side in sides]
    for unit in ("char", "grapheme", "word"):
        for (_, one), (_, other) in zip(
            texts.encode_batches(*arrow, unit), texts.encode_batches(*sides, unit), strict=True
        ):
            for side in ("references", "hypotheses"):
                made, expected = getattr(one, side), getattr(other, side)
                assert made.codes.dtype == expected.codes.dtype
                assert [made.codes[slice(*span)].tolist() for span in made.spans] == [
                    expected.codes[slice(*span)].tolist() for span in expected.spans
                ]


def test_bytes_that_are_not_utf_8_are_an_error_as_they_were(compiled):
    broken = pa.Array.from_buffers(pa.large_string(), 1, [None, *pa.array([b"a\xff"], pa.large_binary()).buffers()[1:]])
    with pytest.raises(UnicodeDecodeError):
        [*texts.encode_batches(ArrowTexts.of(broken), ArrowTexts.of(broken), "char")]
