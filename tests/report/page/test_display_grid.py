import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import column_grid, split_graphemes
from misread.report.page.display_grid import make_display_grid

TEXTS = st.text(alphabet="ab \u0301\u0302ü\U0001f1eb\U0001f1f7\u200d", max_size=12)


def text_of(grid, row):
    """What a row reads, from its letters and the reference."""
    texts = iter(row.texts)
    return "".join(
        reference if letter == "C" else "" if letter in "D " else next(texts)
        for reference, letter in zip(grid.reference, row.letters, strict=True)
    )


@given(TEXTS, TEXTS, TEXTS)
def test_a_row_reads_as_its_hypothesis_and_the_first_as_the_reference(reference, one, other):
    grid = make_display_grid(column_grid(reference, {"one": one, "other": other}))
    assert "".join(grid.reference) == reference
    assert [text_of(grid, row) for row in grid.rows] == [one, other]


@given(TEXTS, TEXTS)
def test_no_cell_tears_a_grapheme(reference, hypothesis):
    grid = make_display_grid(column_grid(reference, {"a": hypothesis}))
    cells = [cell for cell in grid.reference if cell]
    breaks = {sum(map(len, cells[:place])) for place in range(len(cells) + 1)}
    graphemes = split_graphemes(reference)
    assert breaks <= {sum(map(len, graphemes[:place])) for place in range(len(graphemes) + 1)}


@pytest.mark.parametrize(
    ("reference", "hypothesis", "letters"),
    [
        ("abc", "abc", "CCC"),
        ("abc", "axbc", "CICC"),
        ("e\u0301t", "et", "SC"),
        ("et", "e\u0301t", "SC"),
        ("ab", "", "DD"),
    ],
)
def test_letters_say_what_happened_to_each_cell(reference, hypothesis, letters):
    assert make_display_grid(column_grid(reference, {"a": hypothesis})).rows[0].letters == letters


def test_a_system_without_output_has_no_row():
    assert make_display_grid(column_grid("a", {"a": None, "b": ""})).rows[0] is None
