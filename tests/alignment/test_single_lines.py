import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import PairedTexts, are_single_lines
from misread.io.text import split_lines

texts = st.lists(st.sampled_from(["a", "b", "\n", "\r", "漢", "😀", "a long line", "\x85"]), max_size=6).map("".join)


@given(st.lists(st.tuples(texts, texts), max_size=8))
def test_pairs_of_one_line_are_compared_as_their_lines_are(pairs):
    references, hypotheses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    lines = are_single_lines(PairedTexts(references, hypotheses))
    for row, (reference, hypothesis) in enumerate(pairs):
        one, other = split_lines(reference), split_lines(hypothesis)
        assert lines[row, 3] == (max(len(one), len(other)) > 1 or "\r" in reference + hypothesis)
        if not lines[row, 3]:
            assert (lines[row, 1], lines[row, 2]) == (bool(one), bool(other))
            assert lines[row, 0] == (bool(one) and one == other)


def test_more_pairs_than_are_encoded_at_once_keep_their_order():
    references = [str(row) for row in range(20_000)]
    assert are_single_lines(PairedTexts(references, references[::-1]))[:, 0].tolist() == [False] * 20_000
    assert are_single_lines(PairedTexts(references, references))[:, :3].all()


@pytest.mark.parametrize("length", [63, 64, 65, 200])
@pytest.mark.parametrize("letter", ["a", "漢", "😀"])
def test_breaks_of_long_lines_are_found_at_every_place(length, letter):
    line = letter * length
    broken = [f"{line[:place]}{end}{line[place:]}" for place in (1, 62, length - 1) for end in "\r\n"]
    texts = [line, f"{line}\n", *broken]
    expected = [False, False, *[True] * len(broken)]
    assert are_single_lines(PairedTexts(texts, [letter] * len(texts)))[:, 3].tolist() == expected
    assert are_single_lines(PairedTexts(texts[:2], texts[1::-1]))[:, 0].all()
