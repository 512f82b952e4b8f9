import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import arrange_columns, column_grid, error_counts, split_graphemes
from misread.alignment.api import align
from misread.errors import InputTextError, UnknownNameError
from misread.text.words import split_words

texts = st.text(st.sampled_from("ab \u00a0é漢😀\u0301"), max_size=30)
SPLIT = {"char": tuple, "grapheme": split_graphemes, "word": split_words}


def shown(grid):
    """Reference and rows with a mark for every gap."""
    rows = {name: "".join(unit or "_" for unit in row.units) for name, row in grid.rows.items()}
    return {"reference": "".join(unit or "_" for unit in grid.reference), **rows}


@given(texts, st.lists(st.none() | texts, max_size=4), st.sampled_from(["char", "grapheme", "word"]))
def test_every_row_read_from_left_to_right_is_its_text(reference, hypotheses, unit):
    grid = column_grid(reference, {str(number): text for number, text in enumerate(hypotheses)}, unit=unit)
    split = SPLIT[unit]
    assert tuple(unit for unit in grid.reference if unit is not None) == tuple(split(reference))
    for row, text in zip(grid.rows.values(), hypotheses, strict=True):
        if text is None:
            assert row is None
        else:
            assert row.text_units == tuple(split(text))
            assert len(row.units) == len(row.letters) == len(grid)


@given(texts, st.lists(texts, min_size=1, max_size=4), st.sampled_from(["unit", "sclite", "transpositions"]))
def test_letters_are_the_operations_that_are_counted(reference, hypotheses, alignment):
    grid = column_grid(reference, {str(number): text for number, text in enumerate(hypotheses)}, alignment=alignment)
    counts = error_counts([reference] * len(hypotheses), hypotheses, alignment=alignment)
    for number, row in enumerate(grid.rows.values()):
        found = [row.letters.count(letter) for letter in "CSDI"]
        of = counts.hits, counts.substitutions, counts.deletions, counts.insertions
        assert found == [int(column[number]) for column in of]
        assert row.letters.count("T") == 2 * counts.transpositions[number]


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_a_cell_says_what_its_column_holds(reference, hypotheses):
    grid = column_grid(reference, {str(number): text for number, text in enumerate(hypotheses)})
    for column in grid.columns:
        for unit, letter in column.cells.values():
            if column.reference is None:
                assert letter == ("I" if unit else " ")
            else:
                assert letter == ("C" if unit == column.reference else "S" if unit else "D")


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_slots_are_as_wide_as_the_longest_insertion(reference, hypotheses):
    grid = column_grid(reference, {str(number): text for number, text in enumerate(hypotheses)})
    longest = [0] * (len(reference) + 1)
    for text in hypotheses:
        inserted = [0] * (len(reference) + 1)
        for operation in align(reference, text).operations:
            inserted[operation.reference_position] += operation.kind == "insertion"
        longest = list(map(max, longest, inserted))
    assert len(grid) == len(reference) + sum(longest)


def test_equal_insertions_of_different_systems_share_their_columns():
    grid = column_grid("(.)", {"a": "(xyz.)", "b": "(yz.)", "c": "(z.)", "d": "(xz.)"})
    assert shown(grid) == {"reference": "(___.)", "a": "(xyz.)", "b": "(_yz.)", "c": "(__z.)", "d": "(x_z.)"}


def test_an_insertion_that_meets_nothing_stands_at_the_left():
    assert shown(column_grid("(.)", {"a": "(xyz.)", "b": "(p.)"}))["b"] == "(p__.)"


def test_as_many_inserted_units_meet_as_can():
    dice = np.random.default_rng(7)
    for _ in range(60):
        longest = [dice.choice(list("abc")) for _ in range(dice.integers(1, 8))]
        run = [dice.choice(list("abc")) for _ in range(dice.integers(1, len(longest) + 1))]
        grid = column_grid("", {"a": "".join(longest), "b": "".join(run)})
        pairs = zip(grid.rows["a"].units, grid.rows["b"].units, strict=True)
        assert sum(one == other for one, other in pairs) == most_meetings(longest, run)


def most_meetings(longest, run):
    """Try every way to place the run, by recursion."""
    if not run:
        return 0
    places = range(len(longest) - len(run) + 1)
    return max((longest[place] == run[0]) + most_meetings(longest[place + 1 :], run[1:]) for place in places)


def test_an_empty_hypothesis_is_all_deletions_and_a_missing_one_is_no_row():
    grid = column_grid("ab", {"empty": "", "missing": None})
    assert grid.rows["empty"] == (("", ""), "DD")
    assert grid.rows["missing"] is None
    assert [column.cells for column in grid.columns] == [{"empty": ("", "D")}] * 2


def test_nothing_under_a_reference_is_the_reference():
    assert column_grid("ab", {}).reference == ("a", "b")
    assert len(column_grid("", {"a": ""})) == 0


def test_long_hallucinations_of_two_systems_take_as_many_columns_as_the_longer():
    grid = column_grid("end", {"a": "x" * 3000 + "end", "b": "y" * 1000 + "x" * 500 + "end"})
    assert len(grid) == 3003
    # All that can meet does: the last 500 of the second stand below an x of the first.
    assert grid.rows["b"].text_units == tuple("y" * 1000 + "x" * 500 + "end")


def test_canonically_equivalent_graphemes_share_a_column_and_keep_their_form():
    row = column_grid("M\u00fcll", {"a": "Mu\u0308ll"}, unit="grapheme").rows["a"]
    assert (row.letters, row.units[1]) == ("CCCC", "u\u0308")


def test_what_cannot_be_aligned_is_refused():
    with pytest.raises(UnknownNameError, match="unit"):
        column_grid("a", {"a": "b"}, unit="line")
    with pytest.raises(InputTextError):
        column_grid("a", {"a": "\ud800"})


def test_known_letters_give_the_grid_that_aligning_gives():
    hypotheses = {"a": "x one too", "b": None, "c": ""}
    letters = {"a": "ICS", "b": None, "c": "DD"}
    arranged = arrange_columns("one two", hypotheses, letters, unit="word")
    assert arranged == column_grid("one two", hypotheses, unit="word")
