"""Ids at the beginning of texts."""

import pytest

from misread.pairing.written_ids import find_written_ids

IDS = ["utt-001", "utt-002", "utt-003", "utt-004"]
TEXTS = ["the fox", "a dog", "no cat", "one"]


def with_ids(ids, texts):
    return [f"{segment} {text}" for segment, text in zip(ids, texts, strict=True)]


def test_equal_ids_on_both_sides_are_found_in_any_order():
    references, outputs = with_ids(IDS, TEXTS), with_ids(IDS, ["the fax", "a", "no cat", ""])
    assert find_written_ids(references, outputs)
    assert find_written_ids(references, outputs[::-1])


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
    assert not find_written_ids(references, outputs)


@pytest.mark.parametrize(
    "ids",
    [
        ["1089-134686-0000", "1089-134686-0001", "1089-134686-0002"],
        ["crop/word_1.png", "crop/word_2.png", "crop/word_3.png"],
        ["LJ001-0001", "LJ001-0002", "LJ001-0003"],
        ["utt1", "utt2", "utt3"],
    ],
)
@pytest.mark.parametrize("separator", [" ", "\t", "|", ",", ";"])
def test_one_separator_ends_ids_and_paths_in_all_texts(ids, separator):
    references, outputs = ([f"{key}{separator}{word} b" for key in ids] for word in ("a", "c"))
    assert find_written_ids(references, outputs) == tuple(ids)
    assert not find_written_ids([references[0].replace(separator, "/ "), *references[1:]], outputs)


FORMS = """12.50\tbread|13.20\tmilk|1.99\tegg
EUR12.50 bread|EUR13.20 milk|EUR1.99 egg
12kg flour|2nd floor|3rd floor
12.03.1901 Berlin|13.03.1901 Bonn|14.03.1901 Ulm
1901-03-12 Berlin|1901-03-13 Bonn|1901-03-14 Ulm
08:00 breakfast|09:30 meeting|12:15 lunch
Name\tMiller|Street\tMain Road|Town\tUlm
import re|x = 3|return x
7\tbread|3\tmilk|9\tegg
12 rue Noire, Dupont|13 rue Verte, Durand|14 rue Bleue, Martin"""


@pytest.mark.parametrize("lines", [form.split("|") for form in FORMS.split("\n")])
def test_amounts_dates_forms_and_source_code_are_texts(lines):
    assert not find_written_ids(lines, [f"{line}s" for line in lines])


def test_what_a_tab_follows_in_every_text_is_an_id():
    references = [f"crop/word {number}.png\ttext".replace(" ", "_") for number in "abc"]
    assert find_written_ids(references, [text.replace("text", "test") for text in references])
    assert not find_written_ids(references, [text.replace("\t", " ") for text in references])
    assert not find_written_ids(["same\ttext"] * 3, ["same\ttext"] * 3)
    spaced = [f"two words {letter}\ttext" for letter in "abc"]
    assert not find_written_ids(spaced, spaced)
