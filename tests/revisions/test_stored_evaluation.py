import shutil
from dataclasses import replace

import pandas as pd
import pytest
import yaml
from tests.conftest import READ, REFERENCES
from tests.revisions.conftest import past, single  # noqa: F401  fixtures

from misread import Evaluation, read_results
from misread.data import from_columns
from misread.errors import ConfigurationError, InputFileError, RevisionError, UnknownNameError
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
