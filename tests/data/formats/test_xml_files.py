"""XML that is hostile, broken or of another kind, in every reader; every answer comes within a second."""

import re

import pytest

from misread.data.formats import xml_files
from misread.data.formats.alto_xml import read_alto_xml
from misread.data.formats.hocr import read_hocr
from misread.data.formats.page_xml import read_page_xml
from misread.errors import InputFileError

PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page><TextRegion id="r">\n'
    '<TextLine id="l"><TextEquiv><Unicode>{}</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>'
)
ALTO = (
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><TextBlock ID="b">\n'
    '<TextLine ID="l"><String CONTENT="{}"/></TextLine></TextBlock></Page></Layout></alto>'
)
HOCR = (
    '<html xmlns="http://www.w3.org/1999/xhtml"><body><div class="ocr_page">\n'
    '<span class="ocr_line" id="l">{}</span></div></body></html>'
)
READERS = {"PcGts": (read_page_xml, PAGE), "alto": (read_alto_xml, ALTO), "html": (read_hocr, HOCR)}
ENCODED = '<?xml version="1.0" encoding="{}"?>'
IN_UTF_8 = ENCODED.format("UTF-8")


@pytest.fixture(params=["small", "large"], autouse=True)
def size(request, monkeypatch):
    """What files are taken for: large ones are read in parts."""
    if request.param == "large":
        monkeypatch.setattr(xml_files, "LARGE", 0)
    return request.param


@pytest.fixture(params=READERS)
def root(request):
    return request.param


@pytest.fixture
def refused(root, write, ends_within):
    """Read what cannot be read; give the message, which names the file and comes within a second."""

    def refuse(content):
        read, _ = READERS[root]
        path = write("p.xml", content)
        said = []

        def attempt():
            with pytest.raises(InputFileError) as error:
                read(path)
            said.append(str(error.value))

        assert ends_within(1, attempt)
        message = said[-1]
        assert message.startswith(f"{path}, line ")
        return message.removeprefix(f"{path}, ")

    return refuse


def document(root, text, *, before=IN_UTF_8):
    return f"{before}\n{READERS[root][1].format(text)}"


def laughs(levels, width):
    """Entities that multiply, ten levels of which are a gigabyte."""
    entities = ['<!ENTITY e0 "haha">']
    entities += [f'<!ENTITY e{n} "{f"&e{n - 1};" * width}">' for n in range(1, levels)]
    return f"{''.join(entities)}", f"&e{levels - 1};"


@pytest.mark.parametrize("width", [1, 10])
def test_entities_are_refused_before_they_grow(root, refused, width):
    entities, use = laughs(12, width)
    before = f"{IN_UTF_8}<!DOCTYPE {root} [{entities}]>"
    message = refused(document(root, use, before=before))
    assert re.search("entities.* are not allowed", message)


@pytest.mark.parametrize("place", ["file:///etc/passwd", "http://127.0.0.1:9/x.dtd"])
def test_nothing_is_fetched_for_an_entity(root, refused, place):
    for declared in (f'<!ENTITY e SYSTEM "{place}">', f'<!ENTITY % p SYSTEM "{place}"> %p;'):
        before = f"{IN_UTF_8}<!DOCTYPE {root} [{declared}]>"
        message = refused(document(root, "&e;" if "%" not in declared else "x", before=before))
        assert "root:" not in message


def test_a_long_entity_used_often_is_refused(root, refused):
    before = f'{IN_UTF_8}<!DOCTYPE {root} [<!ENTITY e "{"x" * 50_000}">]>'
    refused(document(root, "&e;" * 50_000, before=before))


def test_no_document_type_is_read(root, write):
    declared = f'{IN_UTF_8}<!DOCTYPE {root} SYSTEM "http://127.0.0.1:9/x.dtd">'
    read, _ = READERS[root]
    path = write("p.xml", document(root, "one", before=declared))
    if root == "html":
        assert read(path).text == "one"
    else:
        with pytest.raises(InputFileError, match=r"line 1: declares a document type, which .* does not have"):
            read(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-7"])
def test_no_encoding_hides_a_document_type(root, write, encoding):
    named = {"utf-8-sig": "UTF-8", "utf-16-be": "UTF-16"}.get(encoding, encoding)
    declared = f'{ENCODED.format(named)}<!DOCTYPE {root} SYSTEM "http://127.0.0.1:9/x.dtd">'
    data = document(root, "one", before=declared).encode(encoding)
    if encoding == "utf-7":
        # What declares the encoding is in ASCII, and all after it may be in any of its ways to write a character.
        head, rest = document(root, "one", before=declared).split("?>", 1)
        data = f"{head}?>".encode() + rest.replace("<!", "+ADwAIQ-").encode()
    path = write("p.xml", b"\xfe\xff" + data if encoding == "utf-16-be" else data)
    read, _ = READERS[root]
    if root == "html":
        assert read(path).text == "one"
        return
    with pytest.raises(InputFileError, match=r"declares a document type|not well-formed") as error:
        read(path)
    assert "x.dtd" not in str(error.value)


@pytest.mark.parametrize("depth", [300, 100_000])
def test_elements_too_deep_are_refused(root, refused, depth):
    content = document(root, "x").replace("<TextLine", f"{'<TextRegion>' * depth}<TextLine")
    content = content.replace("<String", f"{'<b>' * depth}<String").replace("<span", f"{'<b>' * depth}<span")
    assert "nested more than 256 deep" in refused(content)


def test_a_text_too_long_is_refused(root, refused):
    assert "longer than 10 MB" in refused(document(root, "x" * 11_000_000))


def test_a_file_too_large_is_refused(root, write, monkeypatch):
    monkeypatch.setattr(xml_files, "MOST_BYTES", 100)
    read, _ = READERS[root]
    with pytest.raises(InputFileError, match=r"p\.xml has more than 100 bytes, which is the limit of XML"):
        read(write("p.xml", document(root, "x" * 100)))


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda text: text[:-10], 3),
        (lambda text: text.replace("ONE", "<b>"), 3),
        (lambda text: text.replace("ONE", "a & b"), 3),
        (lambda text: text.replace("ONE", "a\0b"), 3),
        (lambda text: text.replace("ONE", "a\fb"), 3),
        (lambda text: text.encode().replace(b"ONE", b"caf\xe9"), 3),
        (lambda text: text.replace('"UTF-8"', '"KLINGON-8"'), 1),
        (lambda text: f"{IN_UTF_8}\n", 2),
        (lambda text: text.replace("ONE", "&nowhere;"), 3),
        (lambda text: text.encode("utf-16")[:-8], 3),
    ],
)
def test_broken_files_are_refused_with_their_line(root, refused, change, line):
    message = refused(change(document(root, "ONE")))
    assert message.startswith(f"line {line}: not well-formed XML (")


def test_what_is_said_of_a_comment_without_end_does_not_quote_it(root, refused):
    message = refused(document(root, "one", before=f"{IN_UTF_8}<!-- to the end\nof the file"))
    assert "\n" not in message
    assert message.endswith("not well-formed XML (Comment not terminated).")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "ISO-8859-1", "windows-1252"])
def test_the_encoding_is_that_of_the_file(root, write, encoding):
    read, _ = READERS[root]
    named = {"utf-8-sig": "UTF-8", "utf-16-le": "UTF-16"}.get(encoding, encoding)
    data = document(root, "café", before=ENCODED.format(named)).encode(encoding)
    path = write("p.xml", b"\xff\xfe" + data if encoding == "utf-16-le" else data)
    assert read(path).text == "café"


@pytest.mark.parametrize("text", ["a\u2028b", "a\u0085b", "a\u2029b", "\u00ada", "e\u0301", "𝔞\ue000"])
def test_unusual_characters_stay_in_their_line(root, write, text):
    read, _ = READERS[root]
    path = write("p.xml", document(root, text))
    assert read(path).cut("line") == {"l": text}


def test_ends_of_lines_of_the_file_do_not_matter(root, write):
    read, _ = READERS[root]
    text = document(root, "one").replace("\n", "\r\n")
    assert read(write("p.xml", text)).text == "one"


@pytest.mark.parametrize("name", ["a/b", "a&#10;b", "&#x202e;a", "a b"])
def test_ids_may_be_unusual(root, write, name):
    read, _ = READERS[root]
    content = document(root, "one").replace('"l"', f'"{name}"')
    expected = name.replace("&#10;", "\n").replace("&#x202e;", "\u202e")
    assert read(write("p.xml", content)).cut("line") == {expected: "one"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: "<mets xmlns='x'/>", r"line 1: the root is <mets>, expected <PcGts> of PAGE-XML"),
        (
            lambda text: text.replace("schema.prima", "schema.other"),
            r"line 2: <PcGts> is in the namespace 'http://schema",
        ),
        (
            lambda text: text.replace(' xmlns="http', ' x="http'),
            r"line 2: <PcGts> is in the namespace '', which is not",
        ),
    ],
)
def test_another_root_or_namespace_is_refused(write, change, message):
    with pytest.raises(InputFileError, match=message):
        read_page_xml(write("p.xml", change(document("PcGts", "one"))))
    with pytest.raises(InputFileError, match=r"line 2: the root is <PcGts>, expected <alto> of ALTO"):
        read_alto_xml(write("p.xml", document("PcGts", "one")))


def test_a_missing_file_is_named(root, tmp_path):
    with pytest.raises(InputFileError, match=r"there is no file .*absent\.xml"):
        READERS[root][0](tmp_path / "absent.xml")


@pytest.mark.slow
@pytest.mark.parametrize("words", [False, True])
def test_large_files_are_read_as_small_ones_are(data_of_every_format, monkeypatch, words):
    """All files, in parts and as a whole."""
    found = {}
    for limit in (0, 1 << 30):
        monkeypatch.setattr(xml_files, "LARGE", limit)
        found[limit] = [
            read(path, words=words)
            for path in sorted(data_of_every_format.glob("[dt]*/**/*.xml"))
            if path.name != "mets.xml"
            for read in [read_alto_xml if "alto" in str(path) else read_page_xml]
        ]
    assert len(found[0]) > 20
    assert found[0] == found[1 << 30]


def test_the_order_of_lines_of_a_large_file_is_that_of_its_coordinates(write):
    lines = "".join(
        f'<TextLine id="l{n}"><Coords points="0,{n} 9,{n}"/><TextEquiv><Unicode>{n}</Unicode></TextEquiv></TextLine>'
        for n in range(3)
    )
    page = '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page textLineOrder="{}">{}'
    region = f'<TextRegion id="r">{lines}</TextRegion></Page></PcGts>'
    for order, text in (("bottom-to-top", "2\n1\n0"), ("top-to-bottom", "0\n1\n2")):
        assert read_page_xml(write("p.xml", page.format(order, region))).text == text
