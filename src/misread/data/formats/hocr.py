"""hOCR: HTML or XHTML whose classes mark areas, lines and words.

Source: http://kba.github.io/hocr-spec/1.2/. A line of words is these words, whatever is between their elements; other
texts are what a browser shows, with one space for each run of white space. In a word, white space between elements and
around a line break formats the file. Paragraphs and cells of tables without lines are lines. Alternatives are no text:
choices of characters (Tesseract's `lstm_choice_mode`) and `alternatives` that are not shown; nor are characters of a
word with boxes (`hocr_char_boxes`), unless it has no other text.
"""

import re
from collections.abc import Iterable, Iterator
from html.entities import html5
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from misread.data.formats.account import Account
from misread.data.formats.base import Format
from misread.data.formats.content import Content
from misread.data.formats.layout import (
    ALTERNATIVES,
    Layout,
    Line,
    Region,
    Word,
    join_confidences,
    make_layout,
    read_confidence,
)
from misread.data.formats.xml_files import BEFORE_ROOT, explain, import_etree, not_well_formed, parse, read_limited
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text

_HOCR: Final = re.compile(
    rf"""{BEFORE_ROOT}<html[\s>](?=.*(?:\bclass\s*=\s*["']ocr_page|["']ocr-(?:system|capabilities)["']))""", re.DOTALL
)

_AREAS: Final = frozenset({"ocr_carea", "ocrx_block"})
_LINES: Final = frozenset({"ocr_line", "ocrx_line"})
# Paragraphs, and what Tesseract has for single lines and others for blocks of lines.
_BLOCKS: Final = frozenset(
    {"ocr_par", "ocr_header", "ocr_footer", "ocr_caption", "ocr_textfloat", "ocr_pageno", "ocr_float"}
)
_WORDS: Final = frozenset({"ocrx_word", "ocr_word"})
_BEGINS_XML: Final = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml\b|<!DOCTYPE[^>\[]*\bXHTML\b)", re.IGNORECASE
)
_HEAD: Final = 1 << 12
_INSIDE_WORDS: Final = "ocrx_cinfo"
_BOX: Final = "x_bboxes"
_CONFIDENCES: Final = "x_conf"
_CONFIDENCE: Final = re.compile(r"\bx_wconf\s+(\d+(?:\.\d+)?)")
_LINE_BREAK: Final = re.compile(r"[ \t\r\f]*\n\s*")
# Elements of HTML with a text of their own, such as cells of tables, those without any, and others that may be empty.
_PARAGRAPHS: Final = frozenset(
    {
        *("p", "div", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "td", "th", "caption", "figcaption"),
        *("address", "article", "aside", "blockquote", "center", "footer", "header", "main", "section"),
    }
)
_NO_TEXT: Final = frozenset({"head", "script", "style"})
_EMPTY: Final = _PARAGRAPHS | {"br", "hr", "wbr", "img", "span"}
_NAME: Final = re.compile(r"(?:\{.*\})?[a-z_][\w:.-]*", re.ASCII | re.IGNORECASE)
_WHITE_SPACE: Final = re.compile(r"[ \t\n\r\f]+")


def read_hocr(path: Path, *, words: bool = False, encoding: str = UTF_8) -> Layout:
    """Read a file; `words` says whether words are needed, and `encoding` is that of HTML, as XHTML names its own.

    Areas are regions, paragraphs where there are no areas, else the whole page. Raises InputFileError with file and
    line if XHTML is not well-formed, HTML is cut short, or there is no page.
    """
    reader = _Reader(path, words)
    root = _parse(path, encoding)
    marked = [element for element in root.iter(import_etree().Element) if "ocr_page" in _classes(element)]
    pages = [page for page in marked if {*marked}.isdisjoint(page.iterancestors())]
    if not pages:
        raise InputFileError(f"{path}, line 1: expected hOCR, but no element has the class ocr_page.")
    parts = [list(reader.regions(page)) for page in pages]
    reader.look_through(root)
    return make_layout(path, list(chain.from_iterable(parts)), reader.account)


class _Reader:
    """Reader of one file: its settings, and its account."""

    def __init__(self, path: Path, words: bool) -> None:
        self.path = path
        self.words = words
        self.account = Account(HOCR.label, path)
        self._etree = import_etree()
        self._holders: set[Any] = set()  # elements that have a line, or what may be one, somewhere inside
        self._read: set[Any] = set()  # elements whose text is read
        self._no_text: dict[Any, str] = dict.fromkeys(_NO_TEXT, "")

    def regions(self, page: Any) -> Iterator[Region]:
        """Regions of a page, with its lines."""
        for element in page.iterdescendants(self._etree.Element):
            if _classes(element) & (_LINES | _BLOCKS | _AREAS) or _is_paragraph(element):
                parent = element.getparent()
                while parent is not None and parent not in self._holders:
                    self._holders.add(parent)
                    parent = parent.getparent()
        for region, parts in groupby(self._parts(page, page), key=itemgetter(0)):
            yield Region(region.get("id", ""), None, region.sourceline, [self._line(part) for _, part in parts])

    def look_through(self, root: Any) -> None:
        """Account for everything that is not read."""
        self.account.add_tree(root.xpath("descendant::text()[normalize-space()]"), self._read, self._no_text)

    def _parts(self, element: Any, holder: Any) -> Iterator[tuple[Any, Any]]:
        """Lines inside an element, each with its region; an element with words and without lines is itself a line."""
        if element not in self._holders:
            yield holder, element
            return
        for child in element.iterchildren(self._etree.Element):
            classes = _classes(child)
            if classes & (_LINES | _WORDS):
                yield holder, child
            elif classes & _AREAS or (classes & _BLOCKS and not _classes(holder) & _AREAS):
                yield from self._parts(child, child)
            elif classes & _BLOCKS or child in self._holders:
                yield from self._parts(child, holder)
            elif _is_paragraph(child) and "".join(child.itertext()).strip():
                yield holder, child

    def _line(self, element: Any) -> Line:
        words: list[Word] = []
        text = _WHITE_SPACE.sub(" ", "".join(self._pieces(element, words))).strip(" ")
        joined = " ".join(word.text for word in words if word.text)
        # They are the line only if it has no other text.
        is_whole = "".join(text.split()) == "".join(joined.split())
        if is_whole and words:
            text = joined
        sure = join_confidences((word.text, word.confidence) for word in words) if is_whole else None
        return Line(element.get("id", ""), text, element.sourceline, words if self.words else (), sure)

    def _word(self, element: Any) -> Word:
        match = _CONFIDENCE.search(element.get("title", ""))
        sure = read_confidence(match[1], 100.0) if match else None
        return Word(element.get("id", ""), self._word_text(element), element.sourceline, sure)

    def _word_text(self, word: Any) -> str:
        """Text of a word without white space that formats the file, else its characters, each with a box."""
        text = _join_pieces(self._pieces(word, None))
        if text:
            return text
        inside = [child for child in word.iter(self._etree.Element) if _INSIDE_WORDS in _classes(child)]
        boxed = [child for child in inside if _BOX in child.get("title", "")]
        # Choices have confidences alone, but characters without a box, too.
        characters = boxed or [child for child in inside if _CONFIDENCES not in child.get("title", "")]
        for child in () if characters else inside:
            self._no_text.pop(child, None)
        return _join_pieces(piece for child in characters for piece in self._pieces(child, None))

    def _pieces(self, element: Any, words: list[Word] | None) -> Iterator[str]:
        """Texts of an element, with those of its words, which are gathered; within a word there are none (None)."""
        self._read.add(element)
        if words is not None and _classes(element) & _WORDS:
            # A blank between words is none.
            if (word := self._word(element)).text or not "".join(element.itertext()):
                words.append(word)
            yield word.text or ""
            return
        yield element.text or (" " if _name(element) == "br" else "")
        for child in element:
            if child.tag is self._etree.Entity:
                yield self._entity(child)
            elif (reason := _why_no_text(child, in_word=words is None)) is None:
                if child.tag[0] != "{" and not child.get("class") and _is_swallowed(child):
                    self.account.doubt(
                        "texts that are like tags", f"<{' '.join([child.tag, *child.attrib])}", child.sourceline
                    )
                yield from self._pieces(child, words)
            else:
                self._no_text[child] = reason
            yield child.tail or ""

    def _entity(self, entity: Any) -> str:
        if (text := html5.get(f"{entity.name};")) is None:
            raise InputFileError(f"{self.path}, line {entity.sourceline}: {entity.text} is not an entity of HTML.")
        return text


def _parse(path: Path, encoding: str) -> Any:
    """Root of XHTML, as strict XML, or of HTML, in which tags may be missing."""
    etree = import_etree()
    data = read_limited(path)
    try:
        if _BEGINS_XML.match(data[:_HEAD].replace(b"\0", b"")):
            return parse(path, data)
        text = read_text(path, encoding=encoding)
        if "</html>" not in text[-_HEAD:].lower():
            at = text.count("\n") + 1
            raise InputFileError(f"{path}, line {at}: the file ends without </html>; it is cut short, or is not hOCR.")
        html = {"no_network": True, "huge_tree": False, "remove_comments": True, "remove_pis": True}
        parser = etree.HTMLParser(encoding="utf-8", **html)
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise not_well_formed(path, error) from None
    # Missing tags are added, but what follows a place where the parser gives up would be lost.
    fatal = next((entry for entry in parser.error_log if entry.level == etree.ErrorLevels.FATAL), None)
    if fatal is not None:
        raise InputFileError(f"{path}, line {fatal.line}: cannot be read as HTML ({explain(fatal.message)}).")
    return root


def _join_pieces(pieces: Iterable[str]) -> str:
    """The text of a word: what lies between its elements, or has a line break, formats the file."""
    text = "".join(_LINE_BREAK.sub("", piece) for piece in pieces if not piece.isspace())
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def _why_no_text(element: Any, *, in_word: bool) -> str | None:
    """Why it is no text: what a word or a text might have been, or characters of a word once more; None if it is."""
    classes = _classes(element)
    if _INSIDE_WORDS in classes and (in_word or _BOX not in element.get("title", "")):
        return "characters and choices of words that are read"
    is_other = element.tag.endswith("del") and "alt" in classes
    return ALTERNATIVES if is_other else "" if _name(element) in _NO_TEXT else None


def _is_swallowed(element: Any) -> bool:
    """Whether it is a text with the sign <, written as it is, which HTML reads as a tag without content or name."""
    is_empty = not (element.text or len(element) or any(element.attrib.values()))
    return (is_empty and _name(element) not in _EMPTY) or not all(map(_NAME.fullmatch, [element.tag, *element.attrib]))


def _is_paragraph(element: Any) -> bool:
    return _name(element) in _PARAGRAPHS


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2]


def _classes(element: Any) -> frozenset[str]:
    return frozenset(element.get("class", "").split())


def is_hocr(content: Content) -> bool:
    """Whether it is HTML with a page of hOCR, or says which capabilities of hOCR it has."""
    return _HOCR.match(content.begin) is not None


HOCR = Format(
    name="hocr",
    label="hOCR",
    kind="pages",
    paired_by="file",
    help="hOCR, as HTML or XHTML",
    endings=frozenset({".hocr", ".html", ".htm", ".xhtml", ".xml"}),
    takes=frozenset({"encoding"}),
    package="lxml",
    recognise=is_hocr,
    read=read_hocr,
)
