"""Errors of characters by script, counted by hand."""

from misread.features.scripts import count_by_script
from misread.metrics import ScoredText


def test_each_error_belongs_to_the_script_of_its_character_and_an_insertion_to_that_of_what_was_inserted():
    # A deletion before the insertion, so that both texts have their characters at other places.
    found = count_by_script(ScoredText(["xab", "где"], ["abя", "гдz"]))
    assert {name: of.length.tolist() for name, of in found.items()} == {"Latin": [3, 0], "Cyrillic": [0, 3]}
    assert {name: of.deletions.tolist() for name, of in found.items()} == {"Latin": [1, 0], "Cyrillic": [0, 0]}
    assert {name: of.insertions.tolist() for name, of in found.items()} == {"Latin": [0, 0], "Cyrillic": [1, 0]}
    assert {name: of.substitutions.tolist() for name, of in found.items()} == {"Latin": [0, 0], "Cyrillic": [0, 1]}
