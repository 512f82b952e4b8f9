import re

import pytest
from PIL import Image, ImageDraw

from misread.data import ScannedPages
from misread.data.formats.page_areas import read_page_areas
from misread.engines.cutting import cut_out
from misread.errors import InputFileError, UnknownNameError

PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="scans/p1.png" imageWidth="100" imageHeight="60">
<TextRegion id="r1"><Coords points="0,0 99,0 99,39 0,39"/>
<TextLine id="l1"><Coords points="10,5 60,5 60,14 10,14"/>
  <Word id="w1"><Coords points="1,1 2,1 2,2"/><TextEquiv><Unicode>uno</Unicode></TextEquiv></Word>
  <TextEquiv index="1"><Unicode>eno</Unicode></TextEquiv><TextEquiv index="0"><Unicode>one</Unicode></TextEquiv>
</TextLine>
<TextLine id="l2"><Coords points="10,20 60,20 60,29 10,29"/><TextEquiv><Unicode>two</Unicode></TextEquiv></TextLine>
</TextRegion>
<TextRegion id="r2"><Coords points="0,40 99,40 99,59 0,59"/>
<TextLine id="l3"><Coords points="10,45 60,45 60,54"/></TextLine>
</TextRegion>
</Page></PcGts>
"""
ALTO = """<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#">
<Description><MeasurementUnit>{measured}</MeasurementUnit>
<sourceImageInformation><fileName>C:\\scans\\p1.png</fileName></sourceImageInformation></Description>
<Layout><Page ID="p" WIDTH="{width}" HEIGHT="{height}"><PrintSpace><TextBlock ID="b1" HPOS="0" VPOS="0" WIDTH="{width}"
HEIGHT="{height}">
<TextLine ID="l1" HPOS="120" VPOS="60" WIDTH="600" HEIGHT="120">
  <Shape><Polygon POINTS="120 60 720 60 720 180 120 180"/></Shape>
  <String CONTENT="one" WC="0.5"/><SP/><String CONTENT="mo"/><HYP CONTENT="-"/>
</TextLine>
<TextLine ID="l2" HPOS="120" VPOS="240" WIDTH="600" HEIGHT="120"><String CONTENT="re"/><String CONTENT="two"/>
</TextLine>
</TextBlock></PrintSpace></Page></Layout></alto>
"""


@pytest.fixture
def folder(tmp_path):
    """A page of 100 x 60 pixels with its XML."""

    def write(xml=PAGE, *, size=(100, 60), name="p1.xml"):
        image = Image.new("L", size, 255)
        ImageDraw.Draw(image).rectangle((size[0] // 10, size[1] // 12, size[0] * 6 // 10, size[1] * 14 // 60), 0)
        image.save(tmp_path / "p1.png")
        (tmp_path / name).write_text(xml)
        return str(tmp_path)

    return write


def segments(root, **settings):
    return ScannedPages(root, ["*.xml"], **settings).segments()


def test_lines_of_page_xml_are_parts_of_the_image(folder, tmp_path):
    table = segments(folder())
    assert (table.segment_id, table.references) == (["p1_l1", "p1_l2"], ["one", "two"])
    assert table.areas[0] == ((10, 5), (60, 5), (60, 14), (10, 14))
    assert (table.cluster, table.cluster_name, set(table.media)) == (["p1", "p1"], "page", {tmp_path / "p1.png"})
    assert table.facts.notes[0] == f"1 lines without a text are left out, the first at {tmp_path / 'p1.xml'}, line 12."
    assert ScannedPages(str(tmp_path), ["*.xml"]).offers == {"line_image"}


def test_regions_have_the_text_of_their_lines(folder):
    table = segments(folder(), unit="region")
    assert (table.segment_id, table.references) == (["p1_r1"], ["one\ntwo"])
    assert table.areas == [((0, 0), (99, 0), (99, 39), (0, 39))]


def test_a_page_is_the_whole_image(folder):
    dataset = ScannedPages(folder(), ["*.xml"], unit="page")
    table = dataset.segments()
    assert (table.segment_id, table.references, table.areas) == (["p1"], ["one\ntwo"], None)
    assert (table.cluster, dataset.offers) == (None, {"page_image"})


@pytest.mark.parametrize(("measured", "width", "height"), [("inch1200", 1200, 720), ("mm10", 1200, 720)])
def test_other_units_of_length_are_turned_into_pixels_by_the_size_of_the_page(folder, measured, width, height):
    table = segments(folder(ALTO.format(measured=measured, width=width, height=height)))
    assert (table.segment_id, table.references) == (["p1_l1", "p1_l2"], ["one mo-", "re two"])
    # The second line has a box and no polygon.
    assert table.areas == [((10, 5), (60, 5), (60, 15), (10, 15)), ((10, 20), (60, 20), (60, 30), (10, 30))]


def test_an_image_that_is_half_as_large_is_cut_at_half_the_places(folder):
    assert segments(folder(size=(50, 30))).areas[1] == ((5, 10), (30, 10), (30, 14), (5, 14))


def test_the_image_may_have_the_name_of_the_file_and_lie_elsewhere(folder, tmp_path):
    root = folder(PAGE.replace("scans/p1.png", "gone.tif"), name="p1.page.xml")
    (tmp_path / "images").mkdir()
    (tmp_path / "p1.png").rename(tmp_path / "images/p1.png")
    table = segments(root, images="images")
    assert set(table.media) == {tmp_path / "images/p1.png"}
    assert table.segment_id[0] == "p1.page_l1"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('imageWidth="100"', 'imageWidth="200"', "is 200 x 60 and its image 100 x 60, which is another shape"),
        (' id="l2"', "", r"p1\.xml, line 9: <TextLine> has no id"),
        ('"l2"', '"l1"', r"line 9: segment id 'p1_l1' was taken by .*line 5 already"),
        ("10,20 60,20 60,29 10,29", "10,20 60,20", "line 9: 'l2' has no place, expected a polygon of three points"),
        ("10,20 60,20", "10;20 60;20", "line 9: 'l2' has no place"),
        ("</Page>", "</Pages>", r"p1\.xml, line \d+: not well-formed XML"),
        ("<Page ", "<Page/><Page ", "has 2 pages, expected one"),
        (PAGE, "<html><body/></html>", "is neither PAGE-XML nor ALTO: its root is <html>"),
        (PAGE, "", "not well-formed XML"),
        ("TextEquiv", "NoText", r"no line of the 1 files in .* has a text"),
        (PAGE, "<PcGts>" + "<a>" * 5000, r"not well-formed XML \(its elements are nested more"),
        *(
            ("<PcGts", f"<!DOCTYPE PcGts{declared}><PcGts", "declares (a document type|entities), which")
            for declared in (' [<!ENTITY x SYSTEM "file:///etc/passwd">]', ' [<!ENTITY a "b">]', "")
        ),
        ("p1.png", "gone.png", r"q\.xml: there is no image gone\.png in .*, nor one of the file's own name"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_its_line(folder, old, new, said):
    with pytest.raises(InputFileError, match=said):
        segments(folder(PAGE.replace(old, new), name="q.xml" if new == "gone.png" else "p1.xml"))


def test_an_image_that_is_none_is_named(folder, tmp_path):
    root = folder()
    (tmp_path / "p1.png").write_text("no image")
    with pytest.raises(InputFileError, match=r"p1\.png is not a readable image .*: expected PNG, JPEG"):
        segments(root)


def test_no_file_and_an_unknown_unit_are_named(tmp_path):
    with pytest.raises(InputFileError, match=r"has no file that matches \*\.xml"):
        segments(str(tmp_path))
    with pytest.raises(UnknownNameError, match="unknown unit 'lines'"):
        ScannedPages(str(tmp_path), ["*.xml"], unit="lines")
    with pytest.raises(InputFileError, match="leads out of the data set's folder"):
        ScannedPages(str(tmp_path), ["../*.xml"]).segments()


@pytest.mark.parametrize(("kind", "name"), [("page_xml", "PH 1858-17"), ("alto_xml", "PH 1858-17")])
def test_files_of_one_page_give_the_same_lines_in_both_formats(data_of_every_format, kind, name):
    root = data_of_every_format / "timeus_handwriting"
    lines = re.findall(
        r'<TextLine id="(\w+)"\s*>\s*<Coords points="(\d+),(\d+)',
        (root / f"page_xml/{name}.xml").read_text(encoding="utf-8"),
    )
    dataset = ScannedPages(str(root), [f"{kind}/{name}.xml"], images="pages")
    table = dataset.segments()
    parts = read_page_areas(root / f"{kind}/{name}.xml", "line").parts
    assert len(table) == len(parts) == len(lines) > 7
    assert [(part.name, part.points[0]) for part in parts] == [(line, (float(x), float(y))) for line, x, y in lines]
    with cut_out(table.sources()[0]) as line, Image.open(line.media) as image:
        # As others have cut it.
        assert image.size == Image.open(root / f"lines/{name}_l01.png").size


@pytest.mark.parametrize(
    ("name", "unit", "number"),
    [
        ("actevedef_718448162/OCR-D-GT-PAGE/00000024.page.xml", "line", 68),
        ("brochrnx_73075507X/00000139.gt.page.xml", "region", 8),
        ("test.alto3.xml", "region", 3),
        ("test.alto2.xml", "region", 4),
    ],
)
def test_real_files_are_read(shared_data, name, unit, number):
    page = read_page_areas(shared_data / "dinglehopper_xml" / name, unit)
    assert len(page.parts) == number
    assert all(len(part.points) >= 3 for part in page.parts)
