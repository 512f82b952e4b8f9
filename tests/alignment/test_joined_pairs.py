from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import PairedTexts, joined_pairs, split_graphemes
from misread.alignment.encode.grapheme_rules import ALONE, BREAK, Before, make_transitions

texts = st.lists(
    st.sampled_from(
        ["a", "é", "\r", "\n", "\0", "漢", "각", "\u1100", "\u0301", "😀", "\u200d", "क", "\u094d", "\u0600", "Å"]
    ),
    max_size=4,
).map("".join)


@given(st.lists(st.tuples(texts, texts), max_size=6))
def test_graphemes_of_other_pairs_are_characters(pairs):
    joined = joined_pairs(PairedTexts([pair[0] for pair in pairs], [pair[1] for pair in pairs])).tolist()
    for is_joined, sides in zip(joined, pairs, strict=True):
        assert is_joined or all(split_graphemes(text) == [*text] for text in sides)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("text", ["\r\n", "u\u0308", "\u212b", "\U0001f1eb\U0001f1f7", "\uf900", "\u1100\u1161"])
def test_one_pair_among_many_is_found(side, text):
    sides = [["plain", ""] * 9000, ["pläin", "漢😀"] * 9000]
    sides[side][12_345] += text
    assert joined_pairs(PairedTexts(*sides)).nonzero()[0].tolist() == [12_345]


def test_no_rule_joins_two_code_points_that_stand_alone():
    transitions = make_transitions().astype(int)
    states = {transitions[Before.NOTHING, code_point] & (BREAK - 1) for code_point in ALONE}
    for _ in Before:
        states |= {transitions[state, code_point] & (BREAK - 1) for state, code_point in product(states, ALONE)}
    assert all(transitions[state, code_point] & BREAK for state, code_point in product(states, ALONE))
