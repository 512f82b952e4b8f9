"""A word in any text of a page comes back as text, and names and ids change nothing."""

import pytest
from lxml import etree

from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.hocr import read_hocr
from misread.data.formats.page_xml import read_page_xml

PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page><TextRegion id="r">'
    '<TextLine id="l"><TextEquiv><Unicode>one two</Unicode></TextEquiv></TextLine></TextRegion><TableRegion id="t">'
    '<TableCell id="c" row="0" col="0"><TextLine id="m"><TextEquiv><Unicode>three</Unicode></TextEquiv></TextLine>'
    '</TableCell><TextRegion id="s"><TextEquiv><Unicode>four</Unicode></TextEquiv></TextRegion></TableRegion></Page>'
    "</PcGts>"
)
ALTO = (
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><PrintSpace><ComposedBlock ID="c">'
    '<TextBlock ID="b"><TextLine ID="l"><String ID="s" CONTENT="one"/><SP/><String ID="t" CONTENT="two"/>'
    '<HYP CONTENT="-"/></TextLine></TextBlock></ComposedBlock></PrintSpace></Page></Layout></alto>'
)
HOCR = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><body><div class="ocr_page" id="p"><p class="ocr_par" id="a">'
    '<span class="ocr_line" id="l"><span class="ocrx_word" id="w">one<b>two</b></span> three</span>'
    '<span class="ocr_line" id="m">four<i>five</i></span></p><div class="ocr_carea" id="c">six</div></div></body>'
    "</html>"
)
_READERS = {"page": (read_page_xml, PAGE), "alto": (read_alto_xml, ALTO), "hocr": (read_hocr, HOCR)}
_MARK = "qqmarkqq"


def _places(root):
    """Every text node that is not white space, and every CONTENT, as functions that plant a text."""
    for element in root.iter():
        if (element.text or "").strip():
            yield lambda value, element=element: setattr(element, "text", value)
        if (element.tail or "").strip():
            yield lambda value, element=element: setattr(element, "tail", value)
        if "CONTENT" in element.attrib:
            yield lambda value, element=element: element.set("CONTENT", value)


@pytest.mark.parametrize("name", _READERS)
def test_a_word_in_any_text_comes_back_and_ids_change_nothing(tmp_path, name):
    read, content = _READERS[name]
    path = tmp_path / "p.xml"
    path.write_text(content)
    text = read(path).text
    number = len([*_places(etree.fromstring(content))])
    assert number > 2
    for place in range(number):
        root = etree.fromstring(content)
        [*_places(root)][place](_MARK)
        path.write_bytes(etree.tostring(root))
        assert _MARK in read(path).text
    root = etree.fromstring(content)
    for position, element in enumerate(root.iter()):
        for key in ("id", "ID"):
            if key in element.attrib:
                element.set(key, f"other{position}")
    path.write_bytes(etree.tostring(root))
    assert read(path).text == text
