"""Results travel with Git: a clone without DVC's cache, remote and build/ has all that is compared and shown."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from pathlib import Path

import pytest
from dvc.repo import Repo

from misread.cli.options import NOT_AT_HAND
from misread.pipeline.stages import check

from .conftest import Project, run_stages

WORDS = ("quick", "brown", "fuchs", "springt", "Ærø", "ships", "harbour", "eleven", "köprü", "window")
SETTINGS = (
    "statistics.resamples=99",
    "statistics.tests=[randomisation]",
    "crosscheck.segments=0",
    "ablation.normalizers=[none]",
    "report.confusions=3",
)
READ = """
import misread
evaluation = misread.read_results(".", "HEAD")
print(round(evaluation.systems["one"]["cer"].rate, 9), evaluation.pairs["one", "two"]["cer"].verdict)
print(int(evaluation.segments.groupby("system")["cer_errors"].sum()["one"]), "reference" in evaluation.segments)
try:
    evaluation.view("review")
except misread.MisreadError as error:
    print(type(error).__name__, str(error).count("\\n"), "dvc pull --all-commits build/normalized/lines" in str(error))
"""


def make_table(wrong: int) -> str:
    """Lines of twelve pages; the first system has a wrong letter in so many lines of each, the other in one."""
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(("id", "page", "noise", "truth", "one", "two"))
    for page in range(12):
        for line in range(4):
            text = " ".join(WORDS[(page + line + number) % len(WORDS)] for number in range(4))
            one, two = (f"{text[:-1]}q" if line < number else text for number in (wrong, 1))
            table.writerow((f"p{page:02}-l{line}", f"p{page:02}", "heavy" if line % 2 else "clean", text, one, two))
    return written.getvalue()


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A clone of a project of two commits with results, which were made where the clone is not."""
    origin = Project(tmp_path_factory.mktemp("origin"))
    (origin.root / "lines.csv").write_text(make_table(1), encoding="utf-8")
    systems = ("--hyp", "one=one", "--hyp", "two=two")
    columns = ("--segment-id", "id", "--ref", "truth", "--cluster", "page", "--groups", "noise")
    origin.run("misread", "init", "--table", "lines.csv", *columns, *systems, ".")
    origin.run("misread", "compose", *SETTINGS, "report.figure_formats=[]")
    origin.commit("a study")
    for wrong, message in ((1, "few errors"), (3, "many errors")):
        (origin.root / "data/lines/lines.csv").write_text(make_table(wrong), encoding="utf-8")
        # As `dvc repro` runs and notes them, which would take longer to start the stages than they run.
        run_stages(origin.root)
        with contextlib.chdir(origin.root), Repo() as repo:
            check.main()
            repo.commit(force=True)
        origin.commit(message)
    folder = tmp_path_factory.mktemp("elsewhere") / "clone"
    origin.run("git", "clone", "--quiet", str(origin.root), str(folder))
    assert not (folder / ".dvc/cache").exists()
    assert not (folder / "build").exists()
    # Out of sight, so that nothing is read there.
    origin.root.rename(origin.root.with_name("gone"))
    return Project(folder)


@pytest.fixture
def run(misread, monkeypatch, clone: Project):
    """Run `misread` in the clone."""
    monkeypatch.chdir(clone.root)
    return misread


pytestmark = [pytest.mark.slow, pytest.mark.pipeline, pytest.mark.process]


def test_two_commits_are_compared(run) -> None:
    done = run("diff", "HEAD~1", "HEAD", "--output", "json", "--fail-on", "regression")
    assert (done.status, done.err) == (1, "")
    content = done.json
    verdicts = {(row["system"], row["metric"]): row["verdict"] for row in content["datasets"][0]["differences"]}
    assert (verdicts["one", "cer"], verdicts["two", "cer"]) == ("regressed", "unchanged")
    assert {mover["reference"] for mover in content["datasets"][0]["movers"]} == {None}
    assert any("dvc pull" in note for note in content["datasets"][0]["notes"])


def test_the_working_tree_of_a_clone_is_compared(run) -> None:
    assert run("diff").out.startswith("UNCHANGED")


def test_a_gate_decides(run) -> None:
    command = ("gate", "--baseline", "HEAD~1", "--metrics", "cer", "--margin", "0.002")
    done = run(*command)
    assert (done.status, done.err) == (1, "")
    assert run(*command, "--systems", "two").out.startswith("PASS")


def test_a_commit_without_results_ends_in_one_line_with_a_status_of_its_own(run) -> None:
    for command in (("diff", "HEAD~2"), ("gate", "--baseline", "HEAD~2", "--metrics", "cer", "--margin", "0.002")):
        done = run(*command)
        assert (done.status, done.out, done.err.count("\n")) == (NOT_AT_HAND, "", 1)
        assert "has no results" in done.err


def test_results_are_read_in_python_without_texts(clone: Project) -> None:
    rate = json.loads((clone.root / "reports/metrics.json").read_text())["lines"]["one"]["cer"]
    counted, segments, texts = clone.run("python", "-c", READ).stdout.splitlines()
    assert counted == f"{round(rate, 9)} better"
    assert segments == "36 False"
    assert texts == "MissingResultsError 0 True"


@pytest.mark.parametrize("stem", ["lines_cer", "lines_wer", "lines_cer_by_noise", "overview"])
def test_a_table_is_replayed(run, stem: str) -> None:
    assert run("replay", f"reports/tables/{stem}.signature.json").out.count("identical") == 4


def test_a_table_of_texts_is_not_replayed(run) -> None:
    done = run("replay", "reports/tables/lines_confused_words.signature.json")
    assert (done.status, done.out, done.err.count("\n")) == (NOT_AT_HAND, "", 1)


def test_no_word_of_a_text_is_in_the_counts(clone: Project) -> None:
    rows = [row for wrong in (1, 3) for row in csv.DictReader(io.StringIO(make_table(wrong)))]
    words = {word for row in rows for name in ("truth", "one", "two") for word in row[name].split()}
    assert len(words) > len(WORDS)
    files = list((clone.root / "reports/counts").rglob("*.csv"))
    assert sorted(path.relative_to(clone.root).as_posix() for path in files) == [
        "reports/counts/lines/one.csv",
        "reports/counts/lines/two.csv",
    ]
    for path in files:
        assert not words & set(re.findall(r"\w+", path.read_text(encoding="utf-8")))


def test_rows_are_quiet_in_a_diff_and_a_conflict_keeps_a_side(clone: Project, tmp_path: Path) -> None:
    shown = clone.run("git", "diff", "HEAD~1", "HEAD", "--", "reports/counts/lines/one.csv").stdout
    assert "Binary files a/reports/counts/lines/one.csv and b/reports/counts/lines/one.csv differ" in shown
    merged = Project(tmp_path / "merged")
    clone.run("git", "clone", "--quiet", str(clone.root), str(merged.root))
    counts = merged.root / "reports/counts/lines/one.csv"
    ours = counts.read_text()
    merged.run("git", "checkout", "--quiet", "-b", "theirs", "HEAD~1")
    counts.write_text(counts.read_text() + "a row of another run\n")
    merged.commit("theirs")
    merged.run("git", "checkout", "--quiet", "-")
    assert merged.run("git", "merge", "theirs", check=False).returncode == 1
    assert counts.read_text() == ours
