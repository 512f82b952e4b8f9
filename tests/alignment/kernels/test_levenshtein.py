import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from misread.alignment.encode.texts import encode_pairs
from misread.alignment.kernels import kinds, levenshtein, short_pairs
from misread.alignment.kernels.pairs import PADDING

# Few symbols make many alignments of equal cost; the last alphabet has code points of every width.
ALPHABETS = ("a", "ab", "abc", "\0 ab", "etaoinshrd ", "aé漢😀\U0010ffff")
KINDS = (kinds.HIT, kinds.SUBSTITUTION, kinds.DELETION, kinds.INSERTION)
LENGTHS = (0, 1, 2, 31, 63, 64, 65, 127, 128, 129, 200)


def slow_distance(reference, hypothesis):
    """Textbook recurrence: the oracle. Obviously right, slow on purpose."""
    costs = list(range(len(reference) + 1))
    for row, unit in enumerate(hypothesis, start=1):
        above, costs = costs, [row]
        for column, other in enumerate(reference, start=1):
            costs.append(min(above[column] + 1, costs[column - 1] + 1, above[column - 1] + (unit != other)))
    return costs[-1]


def full_matrix_counts(reference, hypothesis):
    """Counts by the rule of the walk back, from all costs at once: the oracle for long texts."""
    units, others = (np.array([*map(ord, text)], np.int32) for text in (reference, hypothesis))
    columns = np.arange(len(units) + 1, dtype=np.int32)
    costs = [columns]
    for row, other in enumerate(others, start=1):
        candidates = np.empty_like(columns)
        candidates[0] = row
        np.minimum(costs[-1][:-1] + (units != other), costs[-1][1:] + np.int32(1), out=candidates[1:])
        # A deletion adds one for each column: a running minimum of what is left after taking that away.
        candidates -= columns
        np.minimum.accumulate(candidates, out=candidates)
        candidates += columns
        costs.append(candidates)
    shorter = min(len(units), len(others))
    differing = np.flatnonzero(units[:shorter] != others[:shorter])
    prefix = int(differing[0]) if differing.size else shorter
    row, column = len(others), len(units)
    substitutions = deletions = insertions = 0
    while row > prefix and column > prefix and units[column - 1] == others[row - 1]:
        row, column = row - 1, column - 1
    while row > prefix and column > prefix:
        if costs[row][column] == costs[row][column - 1] + 1:
            deletions, column = deletions + 1, column - 1
        elif costs[row - 1][column] == costs[row - 1][column - 1] - 1:
            insertions, row = insertions + 1, row - 1
        else:
            substitutions += int(units[column - 1] != others[row - 1])
            row, column = row - 1, column - 1
    deletions, insertions = deletions + column - prefix, insertions + row - prefix
    return len(units) - substitutions - deletions, substitutions, deletions, insertions


def rapidfuzz_counts(reference, hypothesis):
    """Hits, substitutions, deletions and insertions from rapidfuzz's edit operations."""
    tags = [operation.tag for operation in Levenshtein.editops(reference, hypothesis)]
    substitutions, deletions = tags.count("replace"), tags.count("delete")
    return [len(reference) - substitutions - deletions, substitutions, deletions, tags.count("insert")]


def count(references, hypotheses):
    pairs = encode_pairs(references, hypotheses, "char")
    return levenshtein.count_operations(pairs.sides, pairs.alphabet_size).T.tolist()


def measure(references, hypotheses, hint=levenshtein.NO_HINT):
    pairs = encode_pairs(references, hypotheses, "char")
    return levenshtein.measure_distances(pairs.sides, pairs.alphabet_size, hint).tolist()


def find_operations(references, hypotheses):
    """Operations of each pair."""
    pairs = encode_pairs(references, hypotheses, "char")
    operations, lengths = levenshtein.find_operations(pairs.sides, pairs.alphabet_size)
    return [path.tolist() for path in np.split(operations, np.cumsum(lengths)[:-1])]


def draw(alphabet, length, rng):
    return "".join([alphabet[index] for index in rng.integers(len(alphabet), size=length)])


def corrupt(text, alphabet, rate, rng):
    units = []
    for unit, other, kind in zip(text, draw(alphabet, len(text), rng), rng.random(len(text)) / rate, strict=True):
        if kind < 0.5:
            units.append(other)
        elif kind < 0.75:
            units += [unit, other]
        elif kind >= 1:
            units.append(unit)
    return "".join(units)


def random_pairs(seed, lengths=LENGTHS, each=4):
    """Unrelated and related pairs of all combinations of alphabet and length."""
    rng = np.random.default_rng(seed)
    references, hypotheses = [], []
    for alphabet in ALPHABETS:
        for length in lengths:
            for _ in range(each):
                reference = draw(alphabet, length, rng)
                references += [reference, reference]
                hypotheses.append(draw(alphabet, rng.choice(lengths), rng))
                hypotheses.append(corrupt(reference, alphabet, 0.2, rng))
    return references, hypotheses


texts = st.sampled_from(ALPHABETS).flatmap(lambda alphabet: st.text(alphabet, max_size=150))


@given(texts, texts)
def test_distance_equals_the_textbook(reference, hypothesis):
    assert sum(count([reference], [hypothesis])[0][1:]) == slow_distance(reference, hypothesis)


@given(texts, texts)
def test_the_kinds_account_for_every_unit_of_both_sides(reference, hypothesis):
    [(hits, substitutions, deletions, insertions)] = count([reference], [hypothesis])
    assert min(hits, substitutions, deletions, insertions) >= 0
    assert hits + substitutions + deletions == len(reference)
    assert hits + substitutions + insertions == len(hypothesis)


@pytest.mark.parametrize(
    ("seed", "lengths", "each"),
    [
        (1, LENGTHS, 4),
        (2, (1000, 1023, 1024, 1025), 1),
        # Where a strip ends.
        (10, (510, 511, 512, 513, 575, 576, 577, 1088), 1),
    ],
)
def test_each_kind_is_counted_as_rapidfuzz_counts_it(seed, lengths, each):
    references, hypotheses = random_pairs(seed=seed, lengths=lengths, each=each)
    expected = [rapidfuzz_counts(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert count(references, hypotheses) == expected


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.003, 0.02, 0.1, 0.4])
def test_a_long_text_is_counted_as_in_the_whole_matrix(rate):
    rng = np.random.default_rng(11)
    for alphabet in ("ab", "etaoinshrd "):
        reference = draw(alphabet, 5000, rng)
        hypothesis = corrupt(reference, alphabet, rate, rng)
        assert count([reference], [hypothesis]) == [list(full_matrix_counts(reference, hypothesis))]


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 2500, 5000])
@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_a_long_insertion_or_deletion_lies_in_the_band(place, side):
    rng = np.random.default_rng(12)
    short = draw("abcdefgh", 5000, rng)
    long = corrupt(short[:place] + draw("abcdefgh", 2000, rng) + short[place:], "abcdefgh", 0.02, rng)
    pair = (long, short) if side == "reference" else (short, long)
    assert count([pair[0]], [pair[1]]) == [list(full_matrix_counts(*pair))]


def test_a_text_that_begins_with_noise_and_one_that_ends_with_it():
    rng = np.random.default_rng(13)
    text = draw("etaoinshrd ", 12_000, rng)
    for noisy in (draw("xyz", 3000, rng) + text[3000:], text[:9000] + draw("xyz", 3000, rng)):
        assert measure([text], [noisy]) == [Levenshtein.distance(text, noisy)]


def test_texts_with_as_many_symbols_as_units():
    symbols = [chr(code) for code in range(0x4E00, 0x4E00 + 1500)]
    rng = np.random.default_rng(3)
    references = [draw(symbols, 1900, rng) for _ in range(3)] + ["".join(symbols)]
    hypotheses = [corrupt(reference, symbols, 0.3, rng) for reference in references]
    expected = [rapidfuzz_counts(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert count(references, hypotheses) == expected


@pytest.mark.parametrize("hint", [levenshtein.NO_HINT, 0, 1, 40, 5000])
def test_a_hint_does_not_change_a_distance(hint):
    references, hypotheses = random_pairs(seed=4, lengths=(*LENGTHS, 600, 2100), each=1)
    expected = [Levenshtein.distance(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert measure(references, hypotheses, hint) == expected


def test_distances_are_the_errors_that_are_counted():
    references, hypotheses = random_pairs(seed=5)
    assert measure(references, hypotheses) == [sum(counts[1:]) for counts in count(references, hypotheses)]


@pytest.mark.slow
@pytest.mark.parametrize("alphabet", ["ab", "abcd", "aé漢😀"])
def test_many_short_pairs_are_counted_as_rapidfuzz_counts_them(alphabet):
    rng = np.random.default_rng(14)
    references = [draw(alphabet, length, rng) for length in rng.integers(0, 14, size=17_000)]
    hypotheses = [draw(alphabet, length, rng) for length in rng.integers(0, 14, size=17_000)]
    expected = [rapidfuzz_counts(*pair) for pair in zip(references, hypotheses, strict=True)]
    assert count(references, hypotheses) == expected


def test_the_operations_are_those_that_are_counted():
    references, hypotheses = random_pairs(seed=6, lengths=(*LENGTHS, 600, 2100), each=1)
    found = [[path.count(kind) for kind in KINDS] for path in find_operations(references, hypotheses)]
    assert found == count(references, hypotheses)


def test_the_operations_turn_the_reference_into_the_hypothesis():
    references, hypotheses = random_pairs(seed=6, each=1)
    paths = find_operations(references, hypotheses)
    for reference, hypothesis, path in zip(references, hypotheses, paths, strict=True):
        row = column = 0
        for kind in path:
            if kind in (kinds.HIT, kinds.SUBSTITUTION):
                assert (reference[row] == hypothesis[column]) == (kind == kinds.HIT)
            row += kind != kinds.INSERTION
            column += kind != kinds.DELETION
        assert (row, column) == (len(reference), len(hypothesis))


def test_common_ends_are_hits():
    [path] = find_operations(["aab"], ["ab"])
    assert path == [kinds.HIT, kinds.DELETION, kinds.HIT]


def test_an_empty_reference_counts_insertions_an_empty_hypothesis_deletions_and_no_pair_nothing():
    assert count(["", "", "abc"], ["abc", "", ""]) == [[0, 0, 0, 3], [0, 0, 0, 0], [0, 0, 3, 0]]
    assert count([], []) == []


def test_a_pair_is_counted_the_same_whatever_stands_beside_it():
    references, hypotheses = random_pairs(seed=7, each=1)
    alone = [count([reference], [hypothesis])[0] for reference, hypothesis in zip(references, hypotheses, strict=True)]
    assert count(references, hypotheses) == alone


def test_the_same_counts_and_operations_on_one_thread_and_on_three(use_threads):
    references, hypotheses = random_pairs(seed=8)
    found = []
    for threads in (1, 3):
        use_threads(threads)
        found.append([function(references, hypotheses) for function in (count, measure, find_operations)])
    assert found[0] == found[1]


def test_short_pairs_are_grouped_with_those_of_nearly_their_length():
    rng = np.random.default_rng(12)
    spans = rng.integers(1, short_pairs.MOST_ROWS + 1, size=(1000, 4))
    members = np.flatnonzero(rng.random(1000) < 0.7)
    order = np.full(1000, -1)
    levenshtein._sort_by_rows(members, spans, np.empty(short_pairs.MOST_ROWS + 2, np.int64), order)
    found = order[: len(members)]
    assert sorted(found.tolist()) == members.tolist()
    assert np.all(np.diff(spans[found, 3]) >= 0)


def test_codes_may_be_numbers_of_anything():
    codes = np.concatenate([np.array([7, 900_000, 7, 3], np.uint32), np.zeros(PADDING, np.uint32)])
    codes.setflags(write=False)
    path, _ = levenshtein.find_operations((codes, np.array([[0, 4]]), codes, np.array([[1, 4]])), 900_001)
    assert path.tolist() == [kinds.DELETION] + 3 * [kinds.HIT]


def test_two_texts_of_twenty_thousand_characters_without_anything_in_common():
    assert count(["a" * 20_000], ["b" * 20_000]) == [[0, 20_000, 0, 0]]
