import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from misread.alignment import error_counts, policies
from misread.alignment.api import align
from misread.alignment.encode.texts import encode_pairs
from misread.alignment.kernels import weighted
from misread.errors import InputTextError, UnknownNameError

SHORT = [
    *map("".join, itertools.chain.from_iterable(itertools.product("ab", repeat=n) for n in range(5))),
    "abc",
    "cab",
]

texts = st.sampled_from(["a", "ab", "abc", "abcdefgh", "aé漢😀"]).flatmap(
    lambda alphabet: st.text(alphabet, max_size=60)
)


def slow_sclite(reference, hypothesis):
    """Kinds in a walk from the end of the whole matrix: diagonal where it can be, else insertion, else deletion."""
    costs = [[0] * (len(hypothesis) + 1) for _ in range(len(reference) + 1)]
    for i, j in itertools.product(range(len(reference) + 1), range(len(hypothesis) + 1)):
        ways = [costs[i - 1][j] + 3] if i else []
        ways += [costs[i][j - 1] + 3] if j else []
        ways += [costs[i - 1][j - 1] + 4 * (reference[i - 1] != hypothesis[j - 1])] if i and j else []
        costs[i][j] = min(ways, default=0)
    i, j, counts = len(reference), len(hypothesis), [0, 0, 0, 0]
    while i or j:
        differ = i and j and reference[i - 1] != hypothesis[j - 1]
        if i and j and costs[i][j] == costs[i - 1][j - 1] + 4 * differ:
            counts[1 if differ else 0] += 1
            i, j = i - 1, j - 1
        elif j and costs[i][j] == costs[i][j - 1] + 3:
            counts[3] += 1
            j -= 1
        else:
            counts[2] += 1
            i -= 1
    return counts


def slow_transpositions(reference, hypothesis):
    """Best of all alignments by (cost, deletions, substitutions); every cell keeps the counts of its own best."""
    best = {(0, 0): (0, 0, 0, 0, 0)}
    for i, j in itertools.product(range(len(reference) + 1), range(len(hypothesis) + 1)):
        ways = [best[0, 0]] if i == j == 0 else []
        if i:
            cost, deletions, substitutions, insertions, swaps = best[i - 1, j]
            ways.append((cost + 1, deletions + 1, substitutions, insertions, swaps))
        if j:
            cost, deletions, substitutions, insertions, swaps = best[i, j - 1]
            ways.append((cost + 1, deletions, substitutions, insertions + 1, swaps))
        if i and j:
            cost, deletions, substitutions, insertions, swaps = best[i - 1, j - 1]
            differ = reference[i - 1] != hypothesis[j - 1]
            ways.append((cost + differ, deletions, substitutions + differ, insertions, swaps))
        if i > 1 and j > 1 and reference[i - 2 : i] == hypothesis[j - 2 : j][::-1]:
            cost, deletions, substitutions, insertions, swaps = best[i - 2, j - 2]
            ways.append((cost + 1, deletions, substitutions, insertions, swaps + 1))
        best[i, j] = min(ways)
    _, deletions, substitutions, insertions, swaps = best[len(reference), len(hypothesis)]
    return [len(reference) - substitutions - deletions - 2 * swaps, substitutions, deletions, insertions, swaps]


def rows(counts):
    columns = (counts.hits, counts.substitutions, counts.deletions, counts.insertions, counts.transpositions)
    return np.stack(columns, axis=-1).tolist()


def draw(alphabet, length, rng):
    return "".join([alphabet[index] for index in rng.integers(len(alphabet), size=length)])


def corrupt(text, alphabet, rate, rng):
    """A text with units replaced, dropped, doubled and swapped."""
    units = list(text)
    for position in range(len(units) - 1):
        if rng.random() < rate / 2:
            units[position : position + 2] = units[position : position + 2][::-1]
    changed = [draw(alphabet, rng.integers(0, 3), rng) if rng.random() < rate else unit for unit in units]
    return "".join(changed)


def random_pairs(seed, number, longest):
    """Pairs with many alignments of equal cost, half of them related."""
    rng = np.random.default_rng(seed)
    references, hypotheses = [], []
    for alphabet in itertools.islice(itertools.cycle(["ab", "abc", "abcdefgh", "a😀"]), number):
        reference = draw(alphabet, rng.integers(longest + 1), rng)
        references += [reference] * 2
        hypotheses += [draw(alphabet, rng.integers(longest + 1), rng), corrupt(reference, alphabet, 0.15, rng)]
    return references, hypotheses


def replay(alignment):
    """Units that the operations use of the reference, and those that they make of it."""
    used, made = [], []
    for kind, row, column in alignment.operations:
        assert (row, column) == (len(used), len(made))
        width = 2 if kind == "transposition" else 1
        of_reference, of_hypothesis = (
            alignment.reference[row : row + width],
            alignment.hypothesis[column : column + width],
        )
        if kind in ("hit", "substitution"):
            assert (of_reference == of_hypothesis) == (kind == "hit")
        if kind == "transposition":
            assert of_reference == of_hypothesis[::-1] != of_hypothesis
        used += of_reference if kind != "insertion" else ()
        made += of_hypothesis if kind != "deletion" else ()
    return tuple(used), tuple(made)


@pytest.mark.parametrize(
    ("alignment", "oracle"),
    [("sclite", lambda *pair: [*slow_sclite(*pair), 0]), ("transpositions", slow_transpositions)],
)
def test_all_short_pairs_are_counted_as_the_whole_matrix_counts_them(alignment, oracle):
    references, hypotheses = zip(*itertools.product(SHORT, SHORT), strict=True)
    counts = rows(error_counts(references, hypotheses, alignment=alignment))
    assert counts == [oracle(*pair) for pair in zip(references, hypotheses, strict=True)]


@settings(max_examples=2 * settings.default.max_examples)
@given(texts, texts)
def test_sclite_is_counted_as_the_whole_matrix_counts_it(reference, hypothesis):
    assert rows(error_counts(reference, hypothesis, alignment="sclite")) == [[*slow_sclite(reference, hypothesis), 0]]


@settings(max_examples=2 * settings.default.max_examples)
@given(texts, texts)
def test_transpositions_are_counted_as_the_whole_matrix_counts_them(reference, hypothesis):
    counts = error_counts(reference, hypothesis, alignment="transpositions")
    assert rows(counts) == [slow_transpositions(reference, hypothesis)]


def test_errors_with_transpositions_are_the_distance_of_rapidfuzz():
    references, hypotheses = random_pairs(seed=1, number=600, longest=70)
    counts = error_counts(references, hypotheses, alignment="transpositions")
    expected = [OSA.distance(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert counts.errors.tolist() == expected
    assert counts.transpositions.sum() > 500


@pytest.mark.parametrize("unit", ["char", "grapheme", "word"])
@pytest.mark.parametrize("alignment", ["unit", "sclite", "transpositions"])
def test_the_kinds_account_for_every_unit_of_both_sides(alignment, unit):
    references, hypotheses = random_pairs(seed=2, number=60, longest=40)
    if unit == "word":
        references, hypotheses = [" ".join(text) for text in references], [" ".join(text) for text in hypotheses]
    counts = error_counts(references, hypotheses, unit=unit, alignment=alignment)
    both = counts.hits + counts.substitutions + 2 * counts.transpositions
    assert (both + counts.deletions == counts.reference_length).all()
    assert (both + counts.insertions == counts.hypothesis_length).all()
    assert min(map(min, rows(counts))) >= 0


@pytest.mark.parametrize("alignment", ["sclite", "transpositions"])
def test_operations_are_those_that_are_counted(alignment):
    kinds = ("hit", "substitution", "deletion", "insertion", "transposition")
    for reference, hypothesis in zip(*random_pairs(seed=3, number=60, longest=40), strict=True):
        aligned = align(reference, hypothesis, alignment=alignment)
        assert replay(aligned) == (tuple(reference), tuple(hypothesis))
        found = [operation.kind for operation in aligned.operations]
        assert [[found.count(kind) for kind in kinds]] == rows(error_counts(reference, hypothesis, alignment=alignment))


@pytest.mark.parametrize("weighting", [policies.SCLITE, policies.TRANSPOSITIONS])
def test_forgotten_rows_change_no_operation(weighting):
    for reference, hypothesis in zip(*random_pairs(seed=4, number=40, longest=60), strict=True):
        pairs = encode_pairs([reference], [hypothesis], "char")
        budget = len(reference) + len(hypothesis)
        whole, forgetful = (
            weighted.weighted_path(
                pairs.references.codes, pairs.hypotheses.codes, budget, weighting, path_bytes
            ).tolist()
            for path_bytes in (weighted.PATH_BYTES, 0)
        )
        assert whole == forgetful


@pytest.mark.parametrize("weighting", [policies.SCLITE, policies.TRANSPOSITIONS])
def test_a_wider_band_changes_no_sum(weighting):
    pairs = encode_pairs(*random_pairs(seed=5, number=100, longest=60), "char")
    lengths = pairs.references.lengths + pairs.hypotheses.lengths
    budgets = np.stack([pairs.references.lengths, pairs.hypotheses.lengths]).max(axis=0)
    if weighting is policies.SCLITE:
        budgets = 4 * budgets // 3 + 1
    narrow, wide = (policies.weigh_pairs(pairs, budget, weighting).tolist() for budget in (budgets, lengths))
    assert narrow == wide


@pytest.mark.parametrize("alignment", ["sclite", "transpositions"])
def test_the_same_counts_on_one_thread_and_on_three(alignment, use_threads):
    pairs = random_pairs(seed=6, number=150, longest=40)
    found = []
    for threads in (1, 3):
        use_threads(threads)
        found.append(rows(error_counts(*pairs, alignment=alignment)))
    assert found[0] == found[1]


def test_sclite_counts_more_errors_than_the_least_where_that_wins_hits():
    assert rows(error_counts("aaabb", "bbcca", alignment="unit")) == [[0, 5, 0, 0, 0]]
    assert rows(error_counts("aaabb", "bbcca", alignment="sclite")) == [[2, 0, 3, 3, 0]]


def test_a_swap_is_one_error_and_no_hit():
    assert rows(error_counts("hello world", "helo wrold", alignment="transpositions")) == [[8, 0, 1, 0, 1]]
    operations = align("wor", "wro", alignment="transpositions").operations
    assert operations[-1] == ("transposition", 1, 1)


def test_no_unit_is_touched_twice_by_a_swap():
    assert error_counts("ca", "abc", alignment="transpositions").errors.tolist() == [3]


def test_words_change_places_as_characters_do():
    counts = error_counts("on the one hand", "on one the hand", unit="word", alignment="transpositions")
    assert rows(counts) == [[2, 0, 0, 0, 1]]


@pytest.mark.parametrize("alignment", ["sclite", "transpositions"])
def test_empty_texts_are_counted(alignment):
    counts = error_counts(["", "ab", ""], ["abc", "", ""], alignment=alignment)
    assert rows(counts) == [[0, 0, 0, 3, 0], [0, 0, 2, 0, 0], [0, 0, 0, 0, 0]]
    assert len(error_counts([], [], alignment=alignment)) == 0


def test_a_text_too_long_for_the_weights_of_a_swap_is_an_error_that_names_it():
    with pytest.raises(InputTextError, match=r"^hypothesis 1 has 1,048,576 units: .* 1,048,575 at most"):
        error_counts(["a", "b"], ["a", "b" * (1 << 20)], alignment="transpositions")


@pytest.mark.parametrize("function", [error_counts, align])
def test_an_unknown_alignment_is_an_error_that_names_the_choices(function):
    with pytest.raises(
        UnknownNameError, match=r"'sclit'\. Did you mean 'sclite'\? There are: sclite, transpositions, unit"
    ):
        function("a", "b", alignment="sclit")
