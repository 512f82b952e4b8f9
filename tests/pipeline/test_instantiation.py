import sys

import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.execution import Local
from misread.features.answers import FieldMatch, FieldRule
from misread.pipeline.instantiation import instantiate

WHERE = "params.yaml: executor"


def test_a_class_of_misread_is_called_with_the_settings():
    assert instantiate({"_target_": "misread.execution.Local", "workers": 3}, where=WHERE) == Local(3)


def test_a_section_inside_a_section_is_made_too():
    inner = {"_target_": "misread.features.answers.FieldRule", "compare": "date"}
    made = instantiate(
        {"_target_": "misread.features.answers.FieldMatch", "id": "a", "rules": {"*": inner}}, where=WHERE
    )
    assert made == FieldMatch("a", rules={"*": FieldRule(compare="date")})


OUTSIDE = ("os.system", "subprocess.Popen", "builtins.eval", "system", "", "misread")
NO_CLASSES = (
    *("pipeline.params.import_module", "tables.figures.rates.Path", "metrics.summarize", "execution.executor"),
    *("cli.app.make_app", "engines.tesseract.Any"),
)
NOWHERE = ("engines.tesseract.os.system", "engines.NoSuch", "nowhere.X", "", ".x")
REFUSED = [
    *((target, r"is not allowed; only classes of misread are .*'misread\.plugins'") for target in OUTSIDE),
    *((f"misread.{name}", f"_target_ 'misread.{name}' is not a class of misread") for name in NO_CLASSES),
    *((f"misread.{name}", f"there is no 'misread.{name}'") for name in NOWHERE),
    ("misread.errors.MisreadError", "is not a class that takes settings"),
    (3, "expected settings with a _target_"),
]


@pytest.mark.parametrize(("target", "said"), REFUSED)
def test_what_is_no_class_of_misread_is_refused_with_what_is_allowed(target, said):
    with pytest.raises(ConfigurationError, match=said):
        instantiate({"_target_": target}, where=WHERE)


@pytest.mark.parametrize("section", [None, 3, "misread.execution.Local", {}, []])
def test_a_section_without_a_target_is_refused(section):
    with pytest.raises(ConfigurationError, match="expected settings with a _target_"):
        instantiate(section, where=WHERE)


@pytest.mark.parametrize(
    ("target", "setting"),
    [
        ("os.system", "touch {canary}"),
        ("misread.engines.tesseract.os.system", "touch {canary}"),
        ("subprocess.getoutput", "touch {canary}"),
        ("builtins.eval", "open('{canary}', 'w')"),
        ("pathlib.Path.touch", "{canary}"),
    ],
)
@pytest.mark.parametrize("name", ["command", "cmd", "source", "self"])
def test_a_refused_target_has_not_run(tmp_path, target, setting, name):
    canary = tmp_path / "canary"
    with pytest.raises(ConfigurationError):
        instantiate({"_target_": target, name: setting.format(canary=canary)}, where=WHERE)
    assert not canary.exists()


@pytest.mark.parametrize("nest", [lambda section: [section], lambda section: {"a": [{"b": section}]}])
def test_a_target_deep_inside_is_refused_by_its_place_and_has_not_run(tmp_path, nest):
    canary = tmp_path / "canary"
    evil = {"_target_": "os.system", "command": f"touch {canary}"}
    section = {"_target_": "misread.engines.Recorded", "id": "a", "engine": nest(evil)}
    with pytest.raises(ConfigurationError, match=r"executor\.engine.*\[0\].*'os\.system' is not allowed"):
        instantiate(section, where=WHERE)
    assert not canary.exists()


def test_a_class_of_an_installed_package_that_lists_itself_is_allowed(write_plugin, tmp_path, monkeypatch):
    write_plugin("class Lamp:\n    def __init__(self, watts):\n        self.watts = watts\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "reading_room", raising=False)
    assert instantiate({"_target_": "reading_room.Lamp", "watts": 40}, where=WHERE).watts == 40


def test_a_package_that_does_not_list_itself_is_refused_and_not_imported(tmp_path, monkeypatch):
    canary = tmp_path / "canary"
    (tmp_path / "unlisted_room.py").write_text(f"open({str(canary)!r}, 'w')\nclass Lamp: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigurationError, match="is not allowed"):
        instantiate({"_target_": "unlisted_room.Lamp"}, where=WHERE)
    assert not canary.exists()


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (
            {"_target_": "misread.execution.Local", "worker": 2},
            r"'worker' in params.yaml: executor .*Did you mean 'workers'\?",
        ),
        ({"_target_": "misread.stats.StatisticsSettings"}, r"\(misread\.stats\.StatisticsSettings\): no seed given"),
        (
            {"_target_": "misread.execution.Local", "workers": "two"},
            r'^params\.yaml: executor\.workers is "two", expected a whole number',
        ),
        (
            {
                "_target_": "misread.features.answers.FieldMatch",
                "id": "a",
                "rules": {"*": {"_target_": "misread.features.answers.FieldRule", "date_formats": "%Y"}},
            },
            r'executor\.rules\.\*\.date_formats is "%Y", expected a list',
        ),
    ],
)
def test_a_setting_that_does_not_fit_is_named_with_its_place(section, said):
    with pytest.raises((ConfigurationError, UnknownNameError), match=said):
        instantiate(section, where=WHERE)


@pytest.mark.parametrize(
    ("annotation", "answer"),
    [
        (": int", r"executor\.watts is \"many\", expected a whole number"),
        ("", r"executor \(reading_room\.Lamp\): a setting is of the wrong type"),
        (": NoSuchName", r"executor \(reading_room\.Lamp\): a setting is of the wrong type"),
    ],
)
def test_what_an_installed_class_annotates_is_checked_and_the_rest_is_its_own(
    write_plugin, tmp_path, monkeypatch, annotation, answer
):
    write_plugin(
        "from __future__ import annotations\n"
        f"class Lamp:\n    def __init__(self, watts{annotation}):\n        self.volts = 230 / watts\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "reading_room", raising=False)
    with pytest.raises(ConfigurationError, match=answer):
        instantiate({"_target_": "reading_room.Lamp", "watts": "many"}, where=WHERE)
