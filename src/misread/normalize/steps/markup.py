"""Steps from markup to text."""

import re
from functools import cache
from html.parser import HTMLParser
from typing import Any, Final

_BLOCKS: Final = frozenset(
    (
        *("address", "article", "aside", "blockquote", "caption", "dd", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4"),
        *("h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p"),
        *("pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul", "br"),
    )
)
_CELLS: Final = frozenset(("td", "th"))
_UNSEEN: Final = frozenset(("script", "style", "head", "template", "noscript"))
_MARKUP: Final = re.compile(r"<[A-Za-z/!?]|&[#A-Za-z]")
# A tag ends before the next one begins; whatever else looks like one is text.
_NOT_A_TAG: Final = re.compile(r"<(?!/?[A-Za-z][^<>]*>)")
_DECLARATION: Final = re.compile(r"<[!?][^<>]*>")
_MOST_BRACKETS: Final = 200
_LATEX: Final = re.compile(
    r"\$\$([^$]+)\$\$|\$([^$\n]+)\$|\\\[((?:[^\\]|\\(?![\[\]]))+)\\\]|\\\(((?:[^\\]|\\(?![()]))+)\\\)"
)
_REFERENCE: Final = re.compile(
    r"<\|/?(?:ref|grounding|box|quad|point|object_ref|im)(?:_start|_end)?\|>|</?(?:ref|box|quad|point)>"
)
_PLACE: Final = re.compile(
    r"<\|det\|>[^<>]{0,2000}<\|/det\|>|<\|box_start\|>[^<>]{0,2000}<\|box_end\|>|<box>[^<>]{0,2000}</box>"
    r"|<loc_\d{1,6}>|<\|/?det\|>|<[xy]_\d{1,4}(?:\.\d{1,9})?>"
)


def markdown_to_text(text: str, *, joiner: str = "\n") -> str:
    r"""Render CommonMark, with tables and strikethrough, to text; `joiner` separates blocks.

    >>> markdown_to_text("# Title\n\nSome *words*\n\n- item", joiner=" | ")
    'Title | Some words | item'
    """
    blocks: list[str] = []
    cells: list[str] | None = None
    # Brackets of one paragraph are tried as links with all that follow.
    links = all(block.count("[") + block.count("<") <= _MOST_BRACKETS for block in text.split("\n\n"))
    for token in _markdown(links=links).parse(text):
        if token.type == "tr_open":
            cells = []
        elif token.type == "tr_close":
            blocks.append(" ".join(cells or ()))
            cells = None
        elif token.type == "inline":
            (blocks if cells is None else cells).append(_inline(token.children or ()))
        elif token.type in ("fence", "code_block"):
            blocks.append(token.content.rstrip("\n"))
        elif token.type == "html_block":
            blocks.append(html_to_text(token.content, joiner=joiner))
    return joiner.join(block for block in blocks if block)


def html_to_text(text: str, *, joiner: str = "\n") -> str:
    r"""Take tags and entities out of HTML; `joiner` separates blocks, and a space the cells of a row.

    >>> html_to_text("<p>One &amp; <b>two</b></p><table><tr><td>3<td>4</table>")
    'One & two\n3 4'
    """
    if not _MARKUP.search(text):
        return text
    reader = _TextOfHtml()
    reader.feed(_NOT_A_TAG.sub("&lt;", _DECLARATION.sub("", _without_comments(text))))
    reader.close()
    return joiner.join(filter(None, (" ".join(block.split()) for block in "".join(reader.parts).split("\0"))))


def remove_latex_delimiters(text: str) -> str:
    r"""Remove the marks around formulas, $...$, $$...$$, \(...\) and \[...\], and keep what they contain.

    >>> remove_latex_delimiters(r"so $x^2$ and \(y\)")
    'so x^2 and y'
    """
    return _LATEX.sub(lambda match: next(filter(None, match.groups())), text)


def remove_grounding_tags(text: str) -> str:
    """Remove tags by which vision models locate a text, with their coordinates; the text stays.

    >>> remove_grounding_tags("<|ref|>Title<|/ref|><|det|>[[1, 2, 3, 4]]<|/det|>")
    'Title'
    """
    return _REFERENCE.sub("", _PLACE.sub("", text)) if "<" in text else text


class _TextOfHtml(HTMLParser):
    """Text of HTML in parts, a NUL between blocks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        self._unseen += tag in _UNSEEN
        self._separate(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in _UNSEEN and self._unseen > 0
        self._separate(tag)

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data.replace("\0", ""))

    def _separate(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.parts.append("\0")
        elif tag in _CELLS:
            self.parts.append(" ")


def _without_comments(text: str) -> str:
    parts: list[str] = []
    end = 0
    while (start := text.find("<!--", end)) >= 0:
        closing = text.find("-->", start)
        if closing < 0:
            break
        parts.append(text[end:start])
        end = closing + len("-->")
    return "".join([*parts, text[end:]])


@cache
def _markdown(*, links: bool) -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return parser if links else parser.disable(["link", "image", "autolink", "html_inline"])


def _inline(children: Any) -> str:
    parts = []
    for child in children:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(_inline(child.children or ()))
    return "".join(parts)
