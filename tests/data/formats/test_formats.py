"""The list of formats, and what stands nowhere else than in it."""

import inspect
import json
import re
import subprocess
import sys
from typing import get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data import Format, read_segment_files
from misread.data.formats import FORMATS, TABLES, find_format
from misread.data.formats.base import Format as Record
from misread.data.formats.content import Content
from misread.data.formats.plain_text import read_plain_text
from misread.data.formats.recognition import guess_format, read_segments, recognise
from misread.data.formats.tesseract_files import TSV_HEADER
from misread.errors import ConfigurationError, InputFileError, UnknownNameError

EVERY = {**FORMATS, **TABLES}
OWN = Format(name="own", label="own", kind="segments", paired_by="id")


@pytest.mark.process
def test_naming_the_formats_imports_none():
    code = (
        "import sys; from misread.data.formats import FORMATS; from misread.data.formats.base import Format; "
        "print(*FORMATS, *(name for name in sys.modules if name.startswith('misread.data.formats.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [*FORMATS, "misread.data.formats.base"]


@pytest.mark.parametrize("name", EVERY)
def test_a_format_is_listed_under_its_own_name_and_says_what_it_is(name):
    form = EVERY[name]
    assert (form.name, bool(form.label), bool(form.help)) == (name, True, True)
    assert all(ending.startswith(".") and ending == ending.lower() for ending in form.endings)


@pytest.mark.parametrize("name", FORMATS)
def test_the_guide_has_a_row_of_every_format(repository, name):
    has_layout = FORMATS[name].has_layout
    page, column = ("how-to/pages", "") if has_layout else ("reference/formats", f" {FORMATS[name].paired_by} |")
    guide = (repository / f"docs/{page}.md").read_text(encoding="utf-8")
    assert f"| `{name}` | {FORMATS[name].help} |{column}" in guide


def test_the_guide_lists_the_formats_that_are_written(repository):
    guide = (repository / "docs/reference/formats.md").read_text(encoding="utf-8")
    table = guide.partition("| `--to` | holds |\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == {name for name, form in EVERY.items() if form.write}


@pytest.mark.parametrize(
    ("content", "ending", "expected"),
    [
        ("\n".join(json.dumps({"audio_filepath": f"{n}.wav", "text": "a"}) for n in range(2)), ".jsonl", "nemo"),
        (f"{chr(9).join(TSV_HEADER)}\n{chr(9).join('5111110001')}\t91\tone\n", ".tsv", "tesseract_tsv"),
    ],
)
def test_a_file_that_two_formats_recognise_is_of_the_first_in_the_list(content, ending, expected):
    looked_at = Content(content, ending)
    sure = [name for name, form in EVERY.items() if form.recognise and form.recognise(looked_at)]
    assert (len(sure), sure[0]) == (2, expected)
    assert recognise(looked_at) == FORMATS[expected]


def test_a_recognised_file_is_refused_with_the_options_that_read_it(tmp_path):
    path = tmp_path / "talk.TextGrid"
    path.write_text('File type = "ooTextFile"\n')
    with pytest.raises(InputFileError, match=r"talk\.TextGrid is TextGrid, .*: score it with format='textgrid'"):
        read_plain_text(path)


def test_a_file_that_is_not_of_the_named_format_is_refused_with_the_format_that_it_is_of(tmp_path):
    path = tmp_path / "a.srt"
    path.write_text('[{"session_id": "a", "words": "one"}]')
    with pytest.raises(InputFileError, match=r"a\.srt, line 1: .* Its content is SegLST: name the format seglst\."):
        read_segments(FORMATS["srt"], path, encoding="utf-8")


def test_segments_with_times_are_scored_against_others_and_the_rest_against_their_own():
    timed = [name for name, form in FORMATS.items() if (form.kind, form.paired_by) == ("segments", "time")]
    pages = [name for name, form in FORMATS.items() if form.kind == "pages"]
    fitting = {name: [other for other in FORMATS if form.fits(FORMATS[other])] for name, form in FORMATS.items()}
    assert fitting["stm"] == ["stm", "ctm", *timed[1:]]
    assert [fitting[name] for name in pages] == [pages] * len(pages)
    assert (fitting["ctm"], fitting["kaldi"], fitting["lines"]) == ([], ["kaldi"], ["lines"])


def test_a_name_of_another_kind_is_refused_with_those_that_fit():
    with pytest.raises(UnknownNameError, match=r"unknown format 'page' in x\. .*There are: .*ctm, .*docvqa"):
        find_format("page", where="x")
    with pytest.raises(UnknownNameError, match=r"Did you mean 'hocr'"):
        find_format("hocrr", kinds=["pages"])
    with pytest.raises(ConfigurationError, match="the format own holds segments, expected pages"):
        find_format(OWN, kinds=["pages"])
    with pytest.raises(ConfigurationError, match="'nowhere' in the setting plugins"):
        find_format("nowhere.OWN")


def test_a_format_without_a_reader_or_writer_says_so(tmp_path):
    assert Record is Format
    for refused in (
        lambda: OWN.read_segments(tmp_path, encoding="utf-8"),
        lambda: FORMATS["page"].read_segments(tmp_path, encoding="utf-8"),
        lambda: FORMATS["srt"].write_segments([], []),
        lambda: read_segment_files(tmp_path, {}, OWN, cut_again=True),
    ):
        with pytest.raises(ConfigurationError, match=r"own|page|srt"):
            refused()


@st.composite
def formats_with_settings(draw):
    """Formats whose settings have any values that they take."""
    form = FORMATS[draw(st.sampled_from([name for name, form in FORMATS.items() if form.defaults]))]
    types = get_type_hints(type(form.settings))
    values = {
        name: draw(
            st.sampled_from(get_args(types[name]))
            if get_args(types[name])
            else st.booleans()
            if types[name] is bool
            else st.text()
        )
        for name in form.defaults
    }
    if form.name == "nlp":
        values[draw(st.sampled_from(["alternatives", "entities"]))] = ""
    return form.given(**values)


@given(formats_with_settings())
def test_a_format_is_read_from_the_name_that_it_is_written_as(form):
    read = find_format(str(form), kinds=[form.kind])
    assert (read, str(read)) == (form, str(form))
    assert str(form) == form.name or form.changed


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_reads_the_settings_in_its_name(name):
    form = FORMATS[name]
    takes = {
        parameter
        for function in (form.read, form.pair)
        if function
        for parameter in inspect.signature(function).parameters
    }
    assert {*form.arguments} <= takes or name == "text"
    assert form.takes <= takes
    assert form.folders <= {*form.defaults}


@pytest.mark.parametrize(
    "ending", ["srt", "vtt", "stm", "ctm", "trn", "nlp", "TextGrid", "jsonl", "csv", "tsv", "parquet", "eval"]
)
def test_a_file_is_of_the_format_that_its_ending_has_if_its_content_shows_no_other(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    path.write_text("one two\n")
    form = guess_format(path, kinds=["segments", "words", "table", "log"])
    assert f".{ending.lower()}" in form.endings
    with pytest.raises(InputFileError, match=rf"a\.{ending}"):
        read_plain_text(path)
    path.write_text("")
    assert guess_format(path, kinds=["segments", "words", "table"]) is None
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\none\n")
    assert guess_format(path, kinds=["segments", "words", "table"]) is FORMATS["srt"]
