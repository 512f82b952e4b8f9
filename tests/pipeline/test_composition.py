"""Whether params.yaml is what conf/ composes to, as the first stage asks."""

import shutil

import pytest

from misread.errors import ConfigurationError
from misread.pipeline.composition import require_composed


@pytest.fixture
def project(tmp_path, repository, monkeypatch):
    """Configuration and parameters of the repository in the working folder."""
    shutil.copytree(repository / "conf", tmp_path / "conf")
    shutil.copy(repository / "params.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DVC_EXP_NAME", raising=False)
    return tmp_path


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_is_committed_is_composed(project):
    require_composed()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("conf/config.yaml", "normalizer: whitespace", "normalizer: lower"),
        ("conf/systems/tesseract.yaml", "revision: 1", "revision: 2"),
        ("params.yaml", "digits: 2", "digits: 3"),
    ],
)
def test_a_change_of_either_is_refused_with_what_to_run(project, file, old, new):
    edit(project / file, old, new)
    with pytest.raises(ConfigurationError, match=r"is not what conf/ composes to.*; run `misread compose`\.$"):
        require_composed()


@pytest.mark.slow
def test_a_comment_changes_nothing(project):
    edit(project / "conf/config.yaml", "normalizer: whitespace", "# As it is.\nnormalizer: whitespace")
    require_composed()


@pytest.mark.slow
def test_overrides_of_the_command_pass_and_stand_in_what_to_run(project, misread):
    misread("compose", "normalizer=lower")
    require_composed()
    edit(project / "params.yaml", "digits: 2", "digits: 3")
    with pytest.raises(ConfigurationError, match="run `misread compose normalizer=lower`"):
        require_composed()


def test_overrides_of_an_experiment_pass(project, monkeypatch):
    edit(project / "params.yaml", "digits: 2", "digits: 3")
    monkeypatch.setenv("DVC_EXP_NAME", "three-digits")
    require_composed()


def test_parameters_without_a_configuration_pass(project):
    shutil.rmtree(project / "conf")
    require_composed()
