"""XML of ABBYY FineReader, by hand in the published schemas, versions 6 to 10."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.formats import xml_files
from misread.data.formats.abbyy_xml import read_abbyy_xml
from misread.data.formats.layout_files import LayoutReader
from misread.data.formats.recognition import guess_format
from misread.errors import InputFileError

SCHEMA = "http://www.abbyy.com/FineReader_xml/FineReader10-schema-v1.xml"


def document(*pages, schema=SCHEMA):
    written = "".join(f'<page width="9" height="9">{page}</page>' for page in pages)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<document xmlns="{schema}" version="1.0" producer="own">'
        f"\n{written}</document>\n"
    )


def characters(text, variants=""):
    return "".join(
        f'<charParams l="0" t="0" r="9" b="9" wordStart="0">{variants}{letter}</charParams>' for letter in text
    )


def line(*content):
    return f'<line baseline="9" l="0" t="0" r="9" b="9">{"".join(content)}</line>'


def formatting(content):
    return f'<formatting lang="EnglishUnitedStates" ff="Arial" fs="10.">{content}</formatting>'


def par(*lines):
    return f'<par align="Justified">{"".join(lines)}</par>'


def block(*pars, kind="Text"):
    place = '<region><rect l="0" t="0" r="9" b="9"/></region>'
    return f'<block blockType="{kind}">{place}<text>{"".join(pars)}</text></block>'


def cell(text):
    return f"<cell><text>{par(line(formatting(text)))}</text></cell>"


@pytest.mark.parametrize("schema", ["FineReader6-schema-v1", "FineReader8-schema-v2", "FineReader9-schema-v1"])
def test_pages_blocks_lines_and_words_are_read(write, schema):
    first = block(par(line(formatting(characters("Good ")), formatting(characters("day"))), line(formatting("to you"))))
    schema = SCHEMA.replace("FineReader10-schema-v1", schema)
    content = document(first, block(par(line(formatting("page two")))), schema=schema)
    layout = read_abbyy_xml(write("p.xml", content), words=True)
    assert (layout.text, layout.account.unknown, layout.account.left_out) == ("Good day\nto you\npage two", {}, {})
    assert layout.cut("region") == {"1.1": "Good day\nto you", "2.1": "page two"}
    assert layout.cut("line") == {"1.1.1": "Good day", "1.1.2": "to you", "2.1.1": "page two"}
    assert layout.cut("word")["1.1.1.2"] == "day"


def test_cells_of_tables_are_read_row_by_row(write):
    rows = "".join(f"<row>{cell(one)}{cell(two)}</row>" for one, two in (("a", "b"), ("c", "d e")))
    table = f'<block blockType="Table" l="0" t="0" r="9" b="9">{rows}</block>'
    picture = '<block blockType="Picture" l="0" t="0" r="9" b="9"><region><rect l="0"/></region></block>'
    layout = read_abbyy_xml(write("p.xml", document(picture + table)))
    assert (layout.text, layout.account.unknown) == ("a\nb\nc\nd e", {})
    assert [*layout.cut("region")] == ["1.2"]


def test_variants_are_other_readings(write):
    variant = '<charRecVariant charConfidence="9">{}</charRecVariant>\n'
    letters = f"<charRecVariants>{variant.format('o')}{variant.format('O')}</charRecVariants>"
    words = f"<wordRecVariant><variantText>{characters('no')}</variantText></wordRecVariant>"
    words = f"<wordRecVariants>{words}</wordRecVariants>"
    content = words + characters("0", letters) + characters(" 1")
    layout = read_abbyy_xml(write("p.xml", document(block(par(line(formatting(content)))))))
    assert (layout.text, layout.account.unknown) == ("0 1", {})
    (share,) = layout.account.left_out.values()
    assert (share.number, share.characters) == (4, 4)


def test_text_anywhere_else_is_unknown(write):
    path = write("p.xml", document(block(par(line(formatting("read") + "lost"))) + "<note>gone</note>"))
    assert {share.example for share in read_abbyy_xml(path).account.unknown.values()} == {"lost", "gone"}


def test_it_is_recognised_and_other_documents_are_not(write):
    path = write("p.xml", document(block(par(line(formatting("read"))))))
    form = guess_format(path, kinds=["pages"])
    assert (form.name, LayoutReader(format=form).read(path)[0]) == ("abbyy", {"": "read"})
    other = write("q.xml", "<document xmlns='http://docbook.org/ns/docbook'><page/></document>")
    assert guess_format(other, kinds=["pages"]) is None
    with pytest.raises(InputFileError, match=r"q\.xml, line 1: <document> is in the namespace 'http://docbook"):
        read_abbyy_xml(other)


_WORDS = st.text("ab¬\u4e00\U0001d400", min_size=1, max_size=4)


@given(
    st.lists(st.lists(st.lists(st.lists(_WORDS, min_size=1, max_size=3), max_size=2), max_size=2), max_size=2),
    st.booleans(),
)
def test_indents_and_size_change_no_text(tmp_path_factory, pages, by_character):
    def show(words):
        text = " ".join(words)
        return line(formatting(characters(text) if by_character else text))

    content = document(*("".join(block(par(*map(show, lines))) for lines in blocks) for blocks in pages))
    path = tmp_path_factory.mktemp("abbyy") / "p.xml"
    path.write_text(content, "utf-8")
    text = "\n".join(" ".join(words) for blocks in pages for lines in blocks for words in lines)
    assert read_abbyy_xml(path).text == text
    path.write_text(
        content.replace("<", "\n  <").lstrip() if not by_character else content.replace("<line", "\n <line"), "utf-8"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml_files, "LARGE", 0)
        layout = read_abbyy_xml(path)
    assert (layout.text, layout.account.unknown) == (text, {})
