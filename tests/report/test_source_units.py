import pytest

from misread.report.source_units import SourceUnits, find_source_units

PAGES = {"p1": "one\ntwo\n\nthree\n", "p2": "", "p3": "four\n  \nfive"}


def units(*offers, texts=PAGES):
    return find_source_units(frozenset(offers), list(texts), list(texts.values()))


def test_pages_have_the_lines_of_their_references_that_are_not_blank():
    found = units("page_image", "recorded:a")
    assert (found.are_lines, found.are_pages, found.lines) == (False, True, {"p1": 3, "p2": 0, "p3": 2})
    assert found.count_lines(["p1", "p1", "p3"]) == 8


def test_of_pages_whose_references_are_one_line_the_lines_are_not_known():
    assert units("page_image", texts={"p1": "one two", "p2": ""}).count_lines(["p1"]) is None


def test_every_line_is_a_line_whatever_its_reference_has():
    assert units("line_image").count_lines(["p1", "p2"]) == 2


@pytest.mark.parametrize("offers", [["audio"], ["recorded:a"], ["line_image", "page_image"], []])
def test_other_sources_are_neither(offers):
    assert units(*offers) == SourceUnits()
