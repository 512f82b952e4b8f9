"""What messages advise on a file is followed, as it is printed, on files of every format."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from misread.data.formats import FORMATS, TABLES
from misread.data.formats.content import Content
from misread.data.formats.recognition import recognise
from misread.data.formats.tables import read_rows

SAMPLES = Path(__file__).parents[2] / "tools" / "fuzz" / "samples"
QUICK = ("--metrics", "cer", "--resamples", "99")
# Samples of these have alternatives, which only references may have.
PLAIN = {"stm.stm": b"f A ann 0 1 one two\n", "ctm.ctm": b"f A 0 1 one\nf A 1 1 two\n"}
OF_FORMATS = {
    path.name: PLAIN.get(path.name) or path.read_bytes()
    for path in sorted(SAMPLES.iterdir())
    if path.is_file() and path.name.split(".")[0].split("-")[0] in {*FORMATS, *TABLES}
}
OTHERS = {
    "page.html": b"<!DOCTYPE html>\n<html><body>one</body></html>\n",
    "tei.xml": b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>one</body></text></TEI>\n',
    "nested.json": b'{"answer": {"text": "one"}}\n',
    "rows.json": b'[{"id": "1", "text": "one"}, {"id": "2", "text": "two"}]\n',
    "rows.txt": b'{"id": "1", "text": "one"}\n{"id": "2", "text": "two"}\n',
    "columns.txt": b"id,text\n1,one\n2,two\n",
    "parquet.data": (SAMPLES / "parquet.parquet").read_bytes(),
    "wide.txt": "one two\n".encode("utf-16-le"),
    "latin.txt": b"caf\xe9\n",
}


def find_advice(message):
    """Kinds of advice in a message, each with what it names."""
    if re.search(r"(?:score|give) it as a table \(--table", message):
        yield "table", []
    for options in re.findall(r"(?:score it with|name its format,) ((?:--[a-z-]+ [\w-]+ ?)+)", message):
        yield "score", shlex.split(options)
    if "--format 'lines(verbatim=true)', of whole files text(verbatim=true)" in message:
        yield "score", ["--format", "lines(verbatim=true)"]
        yield "score", ["--format", "text(verbatim=true)"]
    if "--resegment aligns the words" in message:
        yield "score", ["--resegment"]
    yield from (("score", ["--missing", value]) for value in re.findall(r"--missing (\w+)", message))
    if "--hyp NAME=FILE" in message:
        yield "names", []
    if names := re.search(r"--from names a format: (.*)\.", message):
        yield "convert", names[1].split(", ")
    if command := re.search(r"`(iconv .*?)`", message):
        yield "shell", [command[1]]


@pytest.fixture
def follow(misread, tmp_path):
    """Do what a piece of advice says with a file."""

    def follow(kind, named, file):
        if kind == "shell":
            subprocess.run(["sh", "-c", named[0]], check=True, cwd=tmp_path)
            file, kind, named = next(tmp_path.glob("*.utf8.*")), "score", []
        if kind == "table":
            file = shutil.copy(file, file.with_suffix(".parquet")) if file.suffix == ".data" else file
            rows = read_rows(file)
            columns = {name: {*map(type, rows.words(name))} for name in rows.columns if name != "id"}
            column = next(name for name, types in columns.items() if types == {str} and name not in ("begin", "end"))
            return misread("score", "--table", file, "--ref", column, "--hyp", f"a={column}", *QUICK)
        if kind == "convert":
            assert {"lines", "page", "table"} <= {*named} <= {*FORMATS, "table"}
            return misread("convert", file, "out.jsonl", "--from", "lines", "--to", "jsonl")
        if kind == "names":
            return misread("score", "--hyp", f"a={file}", "--hyp", f"b={file}", "--missing", "drop", *QUICK)
        return misread("score", file, shutil.copy(file, tmp_path / f"hyp{file.suffix}"), *named, *QUICK)

    return follow


@pytest.fixture
def leads(follow):
    """Whether an answer is a success, or every piece of advice in it leads to one, if need be by further advice."""

    def leads(done, file, depth=2):
        advice = list(find_advice(done.err)) if done.status and depth else []
        return not done.status or (advice and all(leads(follow(*each, file), file, depth - 1) for each in advice))

    return leads


@pytest.fixture(params=[*OF_FORMATS, *OTHERS])
def file(request, tmp_path):
    """A file of a format or of none."""
    path = tmp_path / request.param
    path.write_bytes({**OF_FORMATS, **OTHERS}[request.param])
    return path


def test_a_file_is_scored_against_itself_or_as_the_error_advises(follow, leads, file):
    assert leads(follow("score", [], file), file)


# Only one file of TRN takes alternatives.
FOLDERS = [name for name in OF_FORMATS if FORMATS.get(name.split(".")[0], TABLES["csv"]).kind == "segments"]


@pytest.mark.parametrize("name", [name for name in FOLDERS if name != "trn.trn"])
def test_folders_of_files_are_scored_as_the_error_advises(misread, tmp_path, name):
    for folder in ("ref", "hyp"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(OF_FORMATS[name])
    done = misread("score", "ref", "hyp", *QUICK)
    advice = next(options for kind, options in find_advice(done.err) if kind == "score") if done.status else []
    assert misread("score", "ref", "hyp", *advice, "--missing", "drop", *QUICK).status == 0


def test_what_is_recognised_is_converted_and_the_rest_as_the_error_advises(misread, leads, file):
    form = recognise(Content.of_start(file))
    done = misread("convert", file, "out.jsonl", "--to", "jsonl")
    if form is None:
        assert "take the text out of it first" in done.err or leads(done, file)
    elif form.kind == "table" and done.status:
        assert "unknown column 'text'" in done.err
    else:
        assert (done.status, f"is read as {'table' if form.kind == 'table' else form.name}" in done.err) == (0, True)


def test_every_format_that_is_recognised_has_a_sample():
    recognised = {form.name for form in [*FORMATS.values(), *TABLES.values()] if form.recognise}
    assert recognised - {name.split(".")[0].split("-")[0] for name in OF_FORMATS} == {"json"}
