import json
import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data import FolderOptions, ImageFolder, read_files, read_folders
from misread.data.formats.plain_text import read_plain_text
from misread.errors import InputFileError

FOREIGN = {
    "JSON Lines": '{"id": "1", "text": "one"}\n\n{"id": "2", "text": "two"}\n',
    "JSON": '[\n  {"text": "one"},\n  {"text": "two"}\n]\n',
    "HTML": "<!-- made by hand -->\n<!DOCTYPE html>\n<html><body>one</body></html>\n",
    "hOCR": "<?xml version=\"1.0\"?>\n<html><head/><body><div class='ocr_page'>one</div></body></html>\n",
    "PAGE-XML": '<?xml version="1.0"?>\n<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"/>',
    "ALTO": "\n<alto:alto xmlns:alto='http://www.loc.gov/standards/alto/ns-v4#'><Layout/></alto:alto>\n",
    "XML": '<?xml version="1.0" encoding="UTF-8"?>\n<document>one</document>\n',
    "DjVu's text": '(page 0 0 250 330\n (line 1 1 2 2\n  (word 1 1 2 2 "one")))\n',
    "SRT": "1\n00:00:01,000 --> 00:00:02,500\none\n\n2\n00:00:03,000 --> 00:00:04,000\ntwo\n",
    "WebVTT": "WEBVTT\n\n00:01.000 --> 00:02.500\none\n",
    "NLP": "token|speaker|ts\none|1|0.1\ntwo|1|0.2\n",
    "STM": ";; comment\ntalk A anna 0.0 1.5 <o,f0> one two\ntalk A anna 1.5 2.5\n",
    "CTM": "talk A 0.0 0.5 one\ntalk A 0.5 0.5 two 0.98\ntalk A * * <ALT_BEGIN>\n",
    "TRN": "one two (anna-001)\n{ three / four } five (anna-002)\n(anna-003)\n",
    "CSV": 'page_id,text\n1,"one, two"\n2,three\n',
    "TSV": "id\ttext\n1\tone\n2\ttwo\n",
    "in conflict, as Git says": "one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> branch\n",
}

PLAIN = {
    "nothing": "",
    "prose": "The quick brown fox, it is said,\njumps over the lazy dog.\n",
    "comments without end": "<!-- -->" * 100_000,
    "a tag without end": "<a " + "xmlns " * 100_000,
    "braces": "{ one / two } three\n[4] see above\n",
    "a footnote mark": "[1]\n",
    "empty braces": "{}\n",
    "one object among lines": '{"a": 1}\nis how it is written\n',
    "brackets beyond any depth": "[" * 50_000,
    "markup of one word": "<i>one</i> two\n<unclear>three</unclear>\n",
    "a comparison": "<3 is less than five>\n",
    "a time alone": "1\n12:30\n",
    "a printed table": "Apples B 1.5 20 kg\nPears C 2.5 30 kg\nPlums D 3.5 40 kg\n",
    "a table of numbers": "a 1 2 3 4\na 1 2 3 5\nb 2 2 3 4\n",
    "a table of names and numbers": "Apples B red 3 4\nPears C green 3 5\n",
    "books with their years": "On Growth (1917)\nThe Golden Bough (1890a)\nMiddlemarch (1871)\n",
    "one line with an abbreviation": "what is known of it (COVID-19)\n",
    "an id twice": "one (a-1)\ntwo (a-1)\n",
    "a directory": "Dupont, baker, Rue Noire\nDurand, mason, Rue Verte\n",
    "lower case with commas": "apples,pears\nplums,figs\n",
    "a header that is prose": "the line, the page\none, two\n",
    "rows of unequal length": "id,text\none, two, three\n",
    "source code": "f(['a'], 1)\n[\"b\", 2]\n<div>one</div>\n\\begin{array}{l} x\n#!/bin/sh\n--- a\n+++ b\n",
    "numbers in brackets": "(1, 2)\n[3]\n{4}\n",
    "quotes after brackets": '[\'tis the season\n("Hello", he said.)\n["laughs"] two\n',
    "two prices": "1.00 2.00 tea\n3.00 4.00 bread\n5.50 6.10 milk\n",
    "reigns": "1801 1809 Jefferson\n1809 1817 Madison\n1817 1825 Monroe\n",
    "remarks without end": ";; \n" * 20_000 + "x",
    "conflicts without end": "<<<<<<< a\n<<<<<<< a\n=======\n" * 3_000,
    "numbers of thousands of digits": f"[{'9' * 5_000}][1] one\n" * 3,
    "samples with a gap": "0 9640 the\n9641 11240 ship\n11241 12783 left\n",
    "a conflict without two sides": "one\n<<<<<<< HEAD\ntwo\n>>>>>>> branch\n",
    "ages": "0 5 small\n5 10 middle\n10 20 large\n",
    "a matrix": "0.125 0.340\n0.455 0.560\n0.670 0.780\n",
    "citations": "[1][2] one\n[2][1] two\n[1][3] three\n",
    "one who refers": "Ref: 12\nPredictions: none\nAnn ref the match\n",
    "an element in lines": "<i>\none\n</i> two\n",
    "bars": "one | two\nthree | four\n",
}


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode())
        return path

    return write


@pytest.mark.parametrize(("name", "content"), FOREIGN.items())
@pytest.mark.parametrize("change", [str, lambda text: "\ufeff" + text.replace("\n", "\r\n")])
def test_another_format_is_named_with_the_way_out(write, name, content, change):
    with pytest.raises(
        InputFileError, match=rf"a\.txt is {re.escape(name)}, not plain text, .* use format='lines\(verbatim=true\)'"
    ) as caught:
        read_plain_text(write("a.txt", change(content)))
    assert "format" in caught.value.settings


@pytest.mark.parametrize(
    ("content", "instead"),
    [
        ('[{"session_id": "a", "words": "one"}]', "SegLST, .* scored: score it with format='seglst'"),
        ('{"text": "one", "segments": []}', "JSON of Whisper, .* scored: score it with format='whisper'"),
        ('{"form": []}', "FUNSD, .* scored: name its format, format='funsd'"),
        ('[{"a": "one"},\n {"b": "two"}]', "JSON, .* scored: score it as a table"),
        ('{"a": {"b": "one"}}', "JSON, .* scored: take the text out of it first"),
    ],
)
def test_json_that_a_format_has_is_answered_with_its_name(write, content, instead):
    # Over two lines, as a line of each would be a table.
    with pytest.raises(InputFileError, match=rf"is {instead}( \(.*\))?, or use format='lines\(verbatim=true\)'"):
        read_plain_text(write("a.txt", content.replace("{", "{\n", 1)))


def test_a_document_of_json_in_one_line_is_no_table(write):
    with pytest.raises(InputFileError, match=r"is JSON of Whisper, .*format='whisper'"):
        read_plain_text(write("a.json", '{"text": "one", "segments": []}\n'))


def test_stm_is_scored_against_stm_or_ctm(write):
    advice = r"format='stm' \(against CTM format='stm' hypothesis_format='ctm'\)"
    with pytest.raises(InputFileError, match=f"is STM, .* score it with {advice}"):
        read_plain_text(write("a.stm", "f A ann 0 1 one\n"))


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_any_file_may_be_taken_as_it_stands(write, content):
    assert read_plain_text(write("a.txt", content), verbatim=True) == content


@pytest.mark.parametrize("content", PLAIN.values(), ids=PLAIN)
def test_text_that_only_resembles_a_format_is_text(write, content):
    assert read_plain_text(write("a.txt", content)) == content


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.xml", "<x/>\n"), ("a.HTM", "<p>one</p>\n"), ("a.sbv", "0:00:01.000,0:00:02.000\none\n"), ("a.RTTM", "one\n")],
)
def test_little_is_enough_where_the_name_of_the_file_says_the_same(write, name, content):
    assert read_plain_text(write("a.txt", content)) == content
    with pytest.raises(InputFileError, match="not plain text"):
        read_plain_text(write(name, content))


def test_references_and_hypotheses_of_files_and_folders_are_looked_at(write, tmp_path):
    plain, page = write("plain.txt", "one\n"), write("page.txt", FOREIGN["PAGE-XML"])
    as_text = FolderOptions(format="text")
    write("ref/p1.txt", "one\n"), write("hyp/p1.html", FOREIGN["HTML"])
    for sides in ((plain, page), (page, plain)):
        for read in (read_files, partial(read_folders, options=as_text)):
            with pytest.raises(InputFileError, match=r"page\.txt is PAGE-XML, .* format='page'"):
                read(sides[0], {"a": sides[1]})
    for names in (("ref", "hyp"), ("hyp", "ref")):
        with pytest.raises(InputFileError, match=r"p1\.html is HTML"):
            read_folders(tmp_path / names[0], {"a": tmp_path / names[1]})
    literally = FolderOptions(format="text(verbatim=true)")
    table = read_folders(tmp_path / "ref", {"a": tmp_path / "hyp"}, literally)
    assert table.hypotheses["a"] == [FOREIGN["HTML"].removesuffix("\n")]


def test_transcriptions_beside_images_are_looked_at(write, tmp_path):
    write("p1.png", ""), write("p1.xml", FOREIGN["PAGE-XML"])
    settings = {"images": ["*.png"], "medium": "page_image", "transcription": [".xml"]}
    with pytest.raises(InputFileError, match=r"p1\.xml is PAGE-XML.*verbatim=true"):
        ImageFolder(str(tmp_path), **settings).segments()
    assert len(ImageFolder(str(tmp_path), **settings, format="text(verbatim=true)").segments()) == 1


def test_files_of_other_formats_are_recognised(data_of_every_format):
    found = {
        "PAGE-XML": ["dinglehopper_xml/*/OCR-D*/*.xml", "dinglehopper_xml/table-order/*.xml", "timeus*/page_xml/*.xml"],
        "ALTO": ["dinglehopper_xml/*alto*.xml", "timeus_handwriting/alto_xml/*.xml"],
        "TRN": ["sctk/csrnab.*", "speech/*/*transcription"],
        "STM": ["sctk/*.stm", "speakers/*.stm"],
        "CTM": ["sctk/*.ctm", "speakers/*.ctm"],
        "NLP": ["earnings21_eval10/transcripts/nlp_references/*.nlp"],
        "JSON Lines": ["das22_directories/*.jsonl"],
        "CSV": ["earnings21_eval10/*.csv", "rise_letters/ground_truths/*.csv"],
    }
    for name, patterns in found.items():
        files = [path for pattern in patterns for path in data_of_every_format.glob(pattern)]
        assert len(files) >= 1
        for path in files:
            with pytest.raises(InputFileError, match=f"{path.name} is {name}, not plain text"):
                read_plain_text(path)


def test_no_plain_text_is_refused(data_of_every_format):
    patterns = [
        "tesseract_pages/testing/*.txt",
        "timeus_handwriting/lines/*.gt.txt",
        "speech/*/*.txt",
        "speech/*/*.lab",
    ]
    files = [path for pattern in patterns for path in data_of_every_format.glob(pattern)]
    assert len(files) > 80
    for path in [*files, *data_of_every_format.rglob("*.md"), *data_of_every_format.rglob("LICENSE")]:
        assert read_plain_text(path) == read_plain_text(path, verbatim=True)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{\\rtf1\\ansi one\\par\n}\n", "RTF"),
        ('#!MLF!#\n"*/a.lab"\none\n.\n', "a master label file of HTK"),
        ("\n\\documentclass{article}\n", "LaTeX"),
        ("# Ocr Results File. Created by GNU Ocrad\nlines 1\n", "Ocrad's results"),
        ('<page id="0" rotate="0">one</page>\n', "XML"),
        ("[Script Info]\nTitle: x\n", "captions of another format"),
        ("@UTF8\n@Begin\n*CHI:\tone .\n", "CHAT"),
        ("\\ref 1\n\\tx one\n", "Toolbox"),
        ("# text = one\n1\tone\n", "CoNLL"),
        ("1\tone\tone\tNUM\t_\t_\n", "CoNLL"),
        ("SPEAKER talk 1 0.00 2.50 <NA> <NA> ann <NA> <NA>\n", "RTTM"),
        (";; made by hand\nSPKR-INFO talk 1 <NA> <NA> <NA> unknown ann <NA>\n", "RTTM"),
        ("%WER 5.56 [ 1 / 18, 0 ins, 0 del, 1 sub ]\n", "a report on errors"),
        ('<window type="a">\n<time begin="3"/>one\n</window>\n', "XML"),
        ("0 9640 the\n9640 11240 ship\n11240 12783 left\n", "a log of texts with times"),
        ("Word(start=0.0, word=' one', tokens=tensor([1]))\n" * 2, "lists or objects of a program"),
        ("<SAMI><BODY>\n<P>one\n</BODY>\n", "captions of another format"),
    ],
)
def test_a_source_that_names_its_format_first_is_refused_by_this_name(write, text, name):
    with pytest.raises(InputFileError, match=f"is {name}, not plain text"):
        read_plain_text(write("a.txt", text))
    assert read_plain_text(write("a.txt", f"one {text.strip()}\n")).startswith("one")


@pytest.mark.parametrize(
    "line",
    [
        "[00:0{}.000 --> 00:02.000]  one",
        "00:00:0{},000 --> 00:00:02,000 one",
        "[0:0{} --> 0:02] one",
        "[00:0{}.50]one",
        "[{}.00s -> 9.00s] one",
        "{}.000000\t9.500000\tone",
        "0:00:0{}.000,0:00:09.000\none\n",
        "Dialogue: 0,0:00:0{}.00,0:00:09.00,Default,,0,0,0,,one",
        "00:00:0{} Ann\none\n",
        "{{{}}}{{90}}one",
        "ann\t\t00:00:0{}.000\t1.0\tone",
        "00 : 00 : 0{}, 000 --> 00 : 00 : 09, 000 one",
        "[{}][90]one",
        "{0},125000\t{0},250000\tone",
        "{0}.125 {0}.250 one",
        "2026-05-06 10:11:1{},123 INFO one",
        "[2026-05-06T10:11:1{}Z] one",
    ],
)
def test_times_in_order_before_each_text_are_a_source_whatever_their_notation(write, line):
    with pytest.raises(InputFileError, match="is a log of texts with times, not plain text"):
        read_plain_text(write("a.txt", "".join(f"{line.format(number)}\n" for number in range(3))))
    # Out of order, or before few of the lines, they are part of the texts.
    for numbers, more in (((2, 0, 1), ""), (range(3), "one\n" * 20)):
        text = "".join(f"{line.format(number)}\n" for number in numbers) + more
        assert read_plain_text(write("a.txt", text)) == text


@pytest.mark.parametrize(
    "line",
    ["[12:3{}] we meet", "12:3{} train to Bern", "see 00:0{} --> there", "1{}.50\t20.90\tbread", "x{} = 1.0s", "{}"],
)
def test_texts_that_have_times_are_text(write, line):
    assert read_plain_text(write("a.txt", "".join(f"{line.format(number)}\n" for number in range(3))))


@pytest.mark.parametrize(
    "lines",
    [
        "REF: one\nHYP: two\n\n",
        "a-{} ref one\na-{} hyp two\na-{} op S\n",
        "a{}:\tref=['one']\na{}:\thyp=['two']\n",
        "[I 10:11:12 wer:319] reference:one\n[I 10:11:12 wer:320] predicted:two\n",
        "id: (a-{})\nScores: (#C #S #D #I) 1 0 0 0\nREF:  one \nHYP:  two \nEval: S\n",
    ],
)
def test_a_log_with_both_sides_is_a_source_and_one_side_is_text(write, lines):
    text = "".join(lines.replace("{}", str(number)) for number in range(3))
    with pytest.raises(InputFileError, match="is a log of references and outputs, not plain text"):
        read_plain_text(write("a.txt", text))
    one_side = "".join(f"{line}\n" for line in text.splitlines() if not re.search("hyp|pred", line, re.IGNORECASE))
    assert read_plain_text(write("b.txt", one_side)) == one_side


VALUES = st.recursive(
    st.text(st.characters(codec="utf-8")) | st.integers() | st.booleans() | st.none(),
    lambda parts: st.lists(parts, min_size=1) | st.dictionaries(st.text(min_size=1), parts, min_size=1),
)


@given(
    st.lists(VALUES.map(lambda value: ["text", value]), min_size=1, max_size=4),
    st.sampled_from([json.dumps, partial(json.dumps, indent=1), repr]),
    st.sampled_from(["", "\n", ",\n"]),
)
def test_lists_and_objects_that_programs_write_are_sources_in_any_layout(
    tmp_path_factory, values, write_value, between
):
    path = tmp_path_factory.mktemp("values") / "a.txt"
    path.write_bytes(f"{between.join(map(write_value, values))}\n".encode())
    with pytest.raises(InputFileError, match="not plain text"):
        read_plain_text(path)
