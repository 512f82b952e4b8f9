import os
from importlib import import_module
from pathlib import Path

import pytest

from misread.pipeline import paths


@pytest.fixture
def project(tmp_path, write_results):
    """Project with results of the systems a and b on the data set `lines`."""
    write_results(tmp_path)
    return tmp_path


def test_it_writes_what_the_stage_writes(misread, project):
    result = project / paths.comparison("lines")
    written = result.read_bytes()
    result.unlink()
    assert misread("stage", "compare", "lines") == (0, "", "")
    assert result.read_bytes() == written


@pytest.mark.usefixtures("project")
def test_every_stage_script_is_a_stage(misread, repository):
    listed = misread("stage", "nothing").err.partition("There are: ")[2].rstrip(".\n").split(", ")
    assert listed == sorted(["all", *(path.stem for path in (repository / "stages").glob("*.py"))])


@pytest.mark.usefixtures("project")
def test_an_unknown_stage_offers_the_nearest(misread):
    done = misread("stage", "normalise", "lines")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error: unknown stage 'normalise'. Did you mean 'normalize'? There are: all, capture, ")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("capture", "lines"), "misread stage capture takes DATASET SYSTEM, got 'lines'."),
        (("score",), "misread stage score takes DATASET, got none."),
        (("report", "lines", "a"), "misread stage report takes no ids, got 'lines' 'a'."),
    ],
)
@pytest.mark.usefixtures("project")
def test_a_wrong_number_of_ids_says_what_the_stage_takes(misread, given, expected):
    assert misread("stage", *given) == (1, "", f"error: {expected}\n")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("score", "line"), "unknown dataset 'line' in params.yaml. Did you mean 'lines'? There are: lines."),
        (("capture", "lines", "c"), "unknown system 'c' in params.yaml. There are: a, b."),
    ],
)
@pytest.mark.usefixtures("project")
def test_an_id_that_the_parameters_do_not_have_is_refused(misread, given, expected):
    assert misread("stage", *given) == (1, "", f"error: {expected}\n")


def test_an_id_cannot_lead_out_of_its_folder(misread, project):
    assert misread("stage", "normalize", "..").status == 1
    assert (project / paths.capture("lines", "a")).is_file()


def test_a_stage_whose_code_changes_the_process_is_refused(misread, project, monkeypatch):
    compare = import_module("misread.pipeline.stages.compare")
    (project / "elsewhere").mkdir()
    monkeypatch.setattr(compare, "main", lambda dataset_id: os.chdir("elsewhere"))
    done = misread("stage", "compare", "lines")
    assert (done.status, done.err.count("\n")) == (1, 1)
    assert done.err.startswith("error: the code that stage compare runs changes the working directory (")
    assert Path.cwd() == project
