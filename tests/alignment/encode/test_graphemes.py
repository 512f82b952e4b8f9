import itertools
import unicodedata

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.alignment import error_counts, split_graphemes
from misread.alignment.api import align
from misread.alignment.encode.grapheme_rules import BREAK, UNICODE_VERSION, Before, Property, make_transitions
from misread.alignment.encode.graphemes import load_tables
from misread.alignment.encode.texts import encode_pairs
from misread.alignment.encode.unicode import grapheme_properties

CLUSTER = regex.compile(r"\X")
# Code points that NFC changes alone, that it composes, that compose with nothing, and those with a part in the rules.
POOL = (
    "aeu \r\n\0é\u00ad\u0300\u0301\u0308\u0323\u0327\u0345\u0600\u0915\u0937\u0930\u093c\u0958\u094d\u0903\u093f"
    "\u0bbe\u0bc6\u0e33\u1100\u1161\u11a8\uac00\uac01\ud7b0\u1cf5\u200b\u200c\u200d\u2126\u212b\ufe0f\uf900\U0001f1eb\U0001f1f7"
    "\U0001f468\U0001f3fd\u2764\U000113d0\U00011a3a\U0010ffff"
)

texts = st.one_of(st.text(POOL, max_size=40), st.text(max_size=40))


def representatives(each):
    """Some code points of every property."""
    tables = load_tables()
    properties = tables.blocks[tables.block_of].ravel() & 0x1F
    chosen = []
    for value in Property:
        codes = [code for code in np.flatnonzero(properties == value).tolist() if not 0xD800 <= code < 0xE000]
        chosen += [chr(codes[index]) for index in np.linspace(0, len(codes) - 1, min(each, len(codes)), dtype=int)]
    return chosen


def codes_of(encoded):
    return [encoded.codes[begin:end].tolist() for begin, end in encoded.spans.tolist()]


@pytest.mark.slow
@pytest.mark.parametrize(("length", "each"), [(1, 20), (2, 6), (3, 2), (4, 1)])
def test_every_sequence_of_properties_is_split_as_regex_splits_it(length, each):
    for characters in itertools.product(representatives(each), repeat=length):
        text = "".join(characters)
        assert split_graphemes(text) == CLUSTER.findall(text), ascii(text)


@pytest.mark.slow
@settings(max_examples=4 * settings.default.max_examples)
@given(texts)
def test_any_text_is_split_as_regex_splits_it(text):
    assert split_graphemes(text) == CLUSTER.findall(text)


@pytest.mark.parametrize(
    "graphemes",
    [
        [],
        ["👨‍👩‍👧‍👦", "👩🏽‍🚀", "❤️‍🔥", "👍🏿"],
        ["🇫🇷", "🇩🇪"],
        ["🇫🇷", "🇩"],
        ["a", "🇫🇷", "🇩🇪", "🇮", "b"],
        ["\u1100\u1161\u11a8", "\u1100\u1161", "한", "\uac00\u11a8\u11a8", "\u1100\u1100\uac00", "\u1100"],
        ["क्षि", "न्\u200c", "द"],
        ["क्\u200dष", "क़", "त्र्य"],
        ["\u0915\u094d\u200c", "\u0937"],
        ["م\u064f", "ح\u064e", "م\u0651\u064e", "د"],
        ["\u0600\u0661", "\u06dd\u0628\u064e"],
        ["\r\n", "\n", "\r", "\u0300", "\r"],
        ["e\u0301\u0323\u20dd", " \u0308"],
        ["\U0001f476\u200d\u200d", "\U0001f476"],
        ["กำ", "ນຳ"],
    ],
)
def test_a_reader_takes_these_for_one_character_each(graphemes):
    assert split_graphemes("".join(graphemes)) == graphemes


def test_the_rules_always_end_a_grapheme_at_the_start_of_a_text():
    assert (make_transitions()[Before.NOTHING, : len(Property)] & BREAK).all()


@pytest.mark.slow
def test_the_table_is_what_its_script_makes(tmp_path):
    grapheme_properties.write_table(tmp_path / "made.npz")
    with np.load(tmp_path / "made.npz") as made, np.load(grapheme_properties.PATH) as kept:
        assert str(kept["unicode_version"]) == UNICODE_VERSION
        for name in ("block_of", "blocks"):
            np.testing.assert_array_equal(made[name], kept[name])


@pytest.mark.slow
@settings(max_examples=3 * settings.default.max_examples)
@given(st.lists(texts, max_size=4), st.lists(texts, max_size=4))
def test_graphemes_have_one_code_exactly_when_they_are_canonically_equivalent(references, hypotheses):
    pairs = encode_pairs(references, hypotheses, "grapheme")
    codes = codes_of(pairs.references) + codes_of(pairs.hypotheses)
    forms = [[unicodedata.normalize("NFC", unit) for unit in CLUSTER.findall(text)] for text in references + hypotheses]
    assert [len(text) for text in codes] == [len(text) for text in forms]
    together = set(zip(itertools.chain(*forms), itertools.chain(*codes), strict=True))
    assert len(together) == len({form for form, _ in together}) == len({code for _, code in together})
    assert all(code < pairs.alphabet_size for _, code in together)


@settings(deadline=None)
@given(st.text(POOL, max_size=40))
def test_normalizing_a_text_changes_none_of_its_codes(text):
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    composed, decomposed, given_text = codes_of(encode_pairs([*forms, text], [], "grapheme").references)
    assert composed == decomposed == given_text


def test_more_clusters_than_the_table_of_clusters_has_at_first():
    clusters = [first + second for first in map(chr, range(0x4E00, 0x4E80)) for second in map(chr, range(0x300, 0x334))]
    # Clusters of more than three code points whose last three are equal share a key.
    clusters += [f"{chr(0x4E00 + number)}\u0334\u0335\u0336" for number in range(3000)]
    pairs = encode_pairs(clusters, clusters[::-1], "grapheme")
    assert codes_of(pairs.references) == codes_of(pairs.hypotheses)[::-1]
    assert len({code for (code,) in codes_of(pairs.references)}) == len(clusters)


def test_texts_without_anything_to_join_are_coded_as_code_points():
    text = "".join(map(chr, range(0x300))).replace("\r", "")
    assert codes_of(encode_pairs([text], [], "grapheme").references) == [list(map(ord, text))]


def test_a_grapheme_that_nfc_makes_one_code_point_is_coded_as_that():
    assert codes_of(encode_pairs(["üu\u0308"], [], "grapheme").references) == [[0xFC, 0xFC]]


def test_a_decomposed_text_has_no_errors_against_the_composed_one():
    composed, decomposed = "Müll", unicodedata.normalize("NFD", "Müll")
    assert error_counts(composed, decomposed).errors.tolist() == [2]
    assert error_counts(composed, decomposed, unit="grapheme").errors.tolist() == [0]
    assert error_counts("Å", "\u212b", unit="grapheme").errors.tolist() == [0]
    # A family with one child more.
    assert error_counts("👨‍👩‍👧", "👨‍👩‍👧‍👦", unit="grapheme").substitutions.tolist() == [1]


def test_an_alignment_shows_graphemes_as_they_stand():
    alignment = align("u\u0308\r\nx", "ü\ny", unit="grapheme")
    assert (alignment.reference, alignment.hypothesis) == (("u\u0308", "\r\n", "x"), ("ü", "\n", "y"))
    assert [operation.kind for operation in alignment.operations] == ["hit", "substitution", "substitution"]
