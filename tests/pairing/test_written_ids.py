"""Ids at the beginning of texts."""

import pytest

from misread.pairing.written_ids import begin_with_ids

IDS = ["utt-001", "utt-002", "utt-003", "utt-004"]
TEXTS = ["the fox", "a dog", "no cat", "one"]


def with_ids(ids, texts):
    return [f"{segment} {text}" for segment, text in zip(ids, texts, strict=True)]


def test_equal_ids_on_both_sides_are_found_in_any_order():
    references, outputs = with_ids(IDS, TEXTS), with_ids(IDS, ["the fax", "a", "no cat", ""])
    assert begin_with_ids(references, outputs)
    assert begin_with_ids(references, outputs[::-1])


@pytest.mark.parametrize(
    ("references", "outputs"),
    [
        (with_ids(IDS, TEXTS), TEXTS),  # on one side only
        (with_ids(IDS, TEXTS), with_ids(["utt-009", *IDS[1:]], TEXTS)),  # other ids
        (with_ids(["a-1"] * 4, TEXTS), with_ids(["a-1"] * 4, TEXTS)),  # not unique
        (with_ids("1234", TEXTS), with_ids("1234", TEXTS)),  # numbers of a list
        (["The fox", "A dog", "No cat"], ["The fox", "A dog", "No cat"]),  # words
        (IDS, IDS),  # codes are all there is
        (with_ids(IDS[:2], TEXTS[:2]), with_ids(IDS[:2], TEXTS[:2])),  # too few
        (with_ids(IDS, TEXTS), [None, *with_ids(IDS[1:], TEXTS[1:])]),
    ],
)
def test_what_may_be_words_is_not_taken_for_ids(references, outputs):
    assert not begin_with_ids(references, outputs)


def test_what_a_tab_follows_in_every_text_is_an_id():
    references = [f"crop/word {number}.png\ttext".replace(" ", "_") for number in "abc"]
    assert begin_with_ids(references, [text.replace("text", "test") for text in references])
    assert not begin_with_ids(references, [text.replace("\t", " ") for text in references])
    assert not begin_with_ids(["same\ttext"] * 3, ["same\ttext"] * 3)
    assert not begin_with_ids(
        [f"two words {number}\ttext" for number in "abc"], [f"two words {n}\ttext" for n in "abc"]
    )
