import re

from misread.tables import render_markdown
from misread.tables.render.markdown import code_span, escape_markdown


def rows(text):
    return [line for line in text.splitlines() if line.startswith("| ")]


def cells(line):
    return re.split(r"(?<!\\)\|", line.strip("|"))


def test_pipes_in_names_do_not_open_a_cell(make_paper, make_result):
    text = render_markdown(make_paper(make_result({"a|b": 0.1, "c": 0.2})))
    assert [len(cells(row)) for row in rows(text)] == [7] * 4
    assert r"| **a\|b** |" in text


def test_names_are_not_read_as_markup(make_paper, make_result):
    text = render_markdown(
        make_paper(make_result({"a": 0.1}), names={"a": "_x_ *y* <b> `c` [d]", "books": "_old_ books"})
    )
    assert r"| \_x\_ \*y\* \<b\> \`c\` \[d\] |" in text
    assert text.startswith(r"CER on \_old\_ books (60 segments")


def test_the_best_is_bold_and_the_dagger_stands_at_the_rate(make_paper, three, make_result):
    assert "| **a** | **10.00** |" in render_markdown(make_paper(make_result({"a": 0.1, "b": 0.2})))
    assert "| tesseract4 | 3.81† |" in render_markdown(make_paper(three))


def test_the_signature_ends_the_table_and_no_p_value_is_shown_as_zero(make_paper, three):
    text = render_markdown(make_paper(three))
    assert text.endswith(f"\n`{three.signature}`\n")
    assert "0.000" not in text
    assert text == render_markdown(make_paper(three))


def test_a_table_in_which_no_rate_is_defined_has_a_header_and_the_reason(make_paper, make_result):
    text = render_markdown(make_paper(make_result({"a": None})))
    assert len(rows(text)) == 2
    assert "Without result: a" in text


def test_marks_are_escaped():
    assert escape_markdown("tesseract_4 | <b>") == r"tesseract\_4 \| \<b\>"


def test_code_stands_between_more_backticks_than_it_has():
    assert [code_span(text) for text in ("cer|unit:char", "a`b", "``")] == [
        "`cer|unit:char`",
        "`` a`b ``",
        "``` `` ```",
    ]
