import re
import sys

import pytest
import yaml

from misread.engines import Threads
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.metrics import FieldMatch, FieldRule
from misread.pipeline.params import Params, instantiate, load_params
from misread.scoring import CrossCheckSettings
from misread.stats import StatisticsSettings

WHERE = "params.yaml: executor"


@pytest.fixture
def content(repository):
    return yaml.safe_load((repository / "params.yaml").read_text(encoding="utf-8"))


def write_plugin(folder, code):
    """Install a package that lists itself as a plug-in."""
    package = folder / "reading_room"
    package.mkdir()
    (package / "__init__.py").write_text(code)
    metadata = folder / "reading_room-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: reading-room\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[misread.plugins]\nreading_room = reading_room\n")


def without(content, section):
    return Params({name: of for name, of in content.items() if name != section})


def test_a_class_of_misread_is_called_with_the_settings():
    assert instantiate({"_target_": "misread.engines.Threads", "workers": 3}, where=WHERE) == Threads(3)


def test_a_section_inside_a_section_is_made_too():
    inner = {"_target_": "misread.metrics.FieldRule", "compare": "date"}
    made = instantiate({"_target_": "misread.metrics.FieldMatch", "id": "a", "rules": {"*": inner}}, where=WHERE)
    assert made == FieldMatch("a", rules={"*": FieldRule(compare="date")})


@pytest.mark.parametrize("target", ["os.system", "subprocess.Popen", "builtins.eval", "system", "", "misread"])
def test_a_target_outside_misread_is_refused_with_what_is_allowed(target):
    with pytest.raises(ConfigurationError, match=r"is not allowed; only classes of misread are .*'misread\.plugins'"):
        instantiate({"_target_": target}, where=WHERE)


@pytest.mark.parametrize(
    "target",
    [
        "misread.pipeline.params.import_module",
        "misread.report.figures.rates.Path",
        "misread.metrics.cer",
        "misread.engines.executor",
        "misread.cli.app.app",
        "misread.engines.tesseract.Any",
    ],
)
def test_what_is_no_class_of_misread_is_refused(target):
    with pytest.raises(ConfigurationError, match=f"_target_ '{target}' is not a class of misread"):
        instantiate({"_target_": target}, where=WHERE)


@pytest.mark.parametrize(
    "target",
    ["misread.engines.tesseract.os.system", "misread.engines.NoSuch", "misread.nowhere.X", "misread.", "misread..x"],
)
def test_a_target_that_leads_nowhere_is_refused(target):
    with pytest.raises(ConfigurationError, match=f"there is no '{target}'"):
        instantiate({"_target_": target}, where=WHERE)


@pytest.mark.parametrize("target", ["misread.errors.MisreadError", "misread.stats.Interval"])
def test_a_class_without_settings_of_its_own_is_refused(target):
    with pytest.raises(ConfigurationError, match="is not a class that takes settings"):
        instantiate({"_target_": target}, where=WHERE)


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
    section = {"_target_": "misread.engines.Recorded", "name": "a", "engine": nest(evil)}
    with pytest.raises(ConfigurationError, match=r"executor\.engine.*\[0\].*'os\.system' is not allowed"):
        instantiate(section, where=WHERE)
    assert not canary.exists()


def test_a_class_of_an_installed_package_that_lists_itself_is_allowed(tmp_path, monkeypatch):
    write_plugin(tmp_path, "class Lamp:\n    def __init__(self, watts):\n        self.watts = watts\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "reading_room", raising=False)
    assert instantiate({"_target_": "reading_room.Lamp", "watts": 40}, where=WHERE).watts == 40


def test_a_plugin_that_the_file_does_not_list_is_refused(content, monkeypatch):
    monkeypatch.setattr("misread.pipeline.params.installed_plugins", lambda: {"lab"})
    metrics = {
        "cer": {"_target_": "misread.metrics.ErrorRate", "id": "cer", "unit": "char"},
        "x": {"a": [{"_target_": "lab.Rate"}]},
    }
    refusal = r"params\.yaml: metrics\.x: lab is a plug-in that `plugins` does not list.*`plugins: \[lab\]` in conf/"
    with pytest.raises(ConfigurationError, match=refusal):
        Params({**content, "metrics": metrics}).metrics()
    for listed in ({**content, "plugins": ["lab"]}, without(content, "plugins").content):
        # Goes on to the next complaint: that the metric has no class.
        with pytest.raises(ConfigurationError, match="expected settings with a _target_"):
            Params({**listed, "metrics": metrics}).metrics()


@pytest.mark.parametrize("plugins", ["lab", {"lab": None}, [1]])
def test_plugins_are_a_list_of_names(content, plugins):
    with pytest.raises(ConfigurationError, match=r"plugins is .*, expected a list of names of packages"):
        _ = Params({**content, "plugins": plugins}).plugins


def test_a_package_that_does_not_list_itself_is_refused_and_not_imported(tmp_path, monkeypatch):
    canary = tmp_path / "canary"
    (tmp_path / "unlisted_room.py").write_text(f"open({str(canary)!r}, 'w')\nclass Lamp: ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigurationError, match="is not allowed"):
        instantiate({"_target_": "unlisted_room.Lamp"}, where=WHERE)
    assert not canary.exists()


@pytest.mark.parametrize("section", [None, 3, "misread.engines.Threads", {}, {"_target_": 3}, []])
def test_a_section_without_a_target_is_refused(section):
    with pytest.raises(ConfigurationError, match="expected settings with a _target_"):
        instantiate(section, where=WHERE)


def test_an_unknown_setting_names_the_place_and_the_choices():
    with pytest.raises(UnknownNameError, match=r"'worker' in params.yaml: executor .*Did you mean 'workers'\?"):
        instantiate({"_target_": "misread.engines.Threads", "worker": 2}, where=WHERE)


def test_a_missing_setting_is_named():
    with pytest.raises(ConfigurationError, match=r"\(misread\.stats\.StatisticsSettings\): no seed given"):
        instantiate({"_target_": "misread.stats.StatisticsSettings"}, where=WHERE)


def test_a_setting_of_the_wrong_type_is_named():
    with pytest.raises(ConfigurationError, match=r'^params\.yaml: executor\.workers is "two", expected a whole number'):
        instantiate({"_target_": "misread.engines.Threads", "workers": "two"}, where=WHERE)


def test_a_setting_of_the_wrong_type_deep_inside_is_named():
    inner = {"_target_": "misread.metrics.FieldRule", "date_formats": "%Y"}
    with pytest.raises(ConfigurationError, match=r'executor\.rules\.\*\.date_formats is "%Y", expected a list'):
        instantiate({"_target_": "misread.metrics.FieldMatch", "id": "a", "rules": {"*": inner}}, where=WHERE)


@pytest.mark.parametrize(
    ("annotation", "answer"),
    [
        (": int", r"executor\.watts is \"many\", expected a whole number"),
        ("", r"executor \(reading_room\.Lamp\): a setting is of the wrong type"),
        (": NoSuchName", r"executor \(reading_room\.Lamp\): a setting is of the wrong type"),
    ],
)
def test_what_an_installed_class_annotates_is_checked_and_the_rest_is_its_own(
    tmp_path, monkeypatch, annotation, answer
):
    write_plugin(
        tmp_path,
        "from __future__ import annotations\n"
        f"class Lamp:\n    def __init__(self, watts{annotation}):\n        self.volts = 230 / watts\n",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "reading_room", raising=False)
    with pytest.raises(ConfigurationError, match=answer):
        instantiate({"_target_": "reading_room.Lamp", "watts": "many"}, where=WHERE)


@pytest.mark.parametrize(
    ("look_up", "group"),
    [(Params.dataset, "datasets"), (Params.engine, "systems"), (Params.system_settings, "systems")],
)
def test_an_unknown_id_lists_those_there_are(content, look_up, group):
    with pytest.raises(UnknownNameError) as caught:
        look_up(Params(content), "nowhere")
    assert str(caught.value).endswith(f"There are: {', '.join(sorted(content[group]))}.")


@pytest.mark.parametrize("bad", ["v1.0", "my-system", "Tesseract", "item", "key", "", "ä", "a b", 1, True, None])
def test_an_id_that_dvc_could_not_use_is_refused(content, bad):
    params = Params({**content, "systems": {bad: {"_target_": "misread.engines.Recorded", "name": "a"}}})
    with pytest.raises(ConfigurationError, match=r"id .* in params\.yaml \(systems\) cannot be used: .*a-z, 0-9 and _"):
        _ = params.systems


def test_ids_keep_the_order_of_the_file(content):
    of = {"_target_": "misread.engines.Recorded", "name": "a"}
    assert Params({**content, "systems": {"zeta": of, "alpha": of}}).systems == ["zeta", "alpha"]


@pytest.mark.parametrize(
    ("metric_id", "said"),
    [
        *((name, f"is {name!r}, expected 'cer'") for name in ("../../x", "wer", "CER", "")),
        (None, "is null, expected text"),
        (7, "is 7, expected text"),
    ],
)
def test_a_metric_is_called_as_its_key(content, metric_id, said):
    metrics = {"cer": {**content["metrics"]["cer"], "id": metric_id}}
    with pytest.raises(ConfigurationError, match=re.escape(f"params.yaml: metrics.cer.id {said}")):
        Params({**content, "metrics": metrics}).metrics()


@pytest.mark.parametrize("empty", [{}, None, []])
def test_an_empty_group_is_refused(content, empty):
    with pytest.raises(ConfigurationError, match="systems is empty"):
        _ = Params({**content, "systems": empty}).systems


def test_without_a_baseline_it_is_the_first_system(content):
    assert Params({**content, "baseline": None}).baseline == next(iter(content["systems"]))


def test_an_unknown_baseline_lists_the_systems(content):
    with pytest.raises(UnknownNameError, match=r"'krakn' in params\.yaml \(baseline\).*There are: "):
        _ = Params({**content, "baseline": "krakn"}).baseline


@pytest.mark.parametrize(
    ("section", "read"),
    [
        ("systems", lambda params: params.systems),
        ("datasets", lambda params: params.datasets),
        ("normalizer", Params.normalizer),
        ("metrics", Params.metrics),
        ("statistics", Params.statistics),
        ("report", Params.report),
        ("executor", Params.executor),
        ("crosscheck", Params.crosscheck),
        ("missing", lambda params: params.missing),
        ("baseline", lambda params: params.baseline),
        ("data_root", lambda params: params.data_root),
    ],
)
def test_a_section_that_is_missing_is_named_with_what_to_do(content, section, read):
    with pytest.raises(ConfigurationError, match=f"params.yaml has no '{section}'; run `misread compose`"):
        read(without(content, section))


def test_the_committed_file_gives_its_settings(content):
    made = Params(content).statistics()
    assert made == StatisticsSettings(
        **{name: value for name, value in content["statistics"].items() if name != "_target_"}
    )


def test_the_size_of_the_second_opinion_is_read(content):
    assert Params({**content, "crosscheck": {"segments": 7}}).crosscheck() == CrossCheckSettings(7)


@pytest.mark.parametrize("broken", [{"segment": 7}, {"segments": "many"}, {"segments": -1}, None, 7])
def test_a_broken_size_of_the_second_opinion_is_an_answer(content, broken):
    with pytest.raises((ConfigurationError, UnknownNameError), match="crosscheck"):
        Params({**content, "crosscheck": broken}).crosscheck()


def test_a_missing_file_names_the_command_that_writes_it(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no .*params\.yaml here; run `misread compose`"):
        load_params(tmp_path / "params.yaml")


@pytest.mark.parametrize("text", ["systems: [", "a: 2001-99-99", "a: !!python/object/apply:os.system ['true']", "\t:"])
def test_broken_yaml_is_named_in_one_line(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match=r"params\.yaml is not valid YAML: ") as caught:
        load_params(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "- a\n- b\n", "just words\n"])
def test_yaml_without_settings_is_refused(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputFileError, match="holds no settings"):
        load_params(path)


def test_the_file_is_looked_for_in_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "params.yaml").write_text("missing: empty\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_params().missing == "empty"
