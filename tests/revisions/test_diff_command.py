import json
import re

import pytest

from misread.normalize import get_normalizer

from .conftest import REFERENCES

WHITESPACE, LOWER = (get_normalizer(name).signature for name in ("whitespace", "lower"))


@pytest.fixture
def diff(misread, past, monkeypatch):
    """`misread diff` in the project of several commits."""

    def run(*arguments):
        monkeypatch.chdir(past.root)
        return misread("diff", *arguments)

    return run


def test_the_answer_comes_first_then_why_then_what(diff):
    done = diff("first", "worse")
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert lines[0].startswith("REGRESSION  1 of 2 systems is significantly worse than at first (")
    assert lines[2] == "why  engine     a.engine   1.0 -> 2.0"
    assert "lines: 60 segments in 12 clusters (page)\n" in done.out
    assert "bootstrap" not in done.out
    assert "▲ regressed" in done.out
    assert "= unchanged" in done.out
    assert "p00-l2   a   0 -> 2 errors (+2)" in done.out
    assert re.search(r"\nbefore  ⋯ +· · ·", done.out)
    assert "randomisation, holm over the changed systems" in lines[-1]
    assert "jackknife interval" in " ".join(lines[-2:])


def test_without_revisions_the_working_tree_is_held_against_the_last_commit(diff):
    done = diff()
    assert done.out.startswith("UNCHANGED  no segment of 2 systems changed since HEAD (")
    assert "no setting, code, plug-in, engine, data, normalizer or version changed" in done.out
    assert done.out.count("\n") == 1


def test_a_regression_ends_with_1_where_asked_and_an_improvement_has_words_of_its_own(diff):
    assert diff("first", "worse", "--fail-on", "regression").status == 1
    done = diff("worse", "first", "--fail-on", "regression")
    assert (done.status, done.out.partition(" than ")[0]) == (0, "IMPROVEMENT  1 of 2 systems is significantly better")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("worse", "lower"), f"the normalizer of cer differs ({WHITESPACE} -> {LOWER})"),
        (("nope",), "unknown revision 'nope'"),
        (("first", "--systems", "c"), "unknown system 'c'"),
        (("first", "--metrics", "cer_raw"), "unknown metric 'cer_raw'"),
        (("first", "--movers", "-1"), "--movers is -1"),
    ],
)
def test_what_cannot_be_compared_ends_with_2_and_the_cause(diff, arguments, message):
    done = diff(*arguments, "--fail-on", "regression")
    assert (done.status, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("arguments", [("empty", "first"), ("first", "empty")])
def test_a_revision_without_results_ends_with_4_and_one_line(diff, arguments):
    done = diff(*arguments, "--fail-on", "regression")
    assert (done.status, done.out, done.err.count("\n")) == (4, "", 1)
    assert "has no params.yaml: there are no results of misread in it" in done.err


def test_outside_of_git_the_cause_is_named(misread):
    done = misread("diff")
    assert done.status == 2
    assert "is not in a Git repository" in done.err


def test_json_holds_every_number(diff):
    content = json.loads(diff("first", "worse", "--movers", "10", "--output", "json").out, parse_constant=pytest.fail)
    rows = {(row["system"], row["metric"]): row for row in content["datasets"][0]["differences"]}
    assert rows["a", "cer"]["verdict"] == "regressed"
    assert {"before", "after", "difference", "interval", "pvalue_adjusted", "better", "same", "worse"} <= set(
        rows["a", "cer"]
    )
    assert len(content["datasets"][0]["movers"]) == 10


def test_markdown_is_ready_for_a_pull_request(diff):
    out = diff("first", "worse", "--output", "markdown", "--movers", "1").out
    assert out.startswith("**REGRESSION** 1 of 2 systems")
    assert "- `engine     a.engine   1.0 -> 2.0`" in out
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {8}
    assert "**▲ regressed** |" in table[2]
    assert "<details><summary>Segments that changed most, by errors of cer</summary>" in out
    assert "```text\nREF     P a g e" in out


def test_no_number_is_cut_in_a_narrow_terminal(diff, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = diff("first", "worse", "--movers", "0").out
    assert "…" not in out
    words = out.split()
    assert {"3.55", "▲", "regressed"} <= set(words)
    assert "Left out at a width of 40: CER % before," in " ".join(words)
    wide = diff("first", "worse", "--movers", "0", "--width", "120").out
    assert {"0.71", "3.55", "+2.84", "36/24/0"} & set(wide.split()) >= {"0.71", "3.55", "+2.84"}
    assert "Left out" not in wide


def test_a_single_system_is_compared_as_several_are(fresh, misread, monkeypatch, write_results):
    write_results(fresh.root, read={"a": REFERENCES}, references=REFERENCES)
    fresh.track()
    fresh.commit("single")
    monkeypatch.chdir(fresh.root)
    done = misread("diff", "HEAD~1", "HEAD", "--metrics", "cer")
    assert done.status == 2
    assert "no segment in common" in done.err
    assert misread("diff", "HEAD").out.startswith("UNCHANGED  no segment of 1 system changed")


@pytest.mark.parametrize(
    "arguments",
    [
        ("diff", "first", "worse", "--fail-on", "regression"),
        ("gate", "--baseline", "first", "--metrics", "cer", "--margin", "0.01", "--markdown", "gate.md"),
    ],
)
def test_a_clone_without_the_cache_ends_with_4_and_says_what_to_run(past, misread, tmp_path, monkeypatch, arguments):
    """No verdict has that status: a pipeline would take it for lost results."""
    past.git("clone", "--quiet", str(past.root), str(tmp_path / "clone"))
    monkeypatch.chdir(tmp_path / "clone")
    done = misread(*arguments)
    assert (done.status, done.out, done.err.count("\n")) == (4, "", 1)
    assert re.search(r"`dvc pull --all-commits build/scores/lines/./counts.parquet`, or make it with `git", done.err)
    if arguments[0] == "gate":
        comment = (tmp_path / "clone/gate.md").read_text(encoding="utf-8")
        assert comment.startswith("**NOT COMPARABLE** build/scores/lines/a/counts")
