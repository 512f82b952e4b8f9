import re
import shutil
import tomllib
from time import process_time

import pytest
import yaml

from misread.data.segment_table import Origin, SegmentKeys
from misread.pipeline import paths
from misread.storage import write_capture

pytestmark = pytest.mark.slow


@pytest.fixture
def words(misread, monkeypatch):
    """Words that the doctor says, on a wide screen."""
    monkeypatch.setenv("COLUMNS", "300")

    def ask(*asked):
        done = misread("doctor", *asked)
        rows = done.out.splitlines()[2 : None if asked else -1]
        assert (done.status, done.err) == (bool(asked) and any(not row.startswith("ok ") for row in rows), "")
        return done.out

    return ask


def line(text, what):
    return next(line for line in text.splitlines() if what in line)


def test_packages_are_named_with_their_version(words):
    from importlib.metadata import version

    assert version("hydra-core") in line(words("pipeline"), "package Hydra")


def test_a_package_of_a_version_that_misread_does_not_take_is_named_with_what_it_takes(words, monkeypatch):
    from importlib import metadata

    installed = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "2.4.0" if name == "omegaconf" else installed(name))
    said = line(words("pipeline"), "package OmegaConf")
    assert "unfit" in said
    assert "pip install 'omegaconf<2.4,>=2.3'" in said
    assert not any("unfit" in other for other in words("pipeline").splitlines() if other != said)


def test_outside_a_project_it_says_where_to_go(words):
    assert "run this in the folder of a study" in line(words("data"), "data sets")
    assert "data sets" not in words()


def test_a_data_set_that_is_not_there_is_named_with_its_setting_and_source(words, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    found = line(words(), "data set das22")
    assert "missing" in found
    assert "set data_root (now downloads), or get it: misread data fetch das22" in found


def test_a_data_set_that_is_there_is_ok(words, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    (tmp_path / "data" / "rendered_lines").mkdir(parents=True)
    assert "ok" in line(words(), "data set rendered_lines")


def test_a_broken_configuration_is_named(words, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    (tmp_path / "conf" / "config.yaml").write_text("a: [", encoding="utf-8")
    assert "conf/config.yaml is not valid YAML" in line(words(), "data sets")


def test_a_data_set_with_a_setting_that_does_not_fit_is_named(words, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    path = tmp_path / "conf" / "datasets" / "rendered_lines.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("cluster: document", "cluster: 3"), encoding="utf-8")
    assert "conf: datasets.rendered_lines.cluster is 3, expected text" in " ".join(words().split())


def test_data_that_changed_after_it_was_pinned_is_named(words, misread, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    outside = tmp_path / "elsewhere" / "das22_directories"
    outside.mkdir(parents=True)
    (outside / "entries.jsonl").write_text("{}\n", encoding="utf-8")
    misread("compose", "+experiment=das22", "data_root=elsewhere")
    misread("pin", "das22")
    assert "\nchanged" not in words()
    (outside / "entries.jsonl").write_text("[]\n", encoding="utf-8")
    found = line(words(), "data set das22")
    assert found.startswith("changed")
    assert "entries.jsonl missing, new or changed" in found
    assert "`misread pin das22`" in found


def test_overrides_that_dvc_would_drop_are_named(words, misread, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    misread("compose", "normalizer=lower")
    found = line(words(), "settings params.yaml")
    assert found.startswith("look")
    assert "composed with normalizer=lower" in found
    assert "`dvc exp run -S` composes conf/ again" in found
    misread("compose")
    assert "settings params.yaml" not in words()


def test_a_tool_that_is_not_there_is_named_with_the_line_that_brings_it(words, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install git" in line(words(), "tool git")


def test_a_package_that_is_not_there_is_named_with_the_line_that_brings_it(words, monkeypatch):
    from misread.cli import doctor

    monkeypatch.setattr(doctor, "_PACKAGES", (("Nope", "no-such-package-of-misread", "rapidocr", "engine Nope"),))
    assert "pip install 'misread[rapidocr]'" in line(words("rapidocr"), "package Nope")


def test_what_is_there_is_counted(words):
    *rows, end = words().splitlines()[2:]
    ok = sum(row.startswith("ok ") for row in rows)
    assert end == f"{ok} of {len(rows)} are there; `misread doctor WHAT` has more"


def test_every_extra_for_users_can_be_asked_for(misread, repository):
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    for extra in {*project["optional-dependencies"]} - {"docs", "bench"}:
        assert misread("doctor", extra).out, extra
    assert "Did you mean 'tesseract'? There are: data, frames, git" in misread("doctor", "tesserakt").err


def test_a_use_has_one_line_and_the_status_says_whether_all_that_was_asked_for_is_there(misread, words, monkeypatch):
    from misread.cli import doctor

    packages = (("jiwer", "jiwer", "one", "opinions"), ("Nope", "no-such-package-of-misread", "other", "nothing"))
    monkeypatch.setattr(doctor, "_PACKAGES", packages)
    assert [misread("doctor", *asked).status for asked in (["one"], ["other"], ["one", "Nope"], [])] == [0, 1, 1, 0]
    said = " ".join(line(words(), "other").split())
    assert said == "missing other nothing, without Nope pip install 'misread[other]'"


def test_in_a_study_only_its_own_data_sets_are_looked_for(words, misread, tmp_path, repository):
    shutil.copytree(repository / "conf", tmp_path / "conf")
    misread("compose")
    assert "das22" not in words()
    assert "das22" in words("data")


def test_a_capture_by_another_version_than_is_installed_is_named(words, misread, tmp_path, monkeypatch):
    system = {"_target_": "misread.engines.OpenAIChat", "url": "http://host", "model": "m", "version": "2"}
    content = {"systems": {"chat": system}, "datasets": {"few": {"_target_": "misread.data.Table", "root": "x"}}}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(content))
    versions = {"server": "http://host", "model": "m", "version": "1"}
    path = paths.capture("few", "chat")
    write_capture(path, Origin("few", "chat", engine=versions), SegmentKeys([], None, {}), [], [])
    found = " ".join(line(words(), "capture few, chat").split())
    state = "made with another version than the installed one"
    assert found == f"changed capture few, chat {state} misread capture few chat"
    write_capture(path, Origin("few", "chat", engine={**versions, "version": "2"}), SegmentKeys([], None, {}), [], [])
    assert "capture few" not in words()


@pytest.fixture
def few_cases(monkeypatch, repository, tmp_path):
    """The suite with the cases of two files alone."""
    from misread.cli import self_test
    from misread.compiled.budget import BUDGETS, LOADING_SECONDS

    for budget in BUDGETS:
        monkeypatch.setattr(budget, "seconds", LOADING_SECONDS)
    for name in ("runners/serve.py", "runners/with_misread.py", "cases/words.json", "cases/bags_of_words.json"):
        (tmp_path / "suite" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(repository / "conformance" / name, tmp_path / "suite" / name)
    monkeypatch.setattr(self_test, "_FOLDERS", (tmp_path / "none", tmp_path / "suite/runners"))


@pytest.mark.usefixtures("few_cases")
def test_the_self_test_counts_in_python_and_in_machine_code_and_names_the_machine(misread):
    import numpy as np

    done = misread("doctor", "--self-test")
    machine, *totals = done.out.splitlines()
    assert f"numpy {np.__version__}, numba " in machine
    all_cases = [re.sub(r"(\d\d+) of \1 cases", "all cases", total) for total in totals]
    assert (done.status, all_cases) == (0, [f"{way}: all cases as expected" for way in ("Python", "machine code")])


@pytest.mark.usefixtures("few_cases")
def test_the_self_test_says_what_differs_and_ends_with_status_1(misread, monkeypatch):
    import misread as library

    counts = library.error_counts("ab", "ac")
    monkeypatch.setattr(library, "error_counts", lambda *_, **__: counts)
    done = misread("doctor", "--self-test")
    assert done.status == 1
    first = done.out.splitlines()[1]
    assert first.startswith("words-plain-01 in Python: {'length': 2, 'errors': 1, ")
    assert first.endswith("Joined words: a substitution and a deletion.")
    assert "words-plain-01 in machine code: {" in done.out


def test_the_self_test_compiles_no_kernel_once_its_time_is_over_which_ends_no_later_work():
    import numba

    from misread.cli.self_test import _compile_until, _TimeIsOver

    inner = numba.njit(lambda number: number + 1)
    outer = numba.njit(lambda number: inner(number) * 2)
    with _compile_until(process_time()), pytest.raises(_TimeIsOver):
        outer(1)
    assert not inner.signatures
    with _compile_until(process_time() + 60):
        assert outer(1) == 4


def test_the_self_test_without_its_cases_says_what_to_do(misread, monkeypatch):
    from misread.cli import self_test

    monkeypatch.setattr(self_test, "_FOLDERS", ())
    error = "error: misread was installed without the cases of its self-test; install it again.\n"
    assert misread("doctor", "--self-test") == (1, "", error)
