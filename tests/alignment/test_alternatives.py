from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.alignment import align_alternatives, alternatives, error_counts
from misread.alignment.kernels import lattices as kernels
from misread.errors import InputTextError, UnknownNameError
from misread.text.alternatives import NO_WORD, Choice, Word, parse_alternatives, render_alternatives

WORDS = st.sampled_from("abc")
ITEMS = st.recursive(
    st.lists(st.builds(Word, WORDS, st.booleans()), max_size=3).map(tuple),
    lambda inner: st.lists(
        st.one_of(
            st.builds(Word, WORDS),
            st.just(NO_WORD),
            st.builds(Choice, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_size=4,
    ).map(tuple),
    max_leaves=5,
)
TEXTS = ITEMS.map(render_alternatives)
PLAIN = st.lists(WORDS, max_size=6).map(" ".join)


def expand(items, *, leave_out=True):
    """Every way to read it: words, and how many optional ones were left out. The oracle, slow on purpose."""
    ways = []
    for item in items:
        if isinstance(item, Choice):
            ways.append([way for each in item.alternatives for way in expand(each, leave_out=leave_out)])
        else:
            ways.append([([item.text], 0), *([([], 1)] if item.optional and leave_out else [])])
    return [
        ([word for words, _ in parts for word in words], sum(left_out for _, left_out in parts))
        for parts in product(*ways)
    ]


@pytest.mark.slow
@settings(max_examples=2 * settings.default.max_examples)
@given(TEXTS, PLAIN)
def test_least_errors_and_most_hits_of_all_readings(reference, hypothesis):
    words = hypothesis.split()
    readings = {tuple(reading) for reading, _ in expand(parse_alternatives(reference))}
    errors = {reading: Levenshtein.distance(list(reading), words) for reading in readings}
    aligned = align_alternatives(reference, hypothesis)
    assert aligned.counts.errors[0] == min(errors.values())
    assert errors[tuple(aligned.references[0].split())] == min(errors.values())


@given(TEXTS, PLAIN)
def test_counts_are_those_of_the_reading_and_words_left_out_are_hits(reference, hypothesis):
    aligned = align_alternatives(reference, hypothesis)
    plain = error_counts(aligned.references, [hypothesis], unit="word")
    assert aligned.counts.deletions == plain.deletions
    assert aligned.counts.substitutions == plain.substitutions
    left_out = aligned.counts.hits - plain.hits
    assert aligned.counts.reference_length == plain.reference_length + left_out
    ways = {(tuple(words), number) for words, number in expand(parse_alternatives(reference))}
    assert (tuple(aligned.references[0].split()), left_out[0]) in ways


@given(TEXTS, PLAIN)
def test_sclite_weights_are_least_over_all_readings(reference, hypothesis):
    def weigh(words, left_out):
        counts = error_counts(" ".join(words), hypothesis, unit="word", alignment="sclite")
        return int(4 * counts.substitutions[0] + 3 * (counts.deletions + counts.insertions)[0] + 2 * left_out)

    aligned = align_alternatives(reference, hypothesis, alignment="sclite")
    left_out = int(aligned.counts.reference_length[0]) - len(aligned.references[0].split())
    least = min(weigh(*reading) for reading in expand(parse_alternatives(reference)))
    assert weigh(aligned.references[0].split(), left_out) == least


@given(TEXTS, TEXTS)
def test_both_sides_may_read_in_several_ways_and_references_leave_words_out(reference, hypothesis):
    pairs = product(expand(parse_alternatives(reference)), expand(parse_alternatives(hypothesis), leave_out=False))
    least = min(Levenshtein.distance(one, other) for (one, _), (other, _) in pairs)
    aligned = align_alternatives(reference, hypothesis, alternatives="both")
    assert aligned.counts.errors[0] == least


@pytest.mark.parametrize("alignment", ["unit", "sclite"])
@given(PLAIN, PLAIN)
def test_without_alternatives_counts_are_the_ordinary_ones(alignment, reference, hypothesis):
    counts = align_alternatives(reference, hypothesis, alignment=alignment).counts
    plain = error_counts(reference, hypothesis, unit="word", alignment=alignment)
    assert np.array_equal(counts.substitutions, plain.substitutions)
    assert np.array_equal(counts.hits, plain.hits)


def random_long_pair(seed, length):
    rng = np.random.default_rng(seed)
    words = [f"w{number}" for number in rng.integers(50, size=length)]
    choices = rng.random(length) < 0.2
    reference = [
        f"{{ {word} / {word} x / @ }}" if choice else word for word, choice in zip(words, choices, strict=True)
    ]
    heard = [word if rng.random() < 0.8 else "y" for word in words if rng.random() < 0.9]
    return " ".join(reference), " ".join(heard)


@pytest.mark.parametrize("alignment", ["unit", "sclite"])
def test_little_memory_changes_nothing(monkeypatch, alignment):
    reference, hypothesis = random_long_pair(3, 400)
    plenty = align_alternatives(reference, hypothesis, alignment=alignment)
    monkeypatch.setattr(kernels, "STRIPE_CELLS", 500)
    little = align_alternatives(reference, hypothesis, alignment=alignment)
    assert little.references == plenty.references
    assert little.counts.errors == plenty.counts.errors


def test_the_band_changes_nothing(monkeypatch):
    from misread.alignment import alternatives

    reference, hypothesis = random_long_pair(4, 300)
    banded = align_alternatives(reference, hypothesis, alignment="sclite")
    monkeypatch.setattr(alternatives, "_find_budgets", lambda *_: np.array([10_000]))
    full = align_alternatives(reference, hypothesis, alignment="sclite")
    assert (banded.references, banded.counts.errors) == (full.references, full.counts.errors)


def test_a_substituted_optional_word_is_better_than_one_left_out_beside_an_insertion():
    counts = align_alternatives("(uh)", "oh", alignment="sclite").counts
    assert (counts.substitutions, counts.insertions) == (1, 0)


def test_an_optional_word_left_out_is_a_hit_and_counts_in_the_length():
    counts = align_alternatives("yes (uh) no", "yes no").counts
    assert (counts.hits, counts.errors, counts.reference_length, counts.hypothesis_length) == (3, 0, 3, 2)


@pytest.mark.parametrize("alignment", ["unit", "sclite"])
def test_two_different_words_in_parentheses_are_an_error(alignment):
    texts = ("fee (£1,275) is", "fee (£1,273) is")
    counts = align_alternatives(*texts, alignment=alignment, alternatives="both").counts
    assert (counts.hits, counts.substitutions, counts.errors) == (2, 1, 1)


def test_with_unit_costs_a_hypothesis_in_parentheses_is_inserted_like_any_other():
    assert align_alternatives("a", "a (b) (c)", alternatives="both").counts.insertions == 2
    assert align_alternatives("a", "a (b) (c)", alignment="sclite", alternatives="both").counts.insertions == 0


def test_marks_in_a_plain_hypothesis_are_words():
    aligned = align_alternatives(r"\{ \@ (b)", "{ @ b")
    assert aligned.counts.errors == 0


@pytest.mark.parametrize("alignment", ["unit", "sclite"])
def test_no_word_on_both_sides_is_neither_hit_nor_length(alignment):
    counts = align_alternatives("a { c / @ } x", "a { d / @ } y", alignment=alignment, alternatives="both").counts
    assert (counts.hits, counts.substitutions, counts.reference_length, counts.hypothesis_length) == (1, 1, 2, 2)


def test_braces_that_do_not_match_name_side_and_index():
    with pytest.raises(InputTextError, match=r"reference 1: '\{' is never closed"):
        align_alternatives(["a", "{ b"], ["a", "b"])


def test_transpositions_cannot_take_alternatives():
    with pytest.raises(UnknownNameError, match=r"transpositions.*sclite, unit"):
        align_alternatives("a", "a", alignment="transpositions")


@pytest.mark.parametrize("alignment", ["unit", "sclite"])
@given(TEXTS, st.lists(PLAIN, min_size=2, max_size=2))
def test_letters_have_every_error_and_one_unit_for_every_place_of_the_reference(alignment, reference, hypotheses):
    aligned = align_alternatives([reference, reference], hypotheses, alignment=alignment)
    letters = aligned.letters()
    assert [len(each) - each.count("C") for each in letters] == aligned.counts.errors.tolist()
    places = len(parse_alternatives(reference))
    assert [len(each) - each.count("I") for each in letters] == [places, places]


@pytest.mark.parametrize(
    ("reference", "hypothesis", "letters"),
    [
        ("a { b c / d } e", "a b x e", "CSC"),
        ("a { b c / d } e", "a y x z e", "CISIC"),
        ("a (b) c", "a c", "CCC"),
        ("{ a / @ } b", "x b", "SC"),
        ("a { b / @ } c", "a c d", "CCCI"),
    ],
)
def test_a_place_with_alternatives_is_one_unit_of_the_letters(reference, hypothesis, letters):
    assert align_alternatives(reference, hypothesis).letters() == [letters]


@pytest.mark.parametrize("alignment", ["unit", "sclite"])
def test_only_pairs_with_alternatives_take_the_lattice(monkeypatch, alignment):
    laid, lay_out = [], alternatives._lay_out
    monkeypatch.setattr(
        alternatives, "_lay_out", lambda texts, *numbers, **of: laid.append([*texts]) or lay_out(texts, *numbers, **of)
    )
    references = ["a b", "{ a / b } c", "c", "d {e/@}", ""]
    align_alternatives(references, ["a", "b c", "c", "d", "x"], alignment=alignment)
    assert [[len(items) for items in side] for side in laid] == [[2, 2], [2, 1]]
    laid.clear()
    align_alternatives(["a b", "c"], ["a", "{ c }"], alignment=alignment)
    assert laid == []
