"""References that share rare sequences of characters with an output."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.pairing.nearest import MOST_CANDIDATES, EncodedTexts, find_candidates

ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def candidates(references, outputs):
    rows, matches = find_candidates(EncodedTexts.of(references), EncodedTexts.of(outputs))
    return {*zip(rows.tolist(), matches.tolist(), strict=True)}


@given(st.lists(ANY, max_size=8))
def test_texts_are_encoded_in_lower_case_one_after_another(texts):
    encoded = EncodedTexts.of(texts)
    cut = [bytes(encoded.data[start:end]) for start, end in pairwise(encoded.bounds)]
    assert [part.rstrip(b"\0") for part in cut] == [text.lower().encode().rstrip(b"\0") for text in texts]


@pytest.mark.parametrize(
    "texts",
    [
        ["the quick brown fox", "jumps over a lazy dog", "pack my box with five"],
        ["สวัสดีครับท่านผู้ชม", "วันนี้อากาศดีมากเลย", "ขอบคุณที่มาร่วมงาน"],
        ["السلام عليكم ورحمة الله", "هذا كتاب جديد عن اللغة", "ذهب الولد إلى المدرسة"],
    ],
)
def test_every_text_finds_itself_through_an_error(texts):
    outputs = [text[:4] + "#" + text[5:] for text in reversed(texts)]
    assert {(0, 2), (1, 1), (2, 0)} <= candidates(texts, outputs)


def test_what_all_references_have_finds_nothing_and_no_more_than_a_few_are_tried():
    same = [f"chapter {row}" for row in range(400)]
    assert candidates(same, ["chapter"]) == set()
    alike = ["a very rare text indeed"] * 20
    assert len(candidates(alike, alike[:1])) == MOST_CANDIDATES


def test_no_sequence_runs_from_one_text_into_the_next():
    assert candidates(["abcd", "wxyz"], ["cdwx"]) == set()
