import sys
from dataclasses import replace

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from omegaconf import OmegaConf
from ruamel.yaml import YAML

from misread.data import CountsSettings, Slice
from misread.engines import CaptureSettings, Tesseract
from misread.engines.prices import ModelPrice
from misread.errors import ConfigurationError, InputFileError, UnknownNameError
from misread.features.judges.params_section import JudgesSection
from misread.features.regimes.ablation import AblationSection
from misread.metrics import ErrorRate
from misread.normalize import Normalizer, get_normalizer, signature_of
from misread.pipeline.crosscheck import CrossCheckSettings
from misread.pipeline.params import Params, check_id, is_id, load_params
from misread.pipeline.prices import read_prices
from misread.sockets import METRICS
from misread.stats import StatisticsSettings


@pytest.fixture
def content(repository):
    content = yaml.safe_load((repository / "params.yaml").read_text(encoding="utf-8"))
    # What tests put in place of the systems has ids of its own.
    del content["system_ids"]
    return content


def without(content, section):
    return Params({name: of for name, of in content.items() if name != section})


def test_a_plugin_that_the_file_does_not_list_is_refused(content, monkeypatch):
    for module in ("pipeline.params", "provenance.plugins"):
        monkeypatch.setattr(f"misread.{module}.installed_plugins", lambda: {"lab"})
    metrics = {"wer": "wer(alignment=sclite)", "x": "lab.Rate(unit=char)"}
    refusal = r"params\.yaml: metrics\.x: `plugins` does not list lab.*`plugins: \[lab\]`"
    with pytest.raises(ConfigurationError, match=refusal):
        Params({**content, "metrics": metrics}).metrics()
    # Goes on to the next complaint: that there is no such class.
    with pytest.raises(ConfigurationError, match=r"metrics\.x: 'lab\.Rate' is not a class of lab"):
        Params({**content, "plugins": ["lab"], "metrics": metrics}).metrics()


def test_settings_of_a_capture_stand_among_those_of_the_engine(content):
    section = {"_target_": "misread.engines.Tesseract", "language": "eng", "runs": 5, "max_failed": 3}
    params = Params({**content, "systems": {"a": section, "b": {"_target_": "misread.engines.Tesseract"}}})
    assert params.engine("a") == params.engine("b") == Tesseract(language="eng")
    assert params.capture_settings("a") == CaptureSettings(runs=5, max_failed=3)
    assert params.capture_settings("b") == CaptureSettings()


def test_the_slice_and_what_is_committed_of_counts_stand_among_the_settings_of_a_data_set(content):
    plain = content["datasets"]["rendered_lines"]
    of_slice = {"limit": 9, "shuffle_seed": 1, "where": {"degradation": "clean"}}
    params = Params(
        {**content, "datasets": {"a": plain | of_slice | {"counts": "cache", "pseudonyms": True}, "b": plain}}
    )
    assert params.dataset("a") == params.dataset("b")
    assert (params.slice("a"), params.slice("b")) == (Slice({"degradation": "clean"}, 1, 9), Slice())
    assert params.counts_settings("a") == CountsSettings(counts="cache", pseudonyms=True)
    assert params.counts_settings("b") == CountsSettings()


def test_systems_of_one_name_are_told_apart_in_the_report(content):
    systems = dict.fromkeys(("a", "b", "tess"), content["systems"]["tesseract"])
    report = {**content["report"], "names": {"a": "Tesseract", "b": "Tesseract"}}
    settings = Params({**content, "systems": systems, "system_ids": [*systems], "report": report}).report()
    assert [settings.name(system) for system in systems] == ["Tesseract (a)", "Tesseract (b)", "tess"]


def test_prices_stand_by_system(content):
    price = {"usd_per_segment": 0.5, "date": "2026-01-01", "source": "a contract"}
    assert read_prices(Params({**content, "prices": {"a": price}})) == {"a": ModelPrice(**price)}
    assert read_prices(Params(content)) == {}


@pytest.mark.parametrize(
    ("look_up", "group"),
    [(Params.dataset, "datasets"), (Params.engine, "systems"), (Params.system_settings, "systems")],
)
def test_an_unknown_id_lists_those_there_are(content, look_up, group):
    with pytest.raises(UnknownNameError) as caught:
        look_up(Params(content), "nowhere")
    assert str(caught.value).endswith(f"There are: {', '.join(sorted(content[group]))}.")


def test_ids_of_systems_keep_the_order_of_the_file_and_are_read_without_their_settings(content):
    of = {"_target_": "misread.engines.Recorded"}
    assert Params({**content, "systems": {"zeta": of, "alpha": of}}).systems == ["zeta", "alpha"]
    assert Params({"system_ids": ["zeta", "alpha"]}).systems == ["zeta", "alpha"]


def test_a_metric_whose_class_calls_it_otherwise_is_refused(write_plugin, tmp_path, monkeypatch, content):
    write_plugin(
        "from misread.metrics import ErrorRate\nclass Lamp(ErrorRate):\n"
        "    def __init__(self):\n        super().__init__('watts', 'char')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "reading_room", raising=False)
    metrics = {"lamp": "reading_room.Lamp"}
    with pytest.raises(
        ConfigurationError, match=r"metrics\.lamp: reading_room\.Lamp calls itself 'watts'; let the class"
    ):
        Params({**content, "metrics": metrics, "plugins": ["reading_room"]}).metrics()


def test_metrics_are_names_by_id_in_the_order_of_the_file(content):
    metrics = {"wer": "wer(alignment=sclite)", "cer": "cer", "again": "cer"}
    wer, cer, again = Params({**content, "metrics": metrics}).metrics()
    assert (wer.id, wer.name, wer.alignment) == ("wer", "wer(alignment=sclite)", "sclite")
    assert cer is METRICS["cer"]
    assert again == ErrorRate("again", "char", name="cer")


def test_a_file_of_a_metric_is_looked_for_in_the_folder_of_the_study(content, tmp_path):
    (tmp_path / "rules.yaml").write_text("total: {compare: number}\n")
    metrics = {"cer": "cer", "fields": "field_f1(rules=rules.yaml)"}
    params = Params({**content, "metrics": metrics}, root=tmp_path)
    assert params.metrics()[1].rules["total"].compare == "number"
    assert params.metric_files() == [tmp_path / "rules.yaml"]
    assert Params(content).metric_files() == []
    with pytest.raises(InputFileError, match=r"params\.yaml: metrics\.fields: field_f1: there is no file rules\.yaml"):
        Params({**content, "metrics": metrics}).metrics()


def test_a_judge_is_a_metric_under_its_own_id(content):
    judges = {"anna": {"_target_": "misread.features.judges.RecordedDecisions", "file": "anna.jsonl"}}
    params = Params({**content, "judges": judges, "metrics": {"cer": "cer", "anna": "anna"}})
    assert [type(metric).__name__ for metric in params.metrics()] == ["ErrorRate", "RecordedJudge"]
    for metrics in ({"a": "anna"}, {"anna": "cer"}):
        with pytest.raises(ConfigurationError, match="name a judge by its own id"):
            replace(params, content={**params.content, "metrics": metrics}).metrics()
    with pytest.raises(ConfigurationError, match=r"judges\.wer has the id of a metric; give the judge another one"):
        JudgesSection().check(Params({**content, "judges": {"wer": judges["anna"]}}))


def test_the_ablation_counts_by_the_metrics_of_its_ids(content):
    metrics = {"wer": "wer(alignment=sclite)"}
    made = AblationSection().read(Params({**content, "metrics": metrics}))
    assert made.metrics == [METRICS["cer"], replace(METRICS["wer"], alignment="sclite", name="wer(alignment=sclite)")]
    assert made.normalizers == [get_normalizer(name) for name in ("none", "whitespace", "lower")]


def test_a_normalizer_of_ones_own_has_a_name_and_steps(content):
    own = {"name": "letters", "steps": ["lower_case"]}
    params = Params({**content, "normalizer": own, "ablation": {**content["ablation"], "normalizers": ["none", own]}})
    assert params.normalizer() == Normalizer("letters", ["lower_case"])
    assert AblationSection().read(params).normalizers == [get_normalizer("none"), Normalizer("letters", ["lower_case"])]


@pytest.mark.parametrize(("normalizer", "names"), [("ocr", ["none", "lower", "ocr"]), ("lower", ["none", "lower"])])
def test_the_normalizer_of_the_study_is_always_among_those_that_are_compared(content, normalizer, names):
    ablation = {**content["ablation"], "normalizers": ["none", "lower"]}
    made = AblationSection().read(Params({**content, "normalizer": normalizer, "ablation": ablation}))
    assert [normalizer.name for normalizer in made.normalizers] == names


def test_a_recorded_output_is_named_as_its_system_unless_the_data_set_calls_it_otherwise(content):
    systems = {
        "pero": {"_target_": "misread.engines.Recorded"},
        "kraken": {"_target_": "misread.engines.Recorded", "name": "Kraken 4"},
    }
    params = Params({**content, "systems": systems})
    assert [set(params.engine(system).reads) for system in systems] == [{"recorded:pero"}, {"recorded:Kraken 4"}]


SECTIONS = {
    "systems": lambda params: (params.systems, params.capture_settings("a")),
    "datasets": lambda params: (params.slice("a"), params.counts_settings("a"), params.dataset("a")),
    "normalizer": Params.normalizer,
    "metrics": Params.metrics,
    "ablation": AblationSection().read,
    "statistics": Params.statistics,
    "report": Params.report,
    "executor": Params.executor,
    "crosscheck": Params.crosscheck,
    "missing": lambda params: params.missing,
    "baseline": lambda params: params.baseline,
    "data_root": lambda params: params.data_root,
}
READ = {**SECTIONS, "plugins": lambda params: params.plugins, "prices": read_prices}


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_that_is_missing_is_named_with_what_to_do(content, section):
    with pytest.raises(ConfigurationError, match=f"params.yaml has no '{section}'; run `misread compose`"):
        SECTIONS[section](without(content, section))


WRONG = {
    "datasets.a.limit": ["9", 0],
    "datasets.a.shuffle_seed": [True],
    "datasets.a.where": ["clean"],
    "datasets.a.where.page": [7],
    "datasets.a.counts": ["dvc"],
    "datasets.a.pseudonyms": ["yes"],
    "datasets.a.limits": [9],
    "datasets.a.pseudonym": [True],
    "datasets.a.wached": ["data/a"],
    "systems.a.runs": ["5", True],
    "systems.a.max_failed": [1.5, [1]],
    "systems": [{}, None, []],
    "baseline": ["krakn"],
    "plugins": ["lab", {"lab": None}, [1]],
    "metrics": ["cer", 3, None, ["cer"], []],
    "metrics.x": [3, None, ["cer"], {"cer": {}}],
    "crosscheck": [None, 7],
    "crosscheck.segment": [7],
    "crosscheck.segments": ["many", -1],
    "prices": [[]],
    "prices.a": [{}],
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in WRONG.items() for value in values])
def test_a_value_that_cannot_be_used_is_refused_by_its_key(content, key, value):
    section, *names = key.split(".")
    content["datasets"] = {"a": content["datasets"]["rendered_lines"]}
    content["systems"] = {"a": {"_target_": "misread.engines.Tesseract"}}
    part, last = content, section
    for name in names:
        part, last = part.setdefault(last, {}), name
    part[last] = value
    with pytest.raises((ConfigurationError, UnknownNameError)) as caught:
        READ[section](Params(content))
    assert "\n" not in str(caught.value)
    assert last in str(caught.value)


@pytest.mark.parametrize(
    "bad", ["v1.0", "my-system", "../../x", "Tesseract", "item", "key", "", "ä", "a b", 1, True, None]
)
def test_an_id_that_dvc_could_not_use_is_refused(content, bad):
    for section, value in (("systems", {"_target_": "misread.engines.Recorded"}), ("metrics", "cer")):
        params = Params({**content, section: {bad: value}})
        with pytest.raises(
            ConfigurationError, match=rf"id .* in params\.yaml \({section}\) cannot be used: .*a-z, 0-9"
        ):
            SECTIONS[section](params)


def test_without_a_baseline_it_is_the_first_system(content):
    assert Params({**content, "baseline": None}).baseline == next(iter(content["systems"]))


def test_the_committed_file_gives_its_settings(content):
    made = Params(content).statistics()
    assert made == StatisticsSettings(
        **{name: value for name, value in content["statistics"].items() if name != "_target_"}
    )


def test_the_size_of_the_second_opinion_is_read(content):
    assert Params({**content, "crosscheck": {"segments": 7}}).crosscheck() == CrossCheckSettings(7)


def test_a_missing_file_names_the_command_that_writes_it(tmp_path):
    with pytest.raises(InputFileError, match=r"there is no .*params\.yaml here; run `misread compose`"):
        load_params(tmp_path / "params.yaml")


NOT_YAML = ("systems: [", "a: 2001-99-99", "a: !!python/object/apply:os.system ['true']", "\t:")
NO_SETTINGS = ("", "- a\n- b\n", "just words\n")


@pytest.mark.parametrize("text", [*NOT_YAML, *NO_SETTINGS])
def test_a_file_without_settings_is_refused_in_one_line(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    said = r"params\.yaml is not valid YAML: " if text in NOT_YAML else "holds no settings"
    with pytest.raises(InputFileError, match=said) as caught:
        load_params(path)
    assert "\n" not in str(caught.value)


def test_the_file_is_looked_for_in_the_working_folder(tmp_path, monkeypatch):
    (tmp_path / "params.yaml").write_text("missing: empty\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_params().missing == "empty"


OWN = """\
from misread.metrics import ErrorRate

class Own(ErrorRate): ...

def no_dots(text):
    return text.replace(".", "")
"""


@pytest.fixture
def study(content, tmp_path):
    """Parameters of a study whose own code has a metric and a step."""
    (tmp_path / "src/study").mkdir(parents=True)
    (tmp_path / "src/study/own.py").write_text(OWN)
    return Params({**content, "plugins": ["study"]}, root=tmp_path)


def test_a_module_of_the_study_gives_metrics_and_steps(study):
    own = {"name": "no_dots", "steps": ["lower_case", "study.own.no_dots"]}
    params = replace(
        study, content={**study.content, "metrics": {"own": "study.own.Own(unit=char)"}, "normalizer": own}
    )
    assert [type(metric).__name__ for metric in params.metrics()] == ["Own"]
    assert params.normalizer()("A.B.") == "ab"
    assert signature_of(params.normalizer()).startswith("no_dots@")
    assert "+study@" in signature_of(params.normalizer())


@pytest.mark.parametrize("sections", [{"plugins": []}, {}])
def test_a_module_of_the_study_that_is_not_listed_is_refused(study, content, sections):
    own = {"name": "no_dots", "steps": ["study.own.no_dots"]}
    params = replace(study, content={**content, **sections, "normalizer": own})
    with pytest.raises(ConfigurationError, match="`plugins` does not list study"):
        params.normalizer()


@given(st.text("017_eoxbn", min_size=1, max_size=6))
@example("0o17")
@example("1_e0")
@example("1__0e5")
def test_an_id_that_can_be_used_is_the_same_text_in_params_yaml_to_all_who_read_it(text):
    if is_id(text):
        composed = OmegaConf.to_yaml({"systems": {text: text}})
        assert yaml.safe_load(composed) == YAML(typ="safe", pure=True).load(composed) == {"systems": {text: text}}
    else:
        with pytest.raises(ConfigurationError, match="cannot be used: ids are made of"):
            check_id("systems", text, where="params.yaml")
