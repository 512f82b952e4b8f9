from pathlib import Path

import pytest

from misread.data.segment_table import Source
from misread.engines import Function, Processes, UnreadableSourceError
from misread.errors import ConfigurationError, UnknownNameError
from misread.pipeline.params import Params
from misread.provenance import plugins

CODE = """
from misread.engines import Answer

SIGN = "!"

def read(path):
    return path.read_text() + SIGN

def surely(path):
    return Answer("yes", confidence=0.5)

def fail(path):
    raise ValueError("out of luck")

unused = 1
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study's folder with a module `own_reader` and a file to read."""
    monkeypatch.setattr(plugins._finder, "folders", {})
    (tmp_path / "own_reader.py").write_text(CODE)
    (tmp_path / "a.png").write_text("pixels")
    plugins.use_study_modules(["own_reader"], tmp_path)
    return tmp_path


def test_what_a_function_returns_is_the_text(study):
    source = Source("a", study / "a.png")
    assert Function("own_reader.read").open().read(source) == "pixels!"
    assert Function("own_reader.surely").open().read(source).confidence == 0.5


@pytest.mark.slow
def test_it_runs_in_a_process_of_its_own_and_fails_one_segment_alone(study):
    [read] = Processes(1).run(Function("own_reader.read"), [Source("a", study / "a.png")])
    [failed] = Processes(1).run(Function("own_reader.fail"), [Source("a", study / "a.png")])
    assert (read.text, failed.reason) == ("pixels!", "out of luck")


def test_a_missing_file_is_named(study):
    with pytest.raises(UnreadableSourceError, match=r"there is no file .*absent\.png"):
        Function("own_reader.read").open().read(Source("a", study / "absent.png"))


@pytest.mark.parametrize("name", ["own_reader.reed", "own_reader.SIGN", "own_reader.Answer"])
def test_what_is_not_a_function_of_the_module_is_refused(study, name):
    with pytest.raises(ConfigurationError, match="is not a function of own_reader"):
        Function(name)


@pytest.mark.parametrize("name", ["os.system", "misread.engines.capture.is_recorded", "read"])
def test_a_function_from_anywhere_else_is_refused(study, name):
    with pytest.raises(ConfigurationError, match="is not of a plug-in"):
        Function(name)


def test_another_medium_is_refused(study):
    assert Function("own_reader.read", medium="audio").reads == {"audio"}
    with pytest.raises(UnknownNameError, match="unknown medium 'video'"):
        Function("own_reader.read", medium="video")


def test_the_code_is_part_of_the_versions(study):
    before = Function("own_reader.read").versions()
    assert before["function"] == "own_reader.read"
    assert before["plugin"].startswith("own_reader@")


def test_a_module_that_plugins_does_not_list_is_refused(study):
    (study / "src/study").mkdir(parents=True)
    (study / "own_reader.py").rename(study / "src/study/reader.py")
    section = {"_target_": "misread.engines.Function", "function": "study.reader.read"}
    params = Params({"systems": {"own": section}, "plugins": []}, Path("params.yaml"), study)
    with pytest.raises(ConfigurationError, match=r"`plugins` does not list study"):
        params.engine("own")
    listed = Params({"systems": {"own": section}, "plugins": ["study"]}, Path("params.yaml"), study)
    assert listed.engine("own") == Function("study.reader.read")
