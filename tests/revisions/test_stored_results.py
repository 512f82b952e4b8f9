"""Counts of a revision from Git, with and without what DVC keeps."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path

import pytest

from misread import read_results
from misread.data import CountsSettings
from misread.errors import InputFileError, MisreadError, MissingResultsError, NotComparableError, RevisionError
from misread.pipeline import paths
from misread.revisions import StoredResults, compare_revisions, open_revision, run_gate
from misread.revisions.diff_text import render_difference
from misread.stats import StatisticsSettings
from misread.storage import read_scores

from .conftest import CLUSTERS, Project, read_badly

GOOD, WORSE = read_badly(10), read_badly(2)
COUNTS, SUMS, HIDDEN = CountsSettings(), CountsSettings(counts="cache"), CountsSettings(pseudonyms=True)
BUILT = Path("build/scores/lines/a/counts.parquet")


@pytest.fixture
def make_history(tmp_path, write_pages):
    """Commit two states of a project without DVC, whose working tree is then as the second one without build/."""

    def make(counts, *, clusters=CLUSTERS, after=WORSE, between=lambda root: None, name="project", **options):
        root = tmp_path / name
        root.mkdir()
        project = Project(root)
        project.git("init", "--quiet", "--initial-branch=main")
        (root / ".gitignore").write_text("/build/\n/.misread/\n")
        for read in (GOOD, after):
            write_pages(root, {"a": read, "b": GOOD}, clusters=clusters, counts=counts, **options)
            project.commit("results")
            between(root)
        shutil.rmtree(root / "build")
        return project

    return make


@pytest.fixture
def results(tmp_path):
    def read(project, name):
        return StoredResults(open_revision(project.root, name, tmp_path / f"store-{name}-{project.root.name}"))

    return read


def compare(results, project, before="HEAD~1", after="HEAD", **changes):
    sides = results(project, before), results(project, after)
    settings = sides[1].params.content["statistics"] | changes
    settings.pop("_target_")
    return compare_revisions(*sides, StatisticsSettings(**settings))


def numbers(difference):
    return [
        (row.system, row.metric, row.before, row.after, row.difference, row.interval, row.pvalue_adjusted, row.verdict)
        for row in difference.differences
    ]


def test_two_commits_are_compared_without_dvc_cache_and_texts(make_history, results):
    difference = compare(results, make_history(COUNTS))
    by_system = {row.system: row for row in difference.differences if row.metric == "cer"}
    assert (by_system["a"].verdict, by_system["b"].verdict) == ("regressed", "unchanged")
    assert (by_system["a"].better, by_system["a"].same, by_system["a"].worse) == (0, 36, 24)
    (dataset,) = difference.datasets
    assert [mover.reference for mover in dataset.movers] == [None] * 10
    assert any("build/normalized/lines/a.parquet was never made" in note for note in dataset.notes)


@pytest.mark.slow
def test_the_working_tree_is_compared_from_its_counts(make_history, results):
    project = make_history(COUNTS)
    assert numbers(compare(results, project, after=None)) == numbers(compare(results, project))


@pytest.mark.slow
def test_sums_over_clusters_give_the_numbers_of_their_segments(make_history, results):
    rows = compare(results, make_history(COUNTS, name="rows"))
    sums = compare(results, make_history(SUMS, name="sums"))
    assert numbers(sums) == numbers(rows)
    assert (sums.datasets[0].segments, sums.datasets[0].clusters) == (60, 12)
    by_system = {row.system: row for row in sums.differences if row.metric == "cer"}
    assert (by_system["a"].better, by_system["a"].same, by_system["a"].worse) == (0, 0, 12)
    assert "| clusters ▼/=/▲ |" in render_difference(sums)
    assert "| segments ▼/=/▲ |" in render_difference(rows)
    assert sums.datasets[0].movers == []
    assert "bring the counts of every segment: `dvc pull --all-commits build/scores/lines`" in sums.datasets[0].notes[0]


@pytest.mark.slow
def test_a_gate_judges_sums_as_it_judges_segments(make_history, results):
    gates = []
    for name, counts in (("rows", COUNTS), ("sums", SUMS)):
        project = make_history(counts, name=name)
        before, after = results(project, "HEAD~1"), results(project, "HEAD")
        gates.append(run_gate(before, after, after.params.statistics(), {"cer": 0.002}))
    rows, sums = gates
    assert rows.outcome == sums.outcome == "fail"
    assert sums.checks == rows.checks


def commit_first_state(root, write_pages, counts):
    """Commit the results of the first state once more, with other settings of their counts."""
    write_pages(root, counts=counts)
    Project(root).commit("the first state again")


@pytest.mark.slow
def test_sums_on_one_side_make_sums_of_both(make_history, results, write_pages):
    project = make_history(COUNTS, between=lambda root: commit_first_state(root, write_pages, SUMS))
    from_rows, from_sums = (compare(results, project, before, "HEAD~1") for before in ("HEAD~3", "HEAD~2"))
    assert numbers(from_sums) == numbers(from_rows)
    assert "compared by sums over clusters" in from_sums.datasets[0].notes[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "setting"),
    [
        ({"tests": ["mcnemar"], "deciding_test": "mcnemar"}, "statistics.deciding_test: mcnemar"),
        ({"second_cluster": "speaker"}, "statistics.second_cluster: speaker"),
    ],
)
def test_what_compares_segments_refuses_sums_and_names_the_way(make_history, results, changes, setting):
    with pytest.raises(MissingResultsError, match=rf"{setting} cannot use; bring the counts .* `dvc pull"):
        compare(results, make_history(SUMS), **changes)


@pytest.mark.slow
def test_sums_of_clusters_of_other_segments_are_not_compared(make_history, results, tmp_path, write_pages):
    def drop_a_segment(root):
        write_pages(root, rows=slice(1, None), counts=SUMS)
        Project(root).commit("without the first segment")

    project = make_history(SUMS, between=drop_a_segment)
    with pytest.raises(MissingResultsError, match=r"1 of 12 have other segments or references \(first: 'p00'\); bring"):
        compare(results, project, "HEAD~1", "HEAD~2")


@pytest.mark.slow
def test_sums_without_clusters_have_no_comparison(make_history, results):
    project = make_history(SUMS, clusters=None)
    with pytest.raises(MissingResultsError, match="sums over all segments, which have no interval; bring the counts"):
        compare(results, project)


@pytest.mark.slow
def test_pseudonyms_of_one_key_are_paired_and_give_the_same_verdicts(make_history, results):
    hidden = make_history(HIDDEN, between=lambda root: (root / ".misread").is_dir() or pytest.fail("no key"))
    for path in (hidden.root / "reports/counts").rglob("*.csv"):
        assert "p00" not in path.read_text()
    difference = compare(results, hidden)
    assert [row.verdict for row in difference.differences] == ["regressed", "unchanged", "regressed", "unchanged"]
    assert "reports/counts has pseudonyms for" in difference.datasets[0].notes[0]


@pytest.mark.slow
def test_pseudonyms_of_two_keys_are_never_paired(make_history, results):
    hidden = make_history(HIDDEN, between=lambda root: (root / ".misread/pseudonyms.key").unlink())
    with pytest.raises(NotComparableError, match=r"pseudonyms .* differ \(before: key \w{8}, after: key \w{8}\)"):
        compare(results, hidden)


@pytest.mark.slow
def test_pseudonyms_on_one_side_are_never_paired(make_history, results, write_pages):
    hidden = make_history(HIDDEN, between=lambda root: commit_first_state(root, write_pages, COUNTS))
    with pytest.raises(NotComparableError, match=r"\(before: none, after: key \w{8}\); bring the file .misread/pseudo"):
        compare(results, hidden, "HEAD~2", "HEAD~1")


@pytest.mark.slow
def test_scores_of_another_run_than_the_counts_are_named_and_not_judged(make_history, results, write_pages):
    project = make_history(COUNTS)
    write_pages(project.root)
    difference = compare(results, project, after=None)
    assert {row.verdict for row in difference.differences} == {"unchanged"}
    sentence = "build/scores/lines/a/counts.parquet and reports/counts/lines/a.csv are of different runs"
    assert [note.startswith(sentence) for note in difference.datasets[0].notes] == [True]
    before, after = results(project, "HEAD"), results(project, None)
    with pytest.raises(NotComparableError, match=sentence):
        run_gate(before, after, after.params.statistics(), {"cer": 0.002})
    # A commit is no concern of build/.
    assert before.scores("lines", "a").counts["cer"]["errors"].sum() == 60


@pytest.mark.slow
def test_sums_are_left_for_the_segments_where_build_has_them(make_history, results, write_pages):
    project = make_history(SUMS)
    write_pages(project.root, {"a": WORSE, "b": GOOD}, counts=SUMS)
    assert results(project, "HEAD").scores("lines", "a").sizes is not None
    scores = results(project, None).scores("lines", "a")
    assert scores.sizes is None
    assert list(scores.segments.segment_id) == list(read_scores(project.root / BUILT).segments.segment_id)


@pytest.mark.slow
def test_an_edited_file_of_a_commit_is_named_with_the_revision(make_history, results):
    def edit(root):
        path = root / paths.counts("lines", "a")
        path.write_text(path.read_text() + "p99,p99,,0\n")
        Project(root).commit("edited")

    project = make_history(COUNTS, between=edit)
    with pytest.raises(
        RevisionError, match=r"lines/a.csv of HEAD \(\w+\) is not as misread wrote it: .* take one side"
    ):
        results(project, "HEAD").scores("lines", "a")


@pytest.mark.parametrize("read", [lambda project: read_results(project.root), None])
def test_files_that_were_exchanged_are_of_other_systems(make_history, results, read):
    project = make_history(COUNTS)
    first, second = (project.root / paths.counts("lines", system) for system in "ab")
    texts = first.read_text(), second.read_text()
    second.write_text(texts[0])
    first.write_text(texts[1])
    with pytest.raises(
        (RevisionError, InputFileError), match=r"a\.csv.* has the counts of system 'b' on data set 'lines'"
    ):
        read(project) if read else compare(results, project, after=None)


EDITS = {
    "other columns": lambda text: text.replace('"length"', '"size"').replace("cer.length", "cer.size"),
    "no signature": lambda text: re.sub(r'"signatures": \{"cer": "[^"]*", ', '"signatures": {', text),
    "an engine that is a list": lambda text: re.sub(r'"engine": \{[^}]*\}', '"engine": []', text),
    "a column too few": lambda text: re.sub(r",[^,\n]*$", "", text, flags=re.MULTILINE),
    "no digests": lambda text: text.replace("reference_digest", "group.digest"),
    "another rule": lambda text: re.sub(r'"missing": "\w+"', '"missing": "none"', text),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_counts_with_a_right_digest_are_compared_or_refused(make_history, results, edit):
    project = make_history(COUNTS)
    path = project.root / paths.counts("lines", "a")
    content = path.read_text().partition(" {")[2]
    changed = edit("{" + content)
    assert changed != "{" + content
    path.write_text(f"# misread counts 1 {hashlib.sha256(changed.encode()).hexdigest()[:16]} {changed}")
    with pytest.raises(MisreadError):
        compare(results, project, after=None)
    with pytest.raises(MisreadError):
        read_results(project.root)


@pytest.mark.slow
def test_another_version_of_misread_is_named_once(make_history, results, monkeypatch):
    project = make_history(COUNTS)
    monkeypatch.setattr("misread.revisions.changes.__version__", "9.9")
    monkeypatch.setattr("misread.revisions.matching.__version__", "9.9")
    difference = compare(results, project)
    assert len(difference.notes) == 1
    assert difference.notes[0].endswith("; 9.9 is installed, and makes intervals and tests.")
    after = results(project, "HEAD")
    gate = run_gate(results(project, "HEAD~1"), after, after.params.statistics(), {"cer": 0.5})
    assert gate.notes == difference.notes


@pytest.mark.slow
def test_neither_dvc_nor_its_folder_is_needed(make_history, results, monkeypatch):
    project = make_history(COUNTS)
    for module in ("dvc.repo", "dvc.exceptions"):
        monkeypatch.setitem(sys.modules, module, None)
    difference = compare(results, project)
    assert difference.outcome == "regression"
    after = results(project, "HEAD")
    assert run_gate(results(project, "HEAD~1"), after, after.params.statistics(), {"cer": 0.002}).outcome == "fail"
