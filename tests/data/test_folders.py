"""Folders of texts and pages, of one format or two, as segments."""

import unicodedata

import pytest

import misread
from misread.data import FolderOptions, TextFolders, read_folders
from misread.errors import ConfigurationError, InputFileError, InputTypeError, UnknownNameError
from misread.evaluation import evaluate_table

PAGE = '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15"><Page>{}</Page></PcGts>'
ALTO = '<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#"><Layout><Page><PrintSpace>{}</PrintSpace></Page></Layout></alto>'
HOCR = '<html><body><div class="ocr_page" id="p">{}</div></body></html>'
LINES = {"l1": "The quick", "l2": "brown fox"}
BY_LINE = FolderOptions(format="page(level=line)")


def page(lines, region="r1"):
    written = "".join(
        f'<TextLine id="{name}"><Word id="{name}w"><TextEquiv><Unicode>{text}</Unicode></TextEquiv></Word>'
        f"<TextEquiv><Unicode>{text}</Unicode></TextEquiv></TextLine>"
        if text is not None
        else f'<TextLine id="{name}"/>'
        for name, text in lines.items()
    )
    return PAGE.format(f'<TextRegion id="{region}">{written}</TextRegion>')


def alto(lines, region="r1"):
    written = "".join(
        f'<TextLine ID="{name}">' + "<SP/>".join(f'<String CONTENT="{word}"/>' for word in text.split()) + "</TextLine>"
        for name, text in lines.items()
    )
    return ALTO.format(f'<TextBlock ID="{region}">{written}</TextBlock>')


def hocr(lines, region="r1"):
    written = "\n".join(f'<span class="ocr_line" id="{name}">{text}</span>' for name, text in lines.items())
    return HOCR.format(f'<div class="ocr_carea" id="{region}">{written}</div>')


def text(lines, region=""):
    return "\n".join(lines.values()) + "\n"


WRITERS = {"page": (page, ".xml"), "alto": (alto, ".xml"), "hocr": (hocr, ".hocr"), "text": (text, ".txt")}


@pytest.fixture
def lay(tmp_path):
    """Write files of a folder by their paths; give the folder."""

    def lay(folder, files):
        for name, content in files.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        return tmp_path / folder

    return lay


@pytest.mark.parametrize("ours", WRITERS)
@pytest.mark.parametrize("theirs", WRITERS)
def test_any_format_may_be_scored_against_any_other(lay, ours, theirs):
    folders = []
    for side, form in (("ref", ours), ("hyp", theirs)):
        write, ending = WRITERS[form]
        folders.append(lay(side, {f"p{n}{ending}": write(LINES) for n in (1, 2)}))
    given = FolderOptions(format=ours, hypothesis_format=theirs)
    for options in (FolderOptions(), given):
        table = read_folders(folders[0], {"a": folders[1]}, options)
        assert list(table.segment_id) == ["p1", "p2"]
        assert table.references == table.hypotheses["a"] == ["The quick\nbrown fox"] * 2
    levels = {"page", "alto", "hocr"}
    if ours in levels and theirs in levels:
        by_line = FolderOptions(format=f"{ours}(level=line)", hypothesis_format=f"{theirs}(level=line)")
        table = read_folders(folders[0], {"a": folders[1]}, by_line)
        assert list(table.segment_id) == ["p1#l1", "p1#l2", "p2#l1", "p2#l2"]
        assert table.references == table.hypotheses["a"] == [*LINES.values()] * 2


def test_a_format_that_was_guessed_is_said(lay):
    table = read_folders(lay("ref", {"p1.xml": page(LINES)}), {"a": lay("hyp", {"p1.txt": text(LINES)})})
    assert [*table.facts.notes] == ["References: read as PAGE-XML (format page), as the content of p1.xml says."]
    assert table.notes_on_hypotheses == {"a": []}
    given = FolderOptions(format="page", hypothesis_format="text")
    assert [*read_folders(lay("ref", {}), {"a": lay("hyp", {})}, given).facts.notes] == []


def test_a_file_of_another_format_than_the_first_is_refused(lay):
    ref = lay("ref", {"p1.xml": page(LINES), "p2.xml": alto(LINES)})
    with pytest.raises(InputFileError, match=r"p2\.xml, line 1: the root is <alto>, expected <PcGts> of PAGE-XML"):
        read_folders(ref, {"a": ref})


@pytest.mark.parametrize(
    ("level", "ids", "texts"),
    [
        ("page", ["p1"], ["The quick\nbrown fox"]),
        ("region", ["p1#r1"], ["The quick\nbrown fox"]),
        ("line", ["p1#l1", "p1#l2"], ["The quick", "brown fox"]),
        ("word", ["p1#l1w", "p1#l2w"], ["The quick", "brown fox"]),
    ],
)
def test_each_level_has_its_segments(lay, level, ids, texts):
    ref = lay("ref", {"p1.xml": page(LINES)})
    table = read_folders(ref, {"a": ref}, FolderOptions(format=f"page(level={level})"))
    assert (list(table.segment_id), table.references, table.hypotheses["a"]) == (ids, texts, texts)
    single = read_folders(ref / "p1.xml", {"a": ref / "p1.xml"}, FolderOptions(format=f"page(level={level})"))
    expected = ["p1.xml"] if level == "page" else [each.partition("#")[2] for each in ids]
    assert (list(single.segment_id), single.references) == (expected, texts)


def test_lines_of_a_file_are_in_its_cluster_unless_another_is_named(lay):
    ref = lay("ref", {f"{book}/p{n}.xml": page(LINES) for book in "xy" for n in (1, 2)})
    table = read_folders(ref, {"a": ref}, BY_LINE)
    assert (table.cluster_name, table.cluster) == ("file", [f"{b}/p{n}" for b in "xy" for n in (1, 2) for _ in LINES])
    for cluster in ("folder", "^(?P<folder>.)/"):
        table = read_folders(
            ref, {"a": ref}, FolderOptions(format="page(level=line)", cluster=cluster, groups=[r"(?P<number>\d)\."])
        )
        assert (table.cluster_name, table.cluster) == ("folder", ["x"] * 4 + ["y"] * 4)
        assert table.groups == {"number": ["1", "1", "2", "2"] * 2}
    assert read_folders(ref, {"a": ref}).cluster is None


def test_files_in_no_folder_have_no_cluster_by_folder(lay):
    ref = lay("ref", {"p1.xml": page(LINES)})
    with pytest.raises(ConfigurationError, match=r"cluster=.folder.: p1\.xml is in no folder below"):
        read_folders(ref, {"a": ref}, FolderOptions(cluster="folder"))


def test_lines_without_partner_are_refused_left_out_or_missing(lay):
    ref = lay("ref", {"p1.xml": page({"l1": "one", "l2": "two", "L1": "three"})})
    hyp = lay("hyp", {"p1.xml": page({"l1": "one", "l9": "nine"})})
    counts = (
        r"a: references have 3 lines and a has 2: 1 paired, 2 only in references \(p1#l2, p1#L1\), 1 only in a "
        r"\(p1#l9\)\."
    )
    for missing in (None, "error"):
        with pytest.raises(InputFileError, match=counts + r" Lines are paired by their ids\. Choose missing='drop'"):
            read_folders(ref, {"a": hyp}, FolderOptions(format="page(level=line)", missing=missing))
    for missing in ("drop", "empty"):
        table = read_folders(ref, {"a": hyp}, FolderOptions(format="page(level=line)", missing=missing))
        assert (table.references, table.hypotheses["a"]) == (["one", "two", "three"], ["one", None, None])
        assert table.notes_on_hypotheses["a"][-1].startswith("a: references have 3 lines and a has 2: 1 paired")
    few = lay("few", {"p1.xml": page({"l1": "one"})})
    assert read_folders(ref, {"a": few}, BY_LINE).hypotheses["a"] == ["one", None, None]
    with pytest.raises(InputFileError, match=r"1 paired, 2 only in references"):
        read_folders(ref, {"a": few}, FolderOptions(format="page(level=line)", missing="error"))


def test_lines_of_which_none_has_a_partner_lead_to_whole_pages(lay):
    ref, hyp = lay("ref", {"p1.xml": page(LINES)}), lay("hyp", {"p1.xml": page({"x": "one"})})
    with pytest.raises(
        InputFileError, match=r"none has a partner: references have p1#l1, p1#l2, a has p1#x\. .*level=line"
    ):
        read_folders(ref, {"a": hyp}, FolderOptions(format="page(level=line)", missing="drop"))


def test_a_line_without_text_is_missing_in_a_hypothesis_and_refused_in_references(lay):
    ref, hyp = lay("ref", {"p1.xml": page(LINES)}), lay("hyp", {"p1.xml": page({**LINES, "l2": None})})
    assert read_folders(ref, {"a": hyp}, BY_LINE).hypotheses["a"] == ["The quick", None]
    with pytest.raises(
        InputFileError, match=r"p1\.xml: 1 of 2 lines of references have no text \(l2\)\. missing='drop'"
    ):
        read_folders(hyp, {"a": ref}, BY_LINE)
    table = read_folders(hyp, {"a": ref}, FolderOptions(format="page(level=line)", missing="drop"))
    assert list(table.segment_id) == ["p1#l1"]
    said = "PAGE-XML: lines without a text: 1 (the first in References: p1.xml, line 1)."
    assert [*table.facts.notes] == ["References: 1 lines without a text are left out (p1.xml#l2).", said]
    assert [*read_folders(hyp, {"a": ref}).facts.notes[1:]] == [said]


def test_files_of_one_folder_may_be_in_different_encodings(lay):
    ref = lay("ref", {f"p{n}.xml": page({"l1": "café"}) for n in (1, 2, 3)})
    hyp = lay("hyp", {})
    hyp.mkdir()
    for number, encoding in enumerate(("utf-8-sig", "utf-16", "iso-8859-1"), start=1):
        declared = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\n'
        (hyp / f"p{number}.xml").write_bytes((declared + page({"l1": "café"})).encode(encoding))
    table = read_folders(ref, {"a": hyp})
    assert table.hypotheses["a"] == table.references == ["café"] * 3


def test_a_page_that_is_missing_misses_all_its_lines(lay):
    ref = lay("ref", {"p1.xml": page(LINES), "p2.xml": page(LINES)})
    hyp = lay("hyp", {"p2.xml": page(LINES)})
    assert read_folders(ref, {"a": hyp}, BY_LINE).hypotheses["a"] == [None, None, *LINES.values()]


def test_suffixes_choose_and_pair_the_files_of_one_folder(lay):
    both = lay("both", {"p1.gt.txt": "one", "p1_ocr.xml": page(LINES), "p2.gt.txt": "two", "p2_ocr.xml": page(LINES)})
    options = FolderOptions(reference_pattern="*.gt.txt", hypothesis_pattern="*_ocr.xml")
    table = read_folders(both, {"a": both}, options)
    assert (list(table.segment_id), table.references) == (["p1", "p2"], ["one", "two"])
    assert table.hypotheses["a"] == ["The quick\nbrown fox"] * 2
    with pytest.raises(InputFileError, match=r"both has no file whose name ends with '\.out'\. It has: p1\.gt\.txt"):
        read_folders(both, {"a": both}, FolderOptions(reference_pattern="*.out"))


def test_ends_that_all_names_share_are_found(lay):
    ref = lay("ref", {"p1_gt.xml": page(LINES), "p2_gt.xml": page(LINES)})
    hyp = lay("hyp", {"p2-ocr.xml": page(LINES), "p1-ocr.xml": page(LINES)})
    table = read_folders(ref, {"a": hyp})
    assert table.hypotheses["a"] == table.references
    notes = table.notes_on_hypotheses["a"]
    assert "a: files are paired without the ends '_gt.xml' and '-ocr.xml' of their names." in notes


def test_a_format_chooses_the_files_with_its_endings(lay):
    names = ("p1", "p2", "p3")
    files = {f"{name}.hocr": hocr(LINES) for name in names[:2]} | {f"{name}.txt": "x" for name in names}
    options = FolderOptions(format="hocr", hypothesis_format="text", missing="drop")
    table = read_folders(lay("ref", files), {"a": lay("ref", {})}, options)
    assert (list(table.segment_id), table.hypotheses["a"]) == (["p1", "p2"], ["x", "x"])


def test_files_about_a_folder_are_not_pages(lay):
    ref = lay("ref", {"mets.xml": "<mets/>", "metadata.xml": "<m/>", "page/p1.xml": page(LINES)})
    assert list(read_folders(ref, {"a": ref}).segment_id) == ["page/p1"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "page(level=lines)"}, r"unknown value 'lines' in page\.level\. Did you mean 'line'"),
        ({"format": "pages"}, "unknown format 'pages'. Did you mean 'page'"),
        ({"format": "hocr(text_of=line)"}, r"unknown setting 'text_of' in hocr\. There are: level"),
        ({"hypothesis_format": "lines"}, "unknown format 'lines'"),
        ({"format": "page(text_of=page)"}, r"unknown value 'page' in page\.text_of"),
        ({"format": "alto(hyphens=join)"}, r"unknown value 'join' in alto\.hyphens\. Did you mean 'joined'"),
    ],
)
def test_a_wrong_choice_is_answered_with_the_choices(options, message):
    with pytest.raises(UnknownNameError, match=message):
        FolderOptions(**options)


def test_both_sides_are_cut_into_the_same_parts(lay):
    with pytest.raises(ConfigurationError, match="are cut into lines and outputs of text into pages"):
        FolderOptions(format="page(level=line)", hypothesis_format="text")


def test_a_study_takes_the_same_options(lay, tmp_path):
    lay("ref", {f"x/p{n}_gt.xml": page(LINES) for n in (1, 2)})
    lay("hyp", {f"x/p{n}_ocr.xml": alto(LINES) for n in (1, 2)})
    data = TextFolders(
        *(str(tmp_path), "ref", {"a": "hyp"}),
        reference_pattern="*_gt.xml",
        hypothesis_pattern="*_ocr.xml",
        format="page(level=line)",
        hypothesis_format="alto(level=line)",
        cluster="folder",
    )
    table = data.segments()
    assert (list(table.segment_id)[:2], table.cluster) == (["x/p1#l1", "x/p1#l2"], ["x"] * 4)
    assert table.hypotheses["a"] == table.references == [*LINES.values()] * 2
    with pytest.raises(UnknownNameError, match=r"unknown value 'lines' in page\.level"):
        TextFolders(str(tmp_path), "ref", {"a": "hyp"}, format="page(level=lines)")


def test_what_was_read_is_evaluated_as_it_is(lay):
    ref, hyp = lay("ref", {"p1.xml": page(LINES)}), lay("hyp", {"p1.txt": "The quick\nbrown fix"})
    table = read_folders(ref, {"a": hyp})
    result = evaluate_table(table, metrics="cer", seed=1)
    assert result.systems["a"]["cer"].counts["errors"] == 1
    assert "References: read as PAGE-XML (format page), as the content of p1.xml says." in result.result.warnings
    with pytest.raises(InputTypeError, match=r"references is a SegmentTable: give it to .*evaluate_table"):
        misread.evaluate(table, {}, seed=1)


SURE = {
    "page.xml": PAGE.format(
        '<TextRegion id="r1"><TextLine id="l1"><TextEquiv conf="0.5"><Unicode>The quick</Unicode></TextEquiv>'
        "</TextLine>"
        '<TextLine id="l2"><Word id="w3"><TextEquiv conf="0.25"><Unicode>brown</Unicode></TextEquiv></Word>'
        '<Word id="w4"><TextEquiv conf="1"><Unicode>fox</Unicode></TextEquiv></Word></TextLine></TextRegion>'
    ),
    "alto.xml": ALTO.format(
        '<TextBlock ID="r1"><TextLine ID="l1"><String CONTENT="The quick" WC="0.5"/></TextLine><TextLine ID="l2">'
        '<String CONTENT="brown" WC=".25"/><String CONTENT="fo" WC="1."/><HYP CONTENT="x"/></TextLine></TextBlock>'
    ),
    "p.hocr": HOCR.format(
        '<span class="ocr_line" id="l1"><span class="ocrx_word" title="bbox 0 0 1 1; x_wconf 50">The quick</span>'
        "</span>\n"
        '<span class="ocr_line" id="l2"><span class="ocrx_word" title="x_wconf 25">brown</span> '
        '<span class="ocrx_word" title="x_wconf 100; x_font 1">fox</span></span>'
    ),
}


@pytest.mark.parametrize("name", SURE)
def test_confidences_of_words_come_with_a_system(lay, name):
    path = lay("ocr", {name: SURE[name]}) / name
    table = read_folders(path, {"a": path})
    assert table.annotations_of == {"a": {"confidence": [[0.5, 0.5, 0.25, 1.0]]}}
    form = {"page.xml": "page", "alto.xml": "alto", "p.hocr": "hocr"}[name]
    by_line = FolderOptions(format=f"{form}(level=line)")
    (lines,) = read_folders(path, {"a": path}, by_line).annotations_of["a"].values()
    assert lines in ([0.5, [0.25, 1.0]], [[0.5, 0.5], [0.25, 1.0]])
    unsure = path.with_name(f"unsure-{name}")
    unsure.write_text(SURE[name].replace('conf="1"', 'conf="much"').replace('"1."', '"85"').replace("x_wconf 100", "y"))
    assert read_folders(path, {"a": unsure}).annotations_of == {}
    assert read_folders(path, {"a": unsure}, by_line).annotations_of["a"]["confidence"][1] is None


# The letters and signs of these two files that dinglehopper 0.11 takes for the same, of its table of equivalences.
SAME_LETTERS = {
    "\uf502": "ch",
    "\ueada": "ſt",
    "\uf4f9": "ll",
    "\ueba2": "ſi",
    "\ueba6": "ſſ",
    "\ueba7": "ſſi",
    "\ue42c": "ä",
    "\ue644": "ö",
    "\ue72b": "ü",
    "\ueec5": "ct",
    "\ueedc": "tz",
    "\ueec4": "ck",
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb03": "ffi",
    "\u2e17": "-",
    "\u2019": "'",
    "\u2014": "–",
    "a\u0364": "ä",
    "o\u0364": "ö",
    "u\u0364": "ü",
}


def same_letters(text):
    text = unicodedata.normalize("NFC", text)
    for letter, other in SAME_LETTERS.items():
        text = text.replace(letter, other)
    return text


ACTE = (
    "actevedef_718448162/OCR-D-GT-PAGE/00000024.page.xml",
    "actevedef_718448162/OCR-D-OCR-TESS/OCR-D-OCR-TESS_0001.xml",
)
BROCHRNX = ("brochrnx_73075507X/00000139.gt.page.xml", "brochrnx_73075507X/00000139.ocrd-tess.ocr.page.xml")


@pytest.mark.parametrize(
    ("files", "text_of", "errors", "length"),
    [
        # dinglehopper 0.11.0 with --textequiv-level region, its default, and line.
        (ACTE, "region", 188, 4673),
        (ACTE, "line", 395, 4673),
        (BROCHRNX, "region", 109, 1404),
        (BROCHRNX, "line", 109, 1404),
    ],
)
def test_graphemes_are_those_of_dinglehopper(shared_data, files, text_of, errors, length):
    ref, hyp = (shared_data / "dinglehopper_xml" / name for name in files)
    table = read_folders(ref, {"a": hyp}, FolderOptions(format=f"page(text_of={text_of})"))
    reference, hypothesis = same_letters(table.references[0]), same_letters(table.hypotheses["a"][0])
    counts = misread.error_counts(reference, hypothesis, unit="grapheme")
    assert (int(counts.errors.sum()), int(counts.reference_length.sum())) == (errors, length)


@pytest.mark.parametrize("text_of", ["region", "line"])
@pytest.mark.parametrize(
    ("name", "errors"),
    # dinglehopper 0.11.0 at both levels.
    [("table-order-0002", 6), ("table-region", 0), ("table-unordered", 0), ("table-no-reading-order", 9)],
)
def test_reading_orders_are_those_of_dinglehopper(data_of_every_format, name, text_of, errors):
    folder = data_of_every_format / "dinglehopper_xml/table-order"
    table = read_folders(
        folder / "table-order-0001.xml", {"a": folder / f"{name}.xml"}, FolderOptions(format=f"page(text_of={text_of})")
    )
    reference, hypothesis = table.references[0], table.hypotheses["a"][0]
    assert reference == "\n".join("123456789")
    assert int(misread.error_counts([reference], [hypothesis]).errors.sum()) == errors


# Characters that dinglehopper 0.11.0 reads, which leaves out hyphens at the ends of lines, and these hyphens.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "characters", "hyphens"), [("alto1", 23476, 32), ("alto2", 1682, 1), ("alto3", 109, 0)]
)
def test_texts_of_alto_are_those_of_dinglehopper_with_hyphens(shared_data, name, characters, hyphens):
    path = shared_data / f"dinglehopper_xml/test.{name}.xml"
    table = read_folders(path, {"a": path})
    assert len(table.references[0]) == characters + hyphens
    whole = read_folders(path, {"a": path}, FolderOptions(format="alto(hyphens=joined)")).references[0]
    assert len(whole.split()) == len(table.references[0].split()) - hyphens


def test_the_lines_of_an_archive_are_those_of_its_transcriptions(data_of_every_format):
    """Lines of `alto_xml` that `lines` has as text files, six of each page in the order of the page."""
    root = data_of_every_format / "timeus_handwriting"
    table = read_folders(
        root / "alto_xml", {"a": root / "alto_xml"}, FolderOptions(format="alto(level=line)", missing="drop")
    )
    texts = dict.fromkeys(zip(table.cluster, table.references, strict=True))
    beside = {
        (path.name[:-11], path.read_text(encoding="utf-8").removesuffix("\n"))
        for path in (root / "lines").glob("*.gt.txt")
        if path.name[:-11] in {*table.cluster}
    }
    assert len(beside) > 30
    assert beside <= {(page, text) for page, text in texts} | {(page, text.strip()) for page, text in texts}


@pytest.mark.parametrize("level", ["page", "region", "line"])
def test_page_xml_and_alto_of_the_same_pages_have_no_errors(data_of_every_format, level):
    from lxml import etree

    root = data_of_every_format / "timeus_handwriting"
    pages = [
        [text.text for text in etree.parse(path).iter("{*}Unicode")]
        for path in sorted((root / "page_xml").glob("*.xml"))
    ]
    texts = [line for lines in pages for line in lines] if level == "line" else ["\n".join(lines) for lines in pages]
    assert len(texts) >= 6
    for ours, theirs in (("page_xml", "alto_xml"), ("alto_xml", "page_xml")):
        forms = (f"{side.removesuffix('_xml')}(level={level})" for side in (ours, theirs))
        options = FolderOptions(**dict(zip(("format", "hypothesis_format"), forms, strict=True)))
        table = read_folders(root / ours, {"a": root / theirs}, options)
        assert sorted(table.references) == sorted(texts)
        assert table.references == table.hypotheses["a"]


def test_alto_with_a_hyphen_has_no_errors_against_page_xml_of_what_is_printed(data_of_every_format, tmp_path):
    """The lines of a real page of ALTO, as PAGE-XML with the same ids."""
    from lxml import etree

    source = data_of_every_format / "dinglehopper_xml/test.alto2.xml"
    space = "{http://www.loc.gov/standards/alto/ns-v2#}"
    root = etree.Element("PcGts", nsmap={None: "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"})
    place = etree.SubElement(root, "Page")
    for block in etree.parse(source).iter(f"{space}TextBlock"):
        region = etree.SubElement(place, "TextRegion", id=block.get("ID"))
        for line in block.iter(f"{space}TextLine"):
            words = " ".join(each.get("CONTENT") for each in line.iter(f"{space}String"))
            words += "".join(each.get("CONTENT") for each in line.iter(f"{space}HYP"))
            written = etree.SubElement(region, "TextLine", id="l")
            etree.SubElement(etree.SubElement(written, "TextEquiv"), "Unicode").text = words
    page_file = tmp_path / "same.xml"
    page_file.write_bytes(etree.tostring(root))
    table = read_folders(source, {"a": page_file})
    assert table.references == table.hypotheses["a"]
    assert misread.cer(table.references, table.hypotheses["a"]) == 0
    by_region = FolderOptions(format="alto(level=region)", hypothesis_format="page(level=region)", missing="drop")
    regions = read_folders(source, {"a": page_file}, by_region)
    assert regions.references == regions.hypotheses["a"]


def test_a_file_and_a_folder_do_not_go_together(tmp_path):
    (tmp_path / "ref.txt").write_text("one\n")
    (tmp_path / "hyp.txt").write_text("one\n")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputFileError, match="both files or both folders"):
        read_folders(tmp_path / "ref.txt", {"a": tmp_path / "hyp.txt", "b": tmp_path / "folder"})
