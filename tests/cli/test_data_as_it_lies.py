"""Folders and tables of a newcomer, as they are: every command reads them alike."""

import json
from time import monotonic

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

QUICK = ("--resamples", "99")
CLUSTER = ("--cluster", "^([^/]+)/")


@pytest.fixture
def lay(tmp_path):
    """Write files of a folder, of texts by path."""

    def write(folder, texts):
        for name, text in texts.items():
            path = tmp_path / folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())

    return write


@pytest.fixture
def collection(lay):
    """Three books of references, and two systems of which one has a version."""
    gold = {f"{book}/{page}.txt": f"the {book} page {page}\n" for book in "xyz" for page in ("p1", "p2")}
    lay("gold", gold | {"README.md": "about", "x/scan.png": b"\x89PNG"})
    lay("tesseract", {name: text.replace("page", "paqe") for name, text in gold.items()})
    lay("gemini-2.0", {name: text.replace("the", "tho") for name, text in gold.items()} | {"README": "about"})
    return "gold", "tesseract", "gemini-2.0"


def test_one_command_makes_a_table_with_clusters_from_folders(misread, collection):
    done = misread("score", *collection, *CLUSTER, *QUICK, "--output", "json")
    assert done.status == 0
    assert list(done.json["systems"]) == ["tesseract", "gemini-2.0"]
    assert (done.json["segments"], done.json["clusters"]) == (6, 3)
    assert done.json["systems"]["gemini-2.0"]["cer"]["counts"]["errors"] == 6
    assert "over 3 clusters." in " ".join(misread("score", *collection, *CLUSTER, *QUICK).out.split())


def test_what_is_not_taken_for_a_text_is_said_with_every_output(misread, collection):
    for output in ("table", "markdown", "latex", "html", "csv", "json"):
        done = misread("score", *collection, *QUICK, "--output", output)
        said = " ".join((done.out + done.err).split())
        assert "References: 2 files are left out of gold (README.md, x/scan.png)" in said.replace("\\_", "_")
        assert "gemini-2.0: 1 file is left out of gemini-2.0 (README)" in said


def test_groups_come_out_of_paths_and_have_a_table_of_their_own(misread, collection):
    done = misread("score", *collection, *QUICK, "--groups", r"(?P<page>p\d)\.txt$", "--clean", "page=p1")
    assert "by page" in done.out
    assert "Δ to p1" in done.out


@pytest.mark.slow
def test_every_command_takes_the_same_folders(misread, collection, lay):
    shown = misread("inspect", "align", *collection, "--worst", 1)
    assert "x/p1   13 characters   tesseract 1   gemini-2.0 1" in shown.out
    assert "the x page" not in shown.out
    one = misread("inspect", "align", *collection, "--segment", "y/p2")
    assert one.out.splitlines()[0].startswith("y/p2")
    named = misread("inspect", "align", *collection, "--segment", "y/p2", "--cluster", "^(?P<book>[^/]+)/")
    assert "  book      y" in named.out
    assert "source" not in named.out
    lay("gemini-2.0", {"z/p2.txt": "x"})
    planned = misread("plan", "size", *collection, *CLUSTER, "--difference", "0.1")
    assert planned.status == 0
    assert "README.md" in planned.err


def test_a_table_is_aligned_and_shown_like_folders(misread, write_table):
    table = ("--table", write_table(), "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--segment-id", "id")
    assert "l2   23 characters   a 13   b 19" in misread("inspect", "align", *table, "--segment", "l2").out
    assert misread("inspect", "align", *table, "l2").out == misread("inspect", "align", *table, "--segment", "l2").out
    assert "unknown segment 'l22'. Did you mean 'l2'" in misread("inspect", "align", *table, "l22").err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--cluster", "^(q)"), "--cluster '^(q)' finds no cluster in 'x/p1.txt' and 5 more, of 6"),
        (("--cluster", "^([xy])/"), "finds no cluster in 'z/p1.txt' and 1 more, of 6; every segment needs one"),
        (("--groups", "^(.)"), "gives no name to its group: write (?P<NAME>...)"),
        (("--pattern", "*.xml"), "has no file that matches *.xml. It has: README.md, x/p1.txt, x/p2.txt and"),
        (("--segment-id", "id"), "name columns of --table FILE"),
        (("--missing", "dropp"), "unknown policy for missing hypotheses 'dropp'. Did you mean 'drop'"),
        (("--encoding", "utf9"), "unknown encoding 'utf9' in --encoding. Did you mean 'utf-8'"),
    ],
)
def test_a_wrong_option_is_one_line(misread, collection, options, message):
    for command in (("score",), ("inspect", "align")):
        done = misread(*command, *collection, *options)
        assert (done.status, done.out) == (1, "")
        assert message in done.err
        assert done.err.count("\n") == 1


@pytest.mark.slow
def test_an_expression_without_end_is_one_line(misread, lay, monkeypatch):
    monkeypatch.setattr("misread.text.patterns.SECONDS", 0.2)
    for folder in ("gold", "a"):
        lay(folder, {f"{'a' * 60}!.txt": "text"})
    begin = monotonic()
    done = misread("score", "gold", "a", "--cluster", "^((?:a|aa)+)$")
    assert "takes longer than 0.2 s" in done.err
    assert monotonic() - begin < 5


@pytest.mark.parametrize(
    ("file", "name"),
    [("gemini-2.0", "gemini-2.0"), ("gemini-2.0.txt", "gemini-2.0"), ("run.3", "run.3"), ("a.out", "a")],
)
def test_a_version_is_no_ending(misread, write_lines, file, name):
    done = misread("score", write_lines("ref.txt", "one\n"), write_lines(file, "onc\n"), "--output", "json")
    assert list(done.json["systems"]) == [name]


def test_texts_in_another_encoding_are_read_with_its_name(misread, lay):
    lay("gold", {"p1.txt": "café".encode("cp1252"), "p2.txt": "x"})
    lay("a", {"p1.txt": "cafe", "p2.txt": "x"})
    assert "--encoding" in misread("score", "gold", "a").err
    done = misread("score", "gold", "a", "--encoding", "cp1252", "--output", "json")
    assert done.json["systems"]["a"]["cer"]["counts"]["errors"] == 1


CELLS = "id,text,a,b\n1,,the quick fox,x\n2,one,,one\n3,two,two,two\n4,three,thre,three\n"


def cells(form, tmp_path):
    path = tmp_path / f"lines.{form}"
    path.write_text(CELLS if form == "csv" else CELLS.replace(",", "\t"))
    return ("--table", path.name, "--ref", "text", "--hyp", "a=a", "--hyp", "b=b", "--segment-id", "id", *QUICK)


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("output", ["table", "markdown", "latex", "html", "csv", "json"])
def test_empty_cells_are_counted_in_every_output(misread, tmp_path, form, output):
    done = misread("score", *cells(form, tmp_path), "--output", output)
    said = " ".join((done.out + done.err).split())
    assert (
        f"{form.upper()} does not distinguish an empty text from a missing one: empty cells (1 in text, 1 in a" in said
    )
    assert "are taken for empty texts" in said


def test_the_rule_for_empty_cells_is_in_the_signature(misread, tmp_path):
    text = misread("score", *cells("csv", tmp_path), "--output", "json").json
    assert "|cells:empty-is-text|" in text["systems"]["a"]["cer"]["signature"]
    assert text["systems"]["a"]["cer"]["counts"]["insertions"] == 13
    named = [*cells("csv", tmp_path)]
    named[1] += "(empty=missing)"
    left = misread("score", *named, "--missing", "drop", "--output", "json").json
    assert "|cells:empty-is-missing|" in left["systems"]["a"]["cer"]["signature"]
    assert left["segments"] == 2
    assert any("1 row is left out, as text has no value there (line 2)." in note for note in left["warnings"])


def test_a_missing_reference_is_refused_with_what_to_do(misread, tmp_path):
    named = [*cells("csv", tmp_path)]
    named[1] += "(empty=missing)"
    done = misread("score", *named)
    assert (done.status, done.out) == (1, "")
    assert "lines.csv, line 2: column 'text' has no value, expected text. --missing drop or empty leaves" in done.err


def test_a_table_without_empty_cells_has_no_word_of_them(misread, write_table):
    done = misread(
        "score", "--table", f"{write_table()}(empty=missing)", "--ref", "text", "--hyp", "a=a", "--output", "json"
    )
    assert "cells:" not in done.json["systems"]["a"]["cer"]["signature"]
    assert done.err == ""


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_formats_that_tell_missing_from_empty_do_so(misread, tmp_path, form):
    rows = [{"text": "one", "a": ""}, {"text": "two", "a": None}, {"text": "three", "a": "three"}]
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "lines.parquet")
    else:
        del rows[1]["a"]
        (tmp_path / "lines.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ("score", "--table", f"lines.{form}", "--ref", "text", "--hyp", "a=a", "--output", "json")
    assert "no hypothesis for 1 of 3 segments" in misread(*command).err
    done = misread(*command, "--missing", "drop").json
    assert (done["segments"], done["systems"]["a"]["cer"]["counts"]["deletions"]) == (2, 3)
    assert not any("does not tell" in note for note in done["warnings"])


def test_numbers_of_rows_stay_those_of_the_table(misread, tmp_path):
    (tmp_path / "t.jsonl").write_text('{"ref": null, "a": "x"}\n{"ref": "one", "a": "onc"}\n')
    done = misread("inspect", "align", "--table", "t.jsonl", "--ref", "ref", "--hyp", "a=a", "--missing", "drop")
    assert done.out.splitlines()[0] == "2   3 characters   a 1"


def test_options_on_texts_without_texts_say_what_they_belong_to(stored_project, misread):
    done = misread("inspect", "align", "--pattern", "*.txt")
    assert "--pattern: for texts of your own; give REF HYP" in done.err


@pytest.fixture
def stored_project(write_results, tmp_path):
    write_results(tmp_path)


def test_transcriptions_beside_their_images_are_scored_where_they_lie(misread, data_of_every_format, lay):
    lines = data_of_every_format / "timeus_handwriting" / "lines"
    truth = {path.name: path.read_text(encoding="utf-8") for path in lines.glob("*.gt.txt")}
    lay("htr-1.0", {name.replace(".gt.txt", ".txt"): text.replace("e", "c") for name, text in truth.items()})
    done = misread("score", lines, "htr-1.0", "--cluster", r"^(?P<page>.+)_l\d+", *QUICK, "--output", "json")
    assert done.status == 0
    assert (done.json["segments"], done.json["cluster_name"]) == (len(truth), "page")
    assert done.json["clusters"] == len({name.rpartition("_l")[0] for name in truth})
    counts = done.json["systems"]["htr-1.0"]["cer"]["counts"]
    assert counts["errors"] == counts["substitutions"] == sum(text.count("e") for text in truth.values())
    assert any(
        "left out of lines (" in note and ".gt.txt" not in note.partition("(")[2] for note in done.json["warnings"]
    )


def test_notes_in_latex_on_runs_that_share_an_effect_name_no_option(misread, tmp_path):
    text = "the quick brown fox jumps over the lazy dog"
    for run in range(5):
        lines = [text.replace(text[4 : 4 + 3 * run], "x" * 3 * run) for _ in range(24)]
        (tmp_path / f"run{run}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "gold.txt").write_text(24 * f"{text}\n")
    runs = [option for run in range(1, 5) for option in ("--run", f"a=run{run}.txt")]
    files = ("--ref", "gold.txt", "--hyp", "a=run0.txt", *runs)
    done = misread("score", *files, "--metrics", "cer", "--output", "latex", "--notes", *QUICK)
    assert "the runs of a share an effect" in done.out
    assert "too narrow for other runs." in done.out
    assert " --" not in done.out.replace("& ---", "")
