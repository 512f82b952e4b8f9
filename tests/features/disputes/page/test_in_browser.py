"""The page on which truth is typed, in a real browser."""

import csv

import pytest
from PIL import Image

import misread
from misread.features.disputes.tables import read_filled

from ..made_readings import fill_csv, make_lines, misread_at_random

LINES = make_lines(36)
SYSTEMS = {name: misread_at_random(LINES, share, seed) for name, share, seed in (("a", 0.05, 2), ("b", 0.1, 3))}
PAGES = [f"p{number // 3}" for number in range(36)]


@pytest.fixture
def disputes(tmp_path):
    for number in range(36):
        Image.new("L", (900, 40), 255).save(tmp_path / f"{number}.png")
    return misread.dispute(
        SYSTEMS, seed=1, clusters=PAGES, media=[str(tmp_path / f"{number}.png") for number in range(36)]
    )


@pytest.fixture
def tab(disputes, open_tab, tmp_path):
    disputes.page(tmp_path / "index.html")
    tab = open_tab(None, accept_downloads=True)
    tab.page.wait_for_selector("#card:not([hidden])")
    return tab


def type_truth(keyboard, truth, span):
    """By keyboard alone: a number, a letter, or a text."""
    if truth == "[?]":
        keyboard.press("u")
    elif truth == "[]":
        keyboard.press("e")
    elif truth in span.readings:
        keyboard.press(str(1 + span.readings.index(truth)))
    else:
        keyboard.press("t")
        keyboard.insert_text(truth)
        keyboard.press("Enter")


def test_spans_typed_by_keyboard_saved_and_read_give_the_verdict_of_the_filled_table(disputes, tab, tmp_path):
    assert len(disputes) > 100
    # Two thirds are readings; some typed texts begin with a number, or look like HTML.
    others = ["[?]", "[]", "1 typed", '<b>"typed"</b>, und mehr']
    truths = [
        span.readings[number % len(span.readings)] if number % 3 else others[number // 3 % 4]
        for number, span in enumerate(disputes.spans)
    ]
    half = len(truths) // 2
    for truth, span in zip(truths[:half], disputes.spans[:half], strict=True):
        type_truth(tab.page.keyboard, truth, span)
    assert tab.page.inner_text("#done") == f"{half} of {len(truths)} spans done"
    tab.page.reload()
    tab.page.wait_for_selector("#card:not([hidden])")
    # It goes on where it was left; back and forth changes nothing.
    assert tab.page.inner_text("#where").startswith(f"{half + 1} of {len(truths)} · segment ")
    tab.page.keyboard.press("ArrowLeft")
    tab.page.keyboard.press("ArrowRight")
    for truth, span in zip(truths[half:], disputes.spans[half:], strict=True):
        type_truth(tab.page.keyboard, truth, span)
    assert tab.page.inner_text("#done") == f"{len(truths)} of {len(truths)} spans done"
    assert tab.page.locator("#medium img").evaluate("image => image.naturalWidth") == 900

    disputes.save(tmp_path / "table.csv")
    fill_csv(tmp_path / "table.csv", truths)
    expected = disputes.verdict(tmp_path / "table.csv")
    for button, name in (("#save-lines", "filled.jsonl"), ("#save-table", "filled.csv")):
        with tab.page.expect_download() as download:
            tab.page.focus(button)
            tab.page.keyboard.press("Enter")
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
        verdict = disputes.verdict(tmp_path / name)
        assert verdict.to_record() == expected.to_record()
    with (tmp_path / "filled.csv").open(newline="", encoding="utf-8") as file:
        rows = [(row["truth"], row["mark"]) for row in csv.DictReader(file)]
    marks = {"[?]": ("", "unreadable"), "[]": ("", "nothing")}
    assert rows == [marks.get(truth, (truth, "")) for truth in truths]
    assert tab.complaints == []
    assert [url for url in tab.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_readings_and_texts_that_look_like_something_else_are_saved_as_they_are(open_tab, tmp_path):
    systems = {"a": ["=2+2", "\t", "[?]", "x ", "+", "y"], "b": ["'=2+2", "\\t", "[]", "x", "-1", "z"]}
    disputes = misread.dispute(systems, seed=1, ids=["=1+1", "@b", "c", "d", "e", "f"], context=9)
    disputes.page(tmp_path / "index.html")
    tab = open_tab(None, accept_downloads=True)
    tab.page.wait_for_selector("#card:not([hidden])")
    truths = [span.readings[0] for span in disputes.spans[:-1]] + ["=9+9 "]
    for _ in truths[:-1]:
        tab.page.keyboard.press("1")
    type_truth(tab.page.keyboard, truths[-1], disputes.spans[-1])
    for button, name in (("#save-lines", "filled.jsonl"), ("#save-table", "filled.csv")):
        with tab.page.expect_download() as download:
            tab.page.click(button)
        download.value.save_as(tmp_path / name)
        assert [*read_filled(tmp_path / name, disputes).truths.values()] == truths
    with (tmp_path / "filled.csv").open(newline="", encoding="utf-8") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell[:1] in tuple("=+-@") and cell[1:] and cell != "-1"]


def test_axe_finds_nothing_serious(tab, axe):
    tab.page.evaluate("document.querySelector('details').open = true")
    tab.page.keyboard.press("u")
    tab.page.evaluate(axe)
    found = tab.page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found if rule["impact"] in ("serious", "critical")] == []
