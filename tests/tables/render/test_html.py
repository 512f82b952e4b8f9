from lxml import html

from misread.tables import render_html

NASTY = '<img src=x onerror="alert(1)"> & </script>'


def rows(text):
    return [[cell.text_content() for cell in row] for row in html.fromstring(text).iter("tr")]


def test_the_cells_are_those_of_the_table(make_paper, three):
    table = make_paper(three)
    assert rows(render_html(table)) == [
        [column.plain for column in table.headings],
        *[[cell.plain for cell in row] for row in table.cells],
    ]


def test_whatever_a_name_holds_it_stays_text(make_paper, make_result):
    of = make_result({"a": 0.1}, not_applicable={NASTY: NASTY}, warnings=(NASTY,))
    text = render_html(make_paper(of, names={"a": NASTY, "books": NASTY}))
    assert "<img" not in text
    assert "</script" not in text
    assert rows(text)[1][0] == NASTY


def test_a_name_heads_its_row_and_a_title_its_column(make_paper, three):
    found = html.fromstring(render_html(make_paper(three)))
    assert [head.get("scope") for head in found.iter("th")] == ["col"] * 8 + ["row"] * 3


def test_notes_and_signature_stand_below(make_paper, three):
    (below,) = html.fromstring(render_html(make_paper(three))).iter("figcaption")
    assert below.text_content().endswith(str(three.signature))
