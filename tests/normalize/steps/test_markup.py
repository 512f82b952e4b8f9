import pytest

from misread.normalize.steps.markup import (
    html_to_text,
    markdown_to_text,
    remove_grounding_tags,
    remove_latex_delimiters,
)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A\n\nb *c* **d** `e` [f](g) ![h](i)", "A/b c d e f h"),
        ("- a\n- b\n  1. c", "a/b/c"),
        ("| a | b |\n|---|---|\n| c | d |", "a b/c d"),
        ("```py\nx = 1\n```", "x = 1"),
        ("> quoted\nline", "quoted line"),
        ("<p>a<br>b</p>", "a/b"),
        ("plain", "plain"),
        ("[a](b)" * 300, "[a](b)" * 300),
        ("", ""),
    ],
)
def test_blocks_of_markdown_are_joined(markdown, text):
    assert markdown_to_text(markdown, joiner="/") == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>A</h1><p>b <b>c</b>&nbsp;d</p>", "A/b c d"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 2/3"),
        ("a<br/>b", "a/b"),
        ("<style>x{}</style><p>y<!-- z --></p>", "y"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p>1 < 2", "1 < 2"),
        ("<p>a &lt; b", "a < b"),
        ("<![CDATA[x]]><p>y</p>", "y"),
        ("<p>open <!-- never closed", "open <!-- never closed"),
        ("no markup", "no markup"),
    ],
)
def test_blocks_of_html_are_joined(html, text):
    assert html_to_text(html, joiner="/") == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [(r"a $x$ b $$y$$ \(z\) \[w\]", "a x b y z w"), ("costs $5", "costs $5"), (r"\frac{1}{2}", r"\frac{1}{2}")],
)
def test_only_delimiters_of_formulas_go(latex, text):
    assert remove_latex_delimiters(latex) == text


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("<|ref|>Title<|/ref|><|det|>[[1,2,3,4]]<|/det|> text", "Title text"),
        ("<ref>a</ref><box>(1,2),(3,4)</box>", "a"),
        ("word<loc_12><loc_345>", "word"),
        ("a < b", "a < b"),
    ],
)
def test_grounding_tags_go_with_their_coordinates(answer, text):
    assert remove_grounding_tags(answer) == text
