"""`misread dispute`: spans of files, folders, tables and studies."""

import csv

import pytest
from tests.frame_logs import LOGS

from misread.data.segment_table import SegmentTable
from misread.pipeline import paths
from misread.storage import write_segments

from .made_readings import fill_csv, make_lines, misread_at_random

LINES = make_lines(12)
ALPHA, BETA = (misread_at_random(LINES, 0.06, seed) for seed in (2, 3))
ROWS = [
    {"id": f"l{row}", "page": f"p{row // 3}", "alpha": alpha, "beta": beta, "scan": f"{row}.png"}
    for row, (alpha, beta) in enumerate(zip(ALPHA, BETA, strict=True))
]
TABLE = ("--hyp", "alpha=alpha", "--hyp", "beta=beta", "--segment-id", "id", "--cluster", "page")


@pytest.fixture
def table(write_table):
    return ("--table", write_table("jsonl", ROWS), *TABLE)


def read_table(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_table_needs_no_references(misread, table, tmp_path):
    done = misread("dispute", *table, "--out", "spans.csv", "--page", "spans.html")
    assert done.status == 0
    rows = read_table(tmp_path / "spans.csv")
    assert done.out.splitlines()[:2] == ["wrote spans.csv", "wrote spans.html"]
    assert f"{len(rows)} spans to type: " in done.out
    assert {row["cluster"] for row in rows} <= {"p0", "p1", "p2", "p3"}
    page = (tmp_path / "spans.html").read_text(encoding="utf-8")
    assert "alpha" not in page
    assert "beta" not in page


def test_files_and_folders_are_systems_one_by_one(misread, tmp_path):
    for name, lines in (("alpha", ALPHA), ("beta", BETA)):
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for row, line in enumerate(lines):
            path = tmp_path / name / f"p{row // 3}" / f"{row:02}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(line, encoding="utf-8")
    assert misread("dispute", "alpha.txt", "beta.txt", "--out", "lines.csv").status == 0
    assert misread("dispute", "alpha", "beta", "--cluster", "^([^/]+)/", "--out", "folders.csv").status == 0
    lines, folders = (read_table(tmp_path / f"{name}.csv") for name in ("lines", "folders"))
    assert [row["reading_1"] for row in lines] != []
    assert sorted({row["reading_1"], row["reading_2"]} for row in lines) == sorted(
        {row["reading_1"], row["reading_2"]} for row in folders
    )
    assert {row["cluster"] for row in folders} <= {"p0", "p1", "p2", "p3"}


def test_a_budget_draws_whole_clusters(misread, table, tmp_path):
    done = misread("dispute", *table, "--budget", "100", "--out", "spans.csv")
    rows = read_table(tmp_path / "spans.csv")
    assert "drawn: 2 of 4 pages" in done.out or "drawn: 3 of 4 pages" in done.out
    assert all(row["reading_2"] for row in rows)


def test_images_are_named_by_a_column_or_lie_in_a_folder(misread, table, tmp_path):
    misread("dispute", *table, "--media", "scan", "--out", "column.csv")
    assert {row["segment"]: row["page"] for row in read_table(tmp_path / "column.csv")}["l1"] == "1.png"
    done = misread("dispute", *table, "--media", "pictures", "--out", "spans.csv")
    assert "unknown column 'pictures' in lines.jsonl" in done.err
    for name, text in (("alpha", ALPHA[0]), ("beta", BETA[0])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "first.txt").write_text(text, encoding="utf-8")
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans/first.jpg").write_bytes(b"")
    assert misread("dispute", "alpha", "beta", "--media", "scans", "--out", "folder.csv").status == 0
    assert {row["page"] for row in read_table(tmp_path / "folder.csv")} == {"first.jpg"}
    assert "there is no folder images" in misread("dispute", "alpha", "beta", "--media", "images", "--out", "s.csv").err


@pytest.mark.parametrize("name", ["../secret.png", "/proc/self/environ", "scans/../../secret.png"])
def test_a_path_of_a_table_cannot_lead_out_of_its_folder(misread, tmp_path, name):
    (tmp_path / "t.csv").write_text(f"id,a,b,scan\n1,x,y,{name}\n")
    table = ("--table", "t.csv", "--segment-id", "id", "--hyp", "a=a", "--hyp", "b=b")
    done = misread("dispute", *table, "--media", "scan", "--page", "p.html")
    assert f"t.csv, line 2: column 'scan': '{name}' leads out of the data set's folder" in done.err
    assert not (tmp_path / "p.html").exists()


def test_an_id_cannot_lead_out_of_the_folder_of_images(misread, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"../secret.png {name}\n")
    (tmp_path / "scans").mkdir()
    done = misread("dispute", "a", "b", "--format", "kaldi", "--media", "scans", "--page", "p.html")
    assert "--media: '../secret.png' leads out of the data set's folder scans" in done.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "name --out spans.csv, --page spans.html, or both."),
        (("--out", "s.csv", "--context", "-1"), "--context is -1, expected 0 or more."),
        (("--out", "s.csv", "--budget", "1"), "--budget 1 pays for 0 of 4 pages, and a verdict takes 2"),
        (("--out", "s.txt"), "unknown table format '.txt' in s.txt. There are: .csv, .jsonl."),
        (("--out", "s.csv", "--run", "alpha=beta"), "alpha has 2 runs, and spans are of one text of each system"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(misread, table, options, message):
    done = misread("dispute", *table, *options)
    assert done.status == 1
    assert message in done.err
    assert done.err.count("\n") == 1


def test_one_system_or_equal_ones_are_refused(misread, table):
    assert "takes two systems, and there is alpha" in misread("dispute", *table[:4], "--out", "s.csv").err
    done = misread("dispute", "--table", table[1], "--hyp", "a=alpha", "--hyp", "b=alpha", "--out", "s.csv")
    assert "a, b have the same texts in all 12 segments" in done.err


def test_missing_texts_are_refused_left_out_or_empty(misread, write_table, tmp_path):
    rows = [{**ROWS[0], "beta": None}, *ROWS[1:]]
    table = ("--table", write_table("jsonl", rows), *TABLE, "--out", "spans.csv")
    assert "has no hypothesis for 1 of 12 segments" in misread("dispute", *table).err
    assert "left out: 1 segment" in misread("dispute", *table, "--missing", "drop").out
    assert misread("dispute", *table, "--missing", "empty").status == 0
    assert {
        row["reading_1"] + row["reading_2"] for row in read_table(tmp_path / "spans.csv") if row["segment"] == "l0"
    } == {ALPHA[0]}


def test_a_normalizer_that_changes_its_own_output_is_refused(misread, write_table, tmp_path):
    rows = [{**row, "alpha": "aab" + row["alpha"], "beta": "aab" + row["beta"]} for row in ROWS]
    steps = "- {step: replace_pattern, pattern: ab, replacement: b}"
    (tmp_path / "twice.yaml").write_text(f"name: twice\nsteps:\n{steps}\n")
    texts = ("--table", write_table("jsonl", rows), *TABLE)
    done = misread("dispute", *texts, "--normalizer", "twice.yaml", "--out", "s.csv")
    assert "changes its own output in segment 'l0'" in done.err


def test_a_study_has_its_own_texts_and_images(misread, write_results, tmp_path):
    read = {"alpha": ALPHA, "beta": BETA}
    pages = [row["page"] for row in ROWS]
    write_results(tmp_path, references=LINES, read=read, clusters=pages, params={"data_root": ".."})
    (tmp_path / "data/lines").mkdir(parents=True)
    media = [tmp_path / f"data/lines/{row}.png" for row in range(12)]
    keys = [f"l{number}" for number in range(1, 13)]
    table = SegmentTable(name="lines", digest="0", segment_id=keys, references=LINES, media=media)
    write_segments(
        tmp_path / paths.segments("lines"),
        table,
        offers=frozenset(["line_image"]),
        root="data/lines",
        folder=tmp_path / "data/lines",
    )
    done = misread("dispute", "--dataset", "lines", "--systems", "alpha,beta", "--out", "spans.csv")
    assert done.status == 0
    rows = read_table(tmp_path / "spans.csv")
    assert all(row["page"] == f"{int(row['segment'][1:]) - 1}.png" for row in rows)
    fill_csv(tmp_path / "spans.csv", [row["reading_1"] for row in rows])
    assert misread("decide", "spans.csv", "--dataset", "lines").status == 0
    assert (
        "--media is for texts of your own"
        in misread("dispute", "--dataset", "lines", "--media", "x", "--out", "s.csv").err
    )


def test_what_somebody_has_typed_is_not_overwritten(misread, table, tmp_path):
    assert misread("dispute", *table, "--out", "spans.csv").status == 0
    assert misread("dispute", *table, "--out", "spans.csv").status == 0
    rows = read_table(tmp_path / "spans.csv")
    fill_csv(tmp_path / "spans.csv", ["typed", *[None] * (len(rows) - 1)])
    done = misread("dispute", *table, "--out", "spans.csv")
    assert done.status == 1
    assert "spans.csv has the truth of 1 span already; name another file, or delete it." in done.err


@pytest.mark.parametrize("text", ["id;truth;key\n1;typed;k\n", "id,a\n1,mine\n", ""])
def test_a_file_that_is_no_empty_table_of_spans_is_not_overwritten(misread, table, tmp_path, text):
    (tmp_path / "spans.csv").write_text(text)
    done = misread("dispute", *table, "--out", "spans.csv")
    assert done.status == 1
    assert "spans.csv is there, and is no table of spans" in done.err
    assert (tmp_path / "spans.csv").read_text() == text


def test_logs_are_systems_as_they_are(misread):
    done = misread("dispute", LOGS / "large.eval", LOGS / "small.eval", "--out", "spans.csv")
    assert done.err == "error: mockllm/large has 2 runs, and spans are of one text of each system; give one run.\n"


def test_a_page_under_the_name_of_a_table_is_refused(misread, write_table):
    table = write_table("jsonl", [{"a": "xn", "b": "in"}, {"a": "on", "b": "un"}])
    done = misread("dispute", "--table", table, "--hyp", "a=a", "--hyp", "b=b", "--page", "s.csv")
    assert done.status == 1
    assert "unknown page format '.csv' in s.csv" in done.err
