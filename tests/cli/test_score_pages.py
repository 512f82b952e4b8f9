"""Pages with layout through the command line."""

import pytest

from misread.data.formats import content
from misread.io.text import read_start

PAGE = '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page>{}</Page></PcGts>'
REGION = '<TextRegion id="r">{}</TextRegion>'
LINE = '<TextLine id="{}"><TextEquiv><Unicode>{}</Unicode></TextEquiv></TextLine>'
ALTO = '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page><PrintSpace>{}</PrintSpace></Page></Layout></alto>'
BLOCK = '<TextBlock ID="r">{}</TextBlock>'
TEXT_LINE = '<TextLine ID="{}"><String CONTENT="{}"/></TextLine>'
QUICK = ("--metrics", "cer", "--resamples", "99", "--output", "json")


@pytest.fixture
def pages(tmp_path):
    """Three pages of references in PAGE-XML, and a system with an error on each in ALTO."""
    for number in "123":
        lines = {"l1": f"page {number}", "l2": "second"}
        for folder, form, group, line in (("gt", PAGE, REGION, LINE), ("ocr", ALTO, BLOCK, TEXT_LINE)):
            (tmp_path / folder).mkdir(exist_ok=True)
            read = lines if folder == "gt" else {**lines, "l2": "secend"}
            content = form.format(group.format("".join(line.format(*each) for each in read.items())))
            (tmp_path / folder / f"p{number}.xml").write_text(content, encoding="utf-8")
    return ("--ref", "gt", "--hyp", "a=ocr")


def counts(done):
    assert done.status == 0, done.err
    return (done.json["segments"], *(done.json["systems"]["a"]["cer"]["counts"][name] for name in ("errors", "length")))


BY_LINE = ("--format", "page(level=line)", "--hyp-format", "alto(level=line)")


@pytest.mark.parametrize("named", [("--format", "--hyp-format"), ("--hyp-format",), ()])
@pytest.mark.parametrize(("level", "segments", "length"), [("page", 3, 39), ("region", 3, 39), ("line", 6, 36)])
def test_page_xml_is_scored_against_alto(misread, pages, named, level, segments, length):
    if not named and level != "page":
        pytest.skip("a level is a setting of a format that is named")
    forms = {"--format": f"page(level={level})", "--hyp-format": f"alto(level={level})"}
    done = misread("score", *pages, *(word for name in named for word in (name, forms[name])), *QUICK)
    assert counts(done) == (segments, 3, length)
    guessed = [note for note in done.json["warnings"] if "as the content of p1.xml says" in note]
    assert len(guessed) == 2 - len(named)
    assert done.json["clusters"] == (None if level == "page" else 3)


def test_clusters_and_groups_come_from_a_table_of_ids(misread, pages, write_lines):
    table = write_lines("ids.csv", "id,writer,hand\np1,Ada,x\np2,Ada,y\np3.xml,Eva,y\n")
    options = ("--ids-table", table, "--cluster", "writer", "--groups", "hand")
    done = misread("score", *pages, *BY_LINE, *options, *QUICK)
    assert (done.json["clusters"], [*done.json["groups"]["hand"]]) == (2, ["x", "y"])
    single = misread("score", "gt/p1.xml", "ocr/p1.xml", *BY_LINE, "--ids-table", "l.csv", "--cluster", "w", *QUICK)
    assert "there is no file l.csv" in single.err


def test_align_takes_lines_of_pages(misread, pages):
    done = misread("inspect", "align", *pages, *BY_LINE, "--segment", "p2#l2")
    assert (done.status, "p2#l2" in done.out) == (0, True)


def test_the_format_of_two_files_is_told_by_their_content(misread, pages, tmp_path):
    (tmp_path / "plain.txt").write_text("page 1\nsecond\n", encoding="utf-8")
    done = misread("score", "--ref", "gt/p1.xml", "--hyp", "a=plain.txt", *QUICK)
    assert counts(done) == (1, 0, 13)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--format", "lines"), "folders are paired file by file"),
        (("--format", "page(text_of=line,text_of=word)"), "each setting once, such as page(level=line)"),
        (("--ids-table", "ids.csv"), "--ids-table needs --cluster COLUMN or --groups COLUMN"),
        (("--format", "trn(level=line)"), "unknown setting 'level' in trn. There are: optional_words."),
        (("--cluster", "folder"), "--cluster folder: p1.xml is in no folder below gt"),
    ],
)
def test_options_that_do_not_fit_are_answered_in_one_line(misread, pages, options, message):
    done = misread("score", *pages, *options, *QUICK)
    assert done.status != 0
    assert message in done.err.replace("\n", " ")
    assert "Traceback" not in done.err


def test_a_table_pairs_pages_whatever_they_are_called(misread, pages, tmp_path):
    names = [path.name for path in sorted((tmp_path / "gt").glob("*.xml"))]
    expected = counts(misread("score", *pages, *QUICK))
    rows = "".join(f"gt/{name},ocr/{name}\n" for name in names)
    (tmp_path / "pairs.csv").write_text(f"truth,a\n{rows}")
    columns = ("--ref", "truth", "--hyp", "a=a")
    for options in ((), columns, (*columns, "--segment-id", "truth", "--cluster", "truth")):
        assert counts(misread("score", "--paths-table", "pairs.csv", *options, *QUICK)) == expected
    lines = misread("score", "--paths-table", "pairs.csv", *BY_LINE, *QUICK)
    assert counts(lines) == counts(misread("score", *pages, *BY_LINE, *QUICK))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--table", "pairs.csv"), "--paths-table has ids and labels of its own: leave out --table."),
        (("--ids-table", "pairs.csv", "--cluster", "read"), "has ids and labels of its own: leave out --ids-table."),
        (("--pattern", "*.xml"), "choose files in folders: give folders."),
        (("--format", "trn"), "--paths-table pairs files that are one text or page each: name a --format of these"),
        (("--ref", "truth"), "--paths-table has columns of paths: name --ref COLUMN and --hyp NAME=COLUMN, or of two"),
        (("--hyp", "a=read", "--metrics", "json_validity"), "--paths-table has columns of paths: name --ref COLUMN"),
        (("--cluster", "book"), "unknown column 'book' in"),
        (("gt", "ocr"), "give files as they are, REF HYP [HYP ...], or with --ref and --hyp; not both."),
    ],
)
def test_what_does_not_go_with_a_table_of_paths_is_refused(misread, pages, tmp_path, options, message):
    (tmp_path / "pairs.csv").write_text("truth,read\ngt/p1.xml,ocr/p1.xml\n")
    done = misread("score", "--paths-table", "pairs.csv", *options, *QUICK)
    assert done.status != 0
    assert message in done.err.replace("\n", " ")


def test_ids_with_a_slash_or_a_line_end_are_paired_and_printed_in_one_line(misread, pages, tmp_path):
    for path in (tmp_path / "gt/p2.xml", tmp_path / "ocr/p2.xml"):
        path.write_text(path.read_text().replace('"l1"', '"a/b"').replace('"l2"', '"a&#10;b&#x202e;"'))
    assert counts(misread("score", *pages, *BY_LINE, *QUICK)) == (6, 3, 36)
    path.write_text(path.read_text().replace("b&#x202e;", "c"))
    (line,) = misread("score", *pages, *BY_LINE, *QUICK).err.splitlines()
    assert r"1 only in references (p2#a\nb\u202e), 1 only in a (p2#a\nc)" in line


def test_an_answer_in_xml_is_still_an_answer(misread, pages):
    done = misread("score", *pages, "--metrics", "xml_validity", *QUICK[2:])
    assert done.status == 0
    assert not any("as the content" in note for note in done.json["warnings"])


def test_level_is_for_pages_and_not_for_lines_or_tables(misread, write_lines):
    plain = write_lines("a.txt", "one\n"), write_lines("b.txt", "one\n")
    assert "unknown setting 'level' in text" in misread("score", *plain, "--format", "text(level=line)").err
    guessed = misread("score", *plain, "--hyp-format", "page(level=line)")
    assert "plain text, whose parts have no ids" in guessed.err
    table = write_lines("t.csv", "id,r,a\n1,x,y\n")
    done = misread("score", "--table", table, "--ref", "r", "--hyp", "a=a", "--format", "page(level=line)")
    assert "--format and --hyp-format are of files" in done.err


@pytest.mark.parametrize("files", [("gt/p1.xml", "ocr/p1.xml"), ("l.txt", "l.txt"), ("gt", "ocr")])
def test_a_format_is_guessed_by_one_look_at_a_file(misread, pages, tmp_path, monkeypatch, files):
    (tmp_path / "l.txt").write_text("page 1\nsecond\n", encoding="utf-8")
    looked = []
    monkeypatch.setattr(content, "read_start", lambda path: looked.append(path) or read_start(path))
    assert misread("score", *files, *QUICK).status == 0
    assert looked
    assert len(looked) == len({*looked})
