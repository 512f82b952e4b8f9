from misread.report.render.markdown_text import code_span, escape_markdown, markdown_row


def test_marks_are_escaped():
    assert escape_markdown("tesseract_4 | <b>") == r"tesseract\_4 \| \<b\>"


def test_code_stands_between_more_backticks_than_it_has():
    assert [code_span(text) for text in ("cer|unit:char", "a`b", "``")] == [
        "`cer|unit:char`",
        "`` a`b ``",
        "``` `` ```",
    ]


def test_a_row_has_a_bar_at_either_end():
    assert markdown_row(["a", "1"]) == "| a | 1 |"
