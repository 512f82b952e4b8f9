import pickle
import shutil
from dataclasses import replace

import pandas as pd
import pytest
import yaml
from tests.conftest import READ, REFERENCES
from tests.revisions.conftest import CLUSTERS, IDS, Project, fresh, past, read_badly, single  # noqa: F401  fixtures
from tests.revisions.conftest import REFERENCES as LINES

from misread import Evaluation, read_results
from misread.data import CountsSettings, from_columns
from misread.errors import ConfigurationError, InputFileError, MissingResultsError, RevisionError, UnknownNameError
from misread.evaluation import evaluate_table
from misread.io import write_record
from misread.stats import read_comparison


@pytest.fixture
def stored(tmp_path, write_results):
    """Results in the working tree of a project that is not under Git."""
    write_results(tmp_path)
    return tmp_path


def test_results_of_the_working_tree_need_neither_git_nor_dvc(stored):
    result = read_results(stored)
    assert isinstance(result, Evaluation)
    assert repr(result) == "<Evaluation of 'lines': a, b; cer, wer; 4 segments>"


def test_the_folder_is_the_current_one_by_default(stored, monkeypatch):
    monkeypatch.chdir(stored)
    assert read_results().result == read_results(str(stored)).result


def test_segments_have_texts_and_counts(stored):
    result = read_results(stored)
    segments = result.segments
    assert segments["reference"].to_list() == REFERENCES * 2
    assert [None if text != text else text for text in segments["hypothesis"]] == [*READ["a"], *READ["b"]]
    errors = segments.groupby("system")["cer_errors"].sum()
    assert errors.to_dict() == {system: of["cer"].counts["errors"] for system, of in result.systems.items()}


def test_it_is_what_evaluate_gives_for_the_same_texts(stored):
    result = read_results(stored)
    again = evaluate_table(
        from_columns(REFERENCES, READ, ids=["l1", "l2", "l3", "l4"], name="lines"),
        normalizer="whitespace",
        missing="empty",
        seed=1,
        statistics={"resamples": 199},
    )
    pd.testing.assert_frame_equal(result.segments, again.segments)
    pd.testing.assert_frame_equal(result.pairs_frame(), again.pairs_frame())
    assert {name: of["cer"].interval for name, of in result.systems.items()} == {
        name: of["cer"].interval for name, of in again.systems.items()
    }


def test_results_of_a_commit_are_those_of_that_commit(past):  # noqa: F811
    first, worse = (read_results(past.root, revision) for revision in ("first", "worse"))
    assert first.systems["a"]["cer"].rate < worse.systems["a"]["cer"].rate
    assert (len(first.segments), len(worse.segments)) == (120, 120)
    assert list(first.segments.columns[:3]) == ["segment_id", "page", "system"]
    assert worse.segments["cer_errors"].sum() == sum(of["cer"].counts["errors"] for of in worse.systems.values())
    assert read_results(past.root).result == read_results(past.root, "HEAD").result


def test_a_commit_without_results_says_how_to_make_them(past):  # noqa: F811
    with pytest.raises(RevisionError, match=r"empty \(\w+\) has no params.yaml"):
        read_results(past.root, "empty")
    with pytest.raises(RevisionError, match="unknown revision 'wrse'; branches and tags are"):
        read_results(past.root, "wrse")


def test_a_file_that_is_gone_gives_the_line_that_brings_it(single, tmp_path):  # noqa: F811
    root = shutil.copytree(single, tmp_path / "fresh", symlinks=True)
    shutil.rmtree(root / ".dvc/cache")
    shutil.rmtree(root / "build")
    with pytest.raises(RevisionError, match=r"no default remote; run .* and `dvc pull --all-commits build/compa"):
        read_results(root, "HEAD")
    with pytest.raises(InputFileError, match=r"build/comparisons/lines\.json is not there; run `dvc repro`"):
        read_results(root)


def test_several_data_sets_are_chosen_from(stored, write_results):
    content = yaml.safe_load((stored / "params.yaml").read_text())
    write_results(stored, dataset="pages", params={"datasets": content["datasets"] | {"pages": {}}})
    with pytest.raises(
        ConfigurationError, match=r"has 2 data sets; choose one, such as dataset='lines'\. There are: lin"
    ):
        read_results(stored)
    assert read_results(stored, dataset="pages").result.dataset == "pages"
    with pytest.raises(UnknownNameError, match=r"unknown data set 'page' in .*\. Did you mean 'pages'\?"):
        read_results(stored, dataset="page")


def test_a_folder_without_a_project_is_said_to_be_one(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no .*params\.yaml here"):
        read_results(tmp_path)


def test_a_metric_that_the_settings_no_longer_name_is_named(stored):
    params = stored / "params.yaml"
    params.write_text(params.read_text().replace("  wer: wer\n", "  ser: ser\n").replace("- wer", "- ser"))
    with pytest.raises(
        InputFileError, match=r"lines\.json has the metric 'wer', which .* does not name; run `dvc repro`"
    ):
        read_results(stored)


def test_files_of_different_runs_are_refused(stored, tmp_path, write_results):
    other = tmp_path / "other"
    other.mkdir()
    write_results(other, read={**READ, "a": REFERENCES})
    shutil.copytree(other / "build/scores", stored / "build/scores", dirs_exist_ok=True)
    with pytest.raises(
        InputFileError, match=r"counts\.parquet and .*lines\.json are of different runs; run `dvc repro`"
    ):
        read_results(stored)


def test_a_system_that_cannot_read_the_data_set_has_a_reason(stored):
    comparison = stored / "build/comparisons/lines.json"
    result = replace(read_comparison(comparison), not_applicable={"c": "no image"})
    write_record(comparison, result, kind="comparison")
    result = read_results(stored)
    for read in (lambda: result.systems["c"], lambda: result.pairs["a", "c"]):
        with pytest.raises(LookupError, match=r"^system 'c' has no result: no image\. There are: a, b\.$"):
            read()


@pytest.fixture
def committed(tmp_path, write_results):
    """A project without DVC whose counts are committed, and which has no build/; what it was read as before."""
    settings = {"references": LINES, "ids": IDS, "clusters": CLUSTERS}

    def make(counts, **changes):
        root = tmp_path / f"project{len(list(tmp_path.iterdir()))}"
        root.mkdir()
        project = Project(root)
        project.git("init", "--quiet", "--initial-branch=main")
        (root / ".gitignore").write_text("/build/\n/.misread/\n")
        write_results(root, read={"a": read_badly(10), "b": read_badly(2)}, counts=counts, **settings, **changes)
        before = read_results(root)
        project.commit("results")
        shutil.rmtree(root / "build")
        return project, before

    return make


@pytest.mark.slow
@pytest.mark.parametrize("revision", [None, "HEAD"])
def test_counts_in_git_give_what_build_gave(committed, revision):
    project, before = committed(CountsSettings())
    result = read_results(project.root, revision)
    assert result.result == before.result
    pd.testing.assert_frame_equal(result.segments, before.segments.drop(columns=["reference", "hypothesis"]))
    assert str(result) == str(before)
    assert pickle.loads(pickle.dumps(result)).result == before.result  # noqa: S301


@pytest.mark.slow
@pytest.mark.parametrize(("revision", "command"), [(None, "dvc pull build/normalized/lines"), ("HEAD", "`dvc repro`")])
def test_what_needs_texts_says_how_to_get_them(committed, revision, command):
    result = read_results(committed(CountsSettings())[0].root, revision)
    for view in ("scripts", "review"):
        with pytest.raises(MissingResultsError, match=command) as refusal:
            result.view(view)
        assert "\n" not in str(refusal.value)


def test_texts_of_a_commit_are_read_when_they_are_asked_for(fresh, write_results):  # noqa: F811
    read = {"a": read_badly(10), "b": read_badly(2)}
    write_results(fresh.root, read=read, references=LINES, ids=IDS, clusters=CLUSTERS, counts=CountsSettings())
    before = read_results(fresh.root)
    fresh.track()
    fresh.commit("counts in Git, texts in the cache")
    shutil.rmtree(fresh.root / "build")
    result = read_results(fresh.root, "HEAD")
    fresh.commit("a branch moves on")
    pd.testing.assert_frame_equal(result.segments, before.segments)
    assert result.view("scripts").equals(before.view("scripts"))


@pytest.mark.slow
def test_sums_over_clusters_give_no_evaluation(committed):
    project, _ = committed(CountsSettings(counts="cache"))
    for revision in (None, "HEAD"):
        with pytest.raises(
            MissingResultsError, match=r"has sums over clusters, .* `dvc pull --all-commits build/scores/"
        ):
            read_results(project.root, revision)


def test_tests_of_alignments_need_the_texts(committed):
    statistics = {"_target_": "misread.stats.StatisticsSettings", "seed": 1, "tests": ["mapsswe", "randomisation"]}
    project, _ = committed(CountsSettings(), params={"statistics": statistics})
    with pytest.raises(MissingResultsError, match=r"mapsswe among statistics\.tests needs the alignments of lines"):
        read_results(project.root, "HEAD")


@pytest.mark.slow
def test_pseudonyms_give_numbers_and_no_texts(committed, write_results):
    project, before = committed(CountsSettings(pseudonyms=True))
    for revision in (None, "HEAD"):
        result = read_results(project.root, revision)
        assert result.systems["a"]["cer"].counts == before.systems["a"]["cer"].counts
        assert not {*result.segments["segment_id"]} & {*IDS}
        with pytest.raises(MissingResultsError, match="reports/counts has pseudonyms for the segments of lines"):
            result.view("review")


def test_results_of_another_version_are_named(committed, monkeypatch):
    project, before = committed(CountsSettings())
    for module in ("changes", "matching"):
        monkeypatch.setattr(f"misread.revisions.{module}.__version__", "9.9")
    warnings = read_results(project.root, "HEAD").warnings
    assert warnings[:-1] == before.warnings
    assert warnings[-1].endswith("; 9.9 is installed, and makes intervals and tests.")


def test_counts_of_other_metrics_than_the_settings_name_are_refused(committed):
    project, _ = committed(CountsSettings())
    params = project.root / "params.yaml"
    params.write_text(params.read_text().replace("  wer: wer\n", "  wer: wer\n  ser: ser\n"))
    with pytest.raises(InputFileError, match=r"counts/lines/a\.csv has no counts of the metric 'ser'; run `dvc repro`"):
        read_results(project.root)
    params.write_text(params.read_text().replace("  ser: ser\n", "").replace("wer: wer", "wer: ser"))
    with pytest.raises(InputFileError, match=r"has other counts \(errors, length, .*\) of the metric 'wer'; run `dvc"):
        read_results(project.root)
