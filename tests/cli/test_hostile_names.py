"""Names from outside that would act on what shows them: systems, groups, columns, segments, files."""

import csv
import io
import json
import unicodedata

import pytest

ESCAPE, OVERRIDE, TAG = "\x1b[2J\x9b31m", "\u202egnp.exe", "<script>alert(1)</script>"
LEVELS = (f"a|b{ESCAPE}", f"line\nbreak{OVERRIDE}", f"`{TAG}`", "=HYPERLINK(0)", r"\input{x}$^_&%#~")
SYSTEMS = (f"sys|tem{ESCAPE}", f"+cmd|' /C calc'!A0{OVERRIDE}", f"*_[x](http://x)_*{TAG}")
COLUMN = f"col|umn\n{ESCAPE}{TAG}$x$"
CLUSTER = f"cluster\r\n{OVERRIDE}"
OUTPUTS = ["table", "markdown", "latex", "html", "csv", "json"]
ACTING = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def quoted(*fields):
    return ",".join('"' + field.replace('"', '""') + '"' for field in fields) + "\n"


@pytest.fixture
def hostile(tmp_path):
    """A table whose every name does harm, and the options that score it."""
    rows = [quoted("id", "text", COLUMN, CLUSTER, "x", "y", "z")]
    for number in range(20):
        level = LEVELS[number % len(LEVELS)]
        text = f"text number {number}"
        rows.append(quoted(f"i{number}{ESCAPE}", text, level, f"c{number // 2}", text[1:], text + "!", text[3:]))
    (tmp_path / "rows.csv").write_text("".join(rows), encoding="utf-8", newline="")
    named = (f"--hyp={name}={column}" for name, column in zip(SYSTEMS, "xyz", strict=True))
    by_name = ("--segment-id", "id", "--groups", COLUMN, "--cluster", CLUSTER)
    return "--table", "rows.csv", "--ref", "text", *named, *by_name, "--resamples", "99", "--metrics", "cer"


def acting(text):
    """Characters of each line that move a cursor, tear a line or turn what stands around them."""
    return {character for character in text if unicodedata.category(character) in ACTING and character != "\n"}


@pytest.mark.slow
@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("more", [(), ("--confusions", "3")])
def test_no_name_reaches_an_output_raw(misread, hostile, output, more):
    done = misread("score", *hostile, *more, "--output", output)
    assert output != "html" or TAG not in done.out
    assert done.status == 0
    assert done.out
    # Words that hold letters from right to left are isolated; there are none here.
    assert acting(done.out) == set()
    assert acting(done.err) == set()


def test_tests_of_pairs_show_names(misread, hostile):
    done = misread("score", *hostile, "--tests", "sign")
    assert (done.status, acting(done.out)) == (0, set())


def test_json_gives_back_every_name(misread, hostile):
    result = json.loads(misread("score", *hostile, "--output", "json").out)
    assert tuple(result["systems"]) == SYSTEMS
    assert set(result["groups"][COLUMN]) == set(LEVELS)
    assert result["cluster_name"] == CLUSTER


def test_no_row_of_markdown_is_torn(misread, hostile):
    lines = misread("score", *hostile, "--output", "markdown").out.splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert len(rows) > len(LEVELS)
    tables = [[]]
    for line in lines:
        if line.startswith("|"):
            tables[-1].append(line.replace("\\\\", "").replace("\\|", "").count("|"))
        elif tables[-1]:
            tables.append([])
    assert all(len(set(bars)) == 1 for bars in tables if bars)
    assert not [line for line in lines if TAG in line and not line.startswith("`")]


def test_no_name_is_a_command_of_latex(misread, hostile):
    out = misread("score", *hostile, "--output", "latex").out
    assert r"\input{x}" not in out
    assert r"\textbackslash{}input\{x\}\$\textasciicircum{}\_\&\%\#\textasciitilde{}" in out


def test_csv_holds_no_formula_unless_texts_are_asked_for(misread, hostile):
    fields = [
        field for row in csv.reader(io.StringIO(misread("score", *hostile, "--output", "csv").out)) for field in row
    ]
    assert not [field for field in fields if field.startswith(("=", "@", "+", "-", "\t", "\r"))]
    assert "'=HYPERLINK(0)" in fields
    raw = misread("score", *hostile, "--output", "csv", "--raw-csv").out
    assert {row["group"] for row in csv.DictReader(io.StringIO(raw, newline=""))} == set(LEVELS)
    assert {row["system"] for row in csv.DictReader(io.StringIO(raw, newline=""))} == set(SYSTEMS)


def test_raw_csv_without_csv_is_refused(misread, hostile):
    done = misread("score", *hostile, "--raw-csv")
    assert (done.status, done.err) == (1, "error: --raw-csv is for --output csv, not for table.\n")


@pytest.mark.parametrize(
    "options",
    [
        ("--groups", f"no{ESCAPE}\nsuch"),
        ("--ref", f"no{OVERRIDE}"),
        ("--normalizer", f"no{ESCAPE}"),
        ("--run-dir", "rows.csv/\x1b[2J"),
    ],
)
def test_an_error_is_one_line_that_acts_on_nothing(misread, hostile, options):
    done = misread("score", *hostile, *options)
    assert done.status == 1
    assert done.err.count("\n") == 1
    assert acting(done.err) == set()


def test_systems_are_called_by_their_files_whatever_these_are_called(misread, write_lines):
    gold, system = write_lines("gold.txt", "one\ntwo\n"), write_lines("a\x1b[2J\n|b.txt", "one\ntwi\n")
    done = misread("score", gold, system, "--resamples", "99", "--output", "markdown")
    assert r"a\\x1b\[2J\\n\|b" in done.out
    assert acting(done.out) == set()


def test_aligned_texts_stand_under_shown_names(misread):
    done = misread(
        "inspect", "align", "--text", "--ref", "one two", f"--hyp={SYSTEMS[0]}=one tvo", f"--hyp=b\n{OVERRIDE}=one two"
    )
    assert (done.status, acting(done.out)) == (0, set())


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "--table", "t\udcff.parquet", "--ref", "text", "--hyp", "a=text", "--segment-id", "id"),
        ("score", "r.txt", "r.txt", "--ids-table", "t\udcff.parquet", "--cluster", "page"),
        ("convert", "t\udcff.parquet", "o.trn", "--from", "table", "--to", "trn"),
    ],
)
def test_names_that_arrow_cannot_open_are_refused_in_one_line(misread, tmp_path, arguments):
    (tmp_path / "t\udcff.parquet").write_bytes(b"")
    (tmp_path / "r.txt").write_text("one\n")
    done = misread(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert "\\udcff" in done.err
    assert "is not UTF-8, in which names are written; rename it." in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "r\udcff.txt", "h\udcff.txt", "--metrics", "cer", "--resamples", "99"),
        ("inspect", "align", "r\udcff.txt", "h\udcff.txt"),
        ("normalize", "r\udcff.txt", "--normalizer", "lower"),
        ("convert", "r\udcff.txt", "o\udcff.jsonl", "--from", "lines", "--to", "jsonl"),
    ],
)
def test_texts_in_files_whose_names_are_not_utf8_are_read(misread, tmp_path, arguments):
    for name in ("r\udcff.txt", "h\udcff.txt"):
        (tmp_path / name).write_text("one two\n")
    assert misread(*arguments).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "loop", "loop"),
        ("score", "--table", "loop", "--ref", "text", "--hyp", "a=text", "--segment-id", "id"),
        ("normalize", "loop/r.txt", "--normalizer", "lower"),
        ("convert", "loop", "o.trn", "--from", "lines", "--to", "trn"),
        ("init", "loop"),
        ("init", "loop/study"),
    ],
)
def test_a_loop_of_links_is_an_error_of_one_line(misread, tmp_path, arguments):
    (tmp_path / "loop").symlink_to("loop")
    done = misread(*arguments)
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert "loop" in done.err
