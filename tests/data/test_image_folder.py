from collections import Counter

import pytest
import yaml

from misread.data.image_folder import ImageFolder
from misread.errors import ConfigurationError, InputFileError


@pytest.fixture
def folder(tmp_path):
    """Write files, None for an image that nobody opens; give a reader of them."""

    def write(files, **settings):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"" if content is None else content.encode() if isinstance(content, str) else content)
        return ImageFolder(**{"root": str(tmp_path), "images": ["*.png"], "medium": "line_image", **settings})

    return write


def test_an_image_meets_the_transcription_of_its_stem(folder, tmp_path):
    segments = folder({"a.png": None, "a.gt.txt": "one", "b.gt.txt": "of no image"}).segments()
    assert (segments.segment_id, segments.media, segments.references) == (["a"], [tmp_path / "a.png"], ["one"])
    assert segments.cluster is None


def test_segments_are_sorted_by_file_name(folder):
    files = {f"{name}.{ending}": "" for name in "cab" for ending in ("png", "gt.txt")}
    assert folder(files).segments().segment_id == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("written", "reference"),
    [
        ("one\n", "one"),
        ("one\r\n", "one"),
        ("one", "one"),
        ("one\n\n", "one\n"),
        ("one\ntwo\n", "one\ntwo"),
        (" one \n", " one "),
        ("", ""),
        (b"\xef\xbb\xbfone\n", "one"),
        (b"one\r\ntwo\r\n", "one\ntwo"),
    ],
)
def test_a_reference_is_the_text_of_the_file_without_its_final_newline(folder, written, reference):
    assert folder({"a.png": None, "a.gt.txt": written}).segments().references == [reference]


@pytest.mark.parametrize(("more", "patterns"), [({"._a.png": None}, ["*.png"]), ({}, ["*.png", "a.*g"])])
def test_a_hidden_file_is_no_image_and_one_that_fits_two_patterns_is_one(folder, more, patterns):
    assert len(folder({"a.png": None, "a.gt.txt": "one", **more}, images=patterns).segments()) == 1


def test_the_first_ending_that_is_there_gives_the_transcription(folder):
    files = {"a.png": None, "a.gold.txt": "gold", "a.txt": "plain", "b.png": None, "b.txt": "plain"}
    segments = folder(files, transcription=[".gold.txt", ".txt"]).segments()
    assert segments.references == ["gold", "plain"]


def test_only_the_last_ending_of_an_image_is_cut_off(folder):
    segments = folder({"p.3B.png": None, "p.3B.gt.txt": "one"}).segments()
    assert (segments.segment_id, segments.references) == (["p.3B"], ["one"])


def test_the_pattern_catches_the_cluster(folder):
    files = {f"{name}.{ending}": "" for name in ("p1_l01", "p1_l02", "p2_l01") for ending in ("png", "gt.txt")}
    segments = folder(files, cluster=r"^(.+)_l\d+$").segments()
    assert segments.cluster == ["p1", "p1", "p2"]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (r"^(.+)_l\d+$", r"cluster .* finds no cluster in 'a'"),
        ("(x)?", r"cluster .* finds no cluster in 'a'"),
        ("a", "cluster 'a' has no groups; put the cluster into one"),
        ("(", r"cluster '\(' is not a regular expression"),
    ],
)
def test_a_pattern_that_catches_nothing_is_refused(folder, pattern, message):
    with pytest.raises(ConfigurationError, match=message):
        folder({"a.png": None, "a.gt.txt": "one"}, cluster=pattern).segments()


@pytest.mark.parametrize("medium", ["line_image", "page_image"])
def test_it_offers_what_its_images_show(folder, medium):
    assert folder({}, medium=medium).offers == {medium}


@pytest.mark.parametrize(
    ("files", "images", "message"),
    [
        ({}, ["*.tif", "*.jpg"], r"has no image that matches \*\.tif, \*\.jpg"),
        ({"b.png": None}, ["*.png"], r"no transcription \(\.gt\.txt\): b\.png\. .*without_transcription"),
        ({"y/a.png": None, "y/a.gt.txt": ""}, ["**/*.png"], r"y/a\.png: segment id 'a' was taken by .*/a\.png"),
        ({"a.gt.txt": "one\ncafé".encode("latin-1")}, ["*.png"], r"a\.gt\.txt, line 2: byte 0xe9"),
    ],
)
def test_files_that_make_no_segments_are_named(folder, files, images, message):
    with pytest.raises(InputFileError, match=message):
        folder({"a.png": None, "a.gt.txt": "one", **files}, images=images).segments()


@pytest.mark.parametrize(("more", "warning"), [({"b.png": None}, "left out: b.png"), ({}, "")])
def test_images_without_transcription_can_be_left_out_with_a_warning(folder, caplog, more, warning):
    segments = folder({"a.png": None, "a.gt.txt": "one", **more}, without_transcription="leave_out").segments()
    assert segments.segment_id == ["a"]
    assert warning in caplog.text
    assert bool(caplog.text) == bool(warning)


# Real images, as configured.


@pytest.fixture
def configured(repository, data_of_every_format):
    """Make the reader of a data set from its configuration."""

    def make(name):
        settings = yaml.safe_load((repository / f"conf/datasets/{name}.yaml").read_text(encoding="utf-8"))["datasets"][
            name
        ]
        del settings["_target_"], settings["watched"]
        settings["root"] = settings["root"].replace("{data_root}", str(data_of_every_format))
        return ImageFolder(**settings)

    return make


def test_timeus_has_six_lines_of_each_of_twelve_pages(configured):
    segments = configured("timeus").segments()
    assert list(Counter(segments.cluster).values()) == [6] * 12
    assert all(reference and "\n" not in reference for reference in segments.references)


def test_the_printed_pages_with_a_text_are_four_and_the_others_are_left_out_with_a_warning(configured, caplog):
    segments = configured("printed_pages").segments()
    assert segments.segment_id == ["8071_093.3B", "8087_054.3B", "eurotext", "phototest"]
    assert "2 images have no transcription (.gold.txt or .txt) and are left out: devatest.png, hebrew" in caplog.text


PAGE = (
    '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page><TextRegion id="r">'
    '<TextLine id="l"><TextEquiv><Unicode>{}</Unicode></TextEquiv></TextLine><TextLine id="m"/>'
    "</TextRegion></Page></PcGts>"
)
FORM = '{"form": [{"id": 0, "text": "TO:", "words": []}, {"id": 1, "text": "Dr.", "words": []}]}'


@pytest.mark.parametrize(
    ("files", "settings", "reference"),
    [
        # Pages with PAGE-XML beside them, or in a folder as Transkribus exports them.
        ({"p.png": None, "p.xml": PAGE.format("one")}, {"transcription": [".xml"], "format": "page"}, "one"),
        (
            {"p.png": None, "page/p.xml": PAGE.format("one")},
            {"transcription": [".xml"], "transcription_folder": "page", "format": "page"},
            "one",
        ),
        # Forms of FUNSD.
        (
            {"images/00.png": None, "annotations/00.json": FORM},
            {
                "images": ["images/*.png"],
                "transcription": [".json"],
                "transcription_folder": "annotations",
                "format": "funsd",
            },
            "TO:\nDr.",
        ),
        # Receipts of SROIE, their lines and their fields.
        (
            {"img/X1.jpg": None, "box/X1.txt": "1,2,3,4,5,6,7,8,TAN, LTD\r\n1,2,3,4,5,6,7,8,TOTAL\r\n"},
            {"images": ["img/*.jpg"], "transcription": [".txt"], "transcription_folder": "box", "format": "icdar"},
            "TAN, LTD\nTOTAL",
        ),
        (
            {"img/X1.jpg": None, "entities/X1.txt": '{"company": "TAN, LTD"}\n'},
            {"images": ["img/*.jpg"], "transcription": [".txt"], "transcription_folder": "entities"}
            | {"format": "text(verbatim=true)"},
            '{"company": "TAN, LTD"}',
        ),
        # Scene text of ICDAR 2015.
        (
            {"test/img_1.jpg": None, "gt/gt_img_1.txt": "\ufeff1,2,3,4,5,6,7,8,EXIT\r\n1,2,3,4,5,6,7,8,###\r\n"},
            {
                "images": ["test/*.jpg"],
                "transcription": [".txt"],
                "transcription_folder": "gt",
                "transcription_prefix": "gt_",
                "format": "icdar",
            },
            "EXIT",
        ),
        # The training of Tesseract: a text, or boxes, for each line.
        ({"a.png": None, "a.gt.txt": "one\n"}, {}, "one"),
        (
            {"a.png": None, "a.box": "WordStr 0 0 9 9 0 #one two\n\t 9 0 9 9 0\n"},
            {"transcription": [".box"], "format": "tesseract_box"},
            "one two",
        ),
    ],
)
def test_layouts_of_public_sets_are_settings(folder, files, settings, reference):
    segments = folder(files, **settings).segments()
    assert segments.references == [reference]
    assert [path.name for path in segments.media] == [next(iter(files)).rpartition("/")[2]]


def test_folders_in_folders_of_images_are_mirrored_by_transcriptions(folder):
    files = {f"images/{book}/p.png": None for book in "xy"} | {f"gt/{book}/p.txt": book for book in "xy"}
    with pytest.raises(InputFileError, match="segment id 'p' was taken"):
        folder(files, images=["images/*/*.png"], transcription=[".txt"], transcription_folder="gt").segments()
    one = folder({}, images=["images/x/*.png"], transcription=[".txt"], transcription_folder="gt").segments()
    assert one.references == ["x"]


def test_what_is_doubtful_in_transcriptions_is_said(folder):
    data = folder({"p.png": None, "p.xml": PAGE.format("one")}, transcription=[".xml"], format="page")
    assert [*data.segments().facts.notes] == ["PAGE-XML: lines without a text: 1 (the first in p.xml, line 1)."]


def test_images_without_a_transcription_are_named_with_where_it_was_looked_for(folder):
    settings = {"transcription_folder": "gt", "transcription_prefix": "gt_", "transcription": [".txt"]}
    with pytest.raises(InputFileError, match=r"has no transcription \(gt/gt_\*\.txt\): a\.png"):
        folder({"a.png": None}, **settings).segments()
    with pytest.raises(InputFileError, match=r"'\.\./gt/a\.txt' leads out of the data set's folder"):
        folder({}, transcription=[".txt"], transcription_folder="../gt").segments()
