"""A word in any text of a page is read, or in the account, or refused; names, places and white space change nothing."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from misread.data.formats import xml_files
from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.hocr import read_hocr
from misread.data.formats.page_xml import read_page_xml
from misread.errors import InputFileError

_MARK = "qqmarkqq"
_READERS = {"page": read_page_xml, "alto": read_alto_xml, "hocr": read_hocr}
_ROOTS = {
    "page": ("PcGts", {"xmlns": "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"}),
    "alto": ("alto", {"xmlns": "http://www.loc.gov/standards/alto/ns-v4#"}),
    "hocr": ("html", {"xmlns": "http://www.w3.org/1999/xhtml"}),
}
# Elements that may be in another, whether or not the schema has them there; a tag may have a class behind a dot.
_INSIDE = {
    "PcGts": ["Metadata", "Page"],
    "Metadata": ["Creator"],
    "Page": ["TextRegion", "TableRegion", "TextLine", "TextEquiv"],
    "TextRegion": ["TextRegion", "TextLine", "TextLine", "TextEquiv", "Word", "Note"],
    "TableRegion": ["TextRegion", "TableCell"],
    "TableCell": ["TextLine", "CornerPts"],
    "TextLine": ["Word", "Word", "TextEquiv", "Glyph", "String", "String", "SP", "HYP"],
    "Word": ["Glyph", "TextEquiv", "TextEquiv", "Note"],
    "Glyph": ["TextEquiv"],
    "TextEquiv": ["PlainText", "Unicode"],
    "alto": ["Description", "Layout"],
    "Description": ["fileName"],
    "Layout": ["AltoPage"],
    "AltoPage": ["PrintSpace", "TopMargin"],
    "PrintSpace": ["ComposedBlock", "TextBlock", "TextLine"],
    "TopMargin": ["TextBlock"],
    "ComposedBlock": ["ComposedBlock", "TextBlock", "TextLine"],
    "TextBlock": ["TextLine", "TextLine", "String"],
    "String": ["ALTERNATIVE", "AltoGlyph", "Note"],
    "html": ["head", "body"],
    "head": ["title"],
    "body": ["div.ocr_page", "p"],
    "div.ocr_page": ["div.ocr_carea", "p.ocr_par", "span.ocr_line", "span.ocrx_word", "table", "b"],
    "div.ocr_carea": ["p.ocr_par", "span.ocr_line", "b"],
    "p.ocr_par": ["span.ocr_line", "span.ocrx_word"],
    "span.ocr_line": ["span.ocrx_word", "span.ocrx_word", "b", "del.alt"],
    "span.ocrx_word": ["strong", "span.ocrx_cinfo", "span.ocr_glyph"],
    "strong": ["em", "span.ocrx_cinfo"],
    "table": ["td"],
    "td": ["span.ocr_line", "b"],
}
_WITH_TEXT = {"Unicode", "PlainText", "Note", "Creator", "CornerPts", "fileName", "ALTERNATIVE", "title", "p", "b"}
_WITH_TEXT |= {"del.alt", "span.ocrx_cinfo", "span.ocr_glyph", "em", "td", "span.ocrx_word", "span.ocr_line"}
_WITH_CONTENT = {"String", "HYP", "AltoGlyph"}
_TEXTS = st.sampled_from(["a", "b", "ab", "a b", ""])
# What is no text by the record of its format, wherever it is.
_NO_TEXT = {"Metadata", "CornerPts", "Description", "head"}


@st.composite
def _documents(draw, name):
    """A document of a format whose elements are where they may be, or anywhere."""

    def grow(tag, depth):
        own, _, kind = tag.partition(".")
        element = etree.Element(own.removeprefix("Alto"))
        element.set("ID" if name == "alto" else "id", f"i{draw(st.integers(0, 10**9))}")
        if kind:
            element.set("class", kind)
        if kind == "ocrx_cinfo":
            element.set("title", draw(st.sampled_from(["x_bboxes 0 0 1 1; x_conf 9", "x_confs 9", ""])))
        if tag in _WITH_CONTENT:
            element.set("CONTENT", draw(_TEXTS))
        elif tag in _WITH_TEXT:
            element.text = draw(_TEXTS)
        inside = _INSIDE.get(tag, [])
        if name == "page" or tag != "TextLine":
            inside = [child for child in inside if child not in ("String", "SP", "HYP")] or inside
        else:
            inside = ["String", "SP", "HYP"]
        if tag in ("TextEquiv", "PcGts", "alto", "html"):
            children = inside
        else:
            fewest = int(depth < 5)
            children = (
                draw(st.lists(st.sampled_from(inside), min_size=fewest, max_size=3)) if inside and depth < 8 else []
            )
        element.extend([grow(child, depth + 1) for child in children])
        return element

    root, attributes = _ROOTS[name]
    grown = etree.tostring(grow(root, 0), encoding="unicode").removeprefix(f"<{root}")
    return f'<{root} xmlns="{attributes["xmlns"]}"{grown}'


def _read(name, content):
    """Texts of the page and its lines, and the characters that the account has."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "p.xml")
        path.write_text(content)
        layout = _READERS[name](path, words=True)
    lines = [(line.text, *(word.text for word in line.words)) for region in layout.regions for line in region.lines]
    shares = [*layout.account.left_out.values(), *layout.account.unknown.values()]
    return (layout.text, lines), sum(share.characters for share in shares)


def _places(root):
    """Every element without elements inside, every text, and every CONTENT, as functions that plant a word."""
    for element in root.iter():
        if not len(element) or (element.text or "").strip():
            yield element, lambda element=element: setattr(element, "text", f"{element.text or ''} {_MARK}")
        if (element.tail or "").strip() or element.getparent() is not None:
            yield element.getparent(), lambda element=element: setattr(element, "tail", f"{element.tail or ''} {_MARK}")
        if "CONTENT" in element.attrib:
            yield element, lambda element=element: element.set("CONTENT", f"{element.get('CONTENT')} {_MARK}")


def _is_no_text(element):
    return any(etree.QName(part).localname in _NO_TEXT for part in [element, *element.iterancestors()])


@pytest.mark.parametrize("name", _READERS)
@given(st.data())
def test_a_word_in_any_place_is_read_or_in_the_account_or_refused(name, data):
    content = data.draw(_documents(name))
    root = etree.fromstring(content)
    element, plant = data.draw(st.sampled_from([*_places(root)]))
    if _is_no_text(element):
        return
    try:
        _, before = _read(name, content)
        plant()
        (text, lines), after = _read(name, etree.tostring(root, encoding="unicode"))
    except InputFileError:
        return
    in_words = any(_MARK in (part or "") for line in lines for part in line)
    assert _MARK in text or in_words or after >= before + len(_MARK)


@pytest.mark.parametrize("name", _READERS)
@given(st.data())
def test_ids_places_and_white_space_between_elements_change_no_text(name, data):
    content = data.draw(_documents(name))
    root = etree.fromstring(content)
    for number, element in enumerate(root.iter()):
        for key in {"id", "ID"} & {*element.attrib}:
            element.set(key, f"other{number}")
        element.set("HPOS" if name == "alto" else "custom", str(number))
    if name != "hocr":
        etree.indent(root, space="\t")
    else:
        for element in root.iter("{*}html", "{*}body", "{*}div", "{*}table", "{*}p"):
            element.text, *tails = [element.text, *(child.tail for child in element)]
            if not any((text or "").strip() for text in (element.text, *tails)):
                element.text = "\n  "
    try:
        before = _read(name, content)
    except InputFileError:
        return
    assert _read(name, etree.tostring(root, encoding="unicode")) == before


@pytest.mark.parametrize("name", ["page", "alto"])
@given(st.data())
def test_a_large_file_gives_the_same_as_a_small_one(name, data):
    content = data.draw(_documents(name))
    try:
        small = _read(name, content)
    except InputFileError:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_files, "LARGE", 0)
        assert _read(name, content) == small
