import sys
from dataclasses import replace

import pytest
import yaml
from hypothesis import given
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


def test_the_slice_stands_among_the_settings_of_a_data_set(content):
    section = {
        **content["datasets"]["rendered_lines"],
        "limit": 9,
        "shuffle_seed": 1,
        "where": {"degradation": "clean"},
    }
    params = Params({**content, "datasets": {"a": section, "b": content["datasets"]["rendered_lines"]}})
    assert params.dataset("a") == params.dataset("b")
    assert params.slice("a") == Slice({"degradation": "clean"}, 1, 9)
    assert params.slice("b") == Slice()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("limit", "9", r'datasets\.a\.limit is "9", expected a whole number'),
        ("limit", 0, "limit is 0, expected 1 or more"),
        ("shuffle_seed", True, "shuffle_seed is true, expected"),
        ("where", "clean", 'where is "clean", expected names with values'),
        ("where", {"page": 7}, r"where\.page is 7, expected text .* or a list"),
        ("limits", 9, r"unknown setting 'limits' .* Did you mean 'limit'\?"),
    ],
)
def test_a_slice_that_cannot_be_used_is_named(content, name, value, said):
    section = {**content["datasets"]["rendered_lines"], name: value}
    params = Params({**content, "datasets": {"a": section}})
    with pytest.raises((ConfigurationError, UnknownNameError), match=said):
        _ = (params.slice("a"), params.dataset("a"))


def test_what_is_committed_of_counts_stands_among_the_settings_of_a_data_set(content):
    section = {**content["datasets"]["rendered_lines"], "counts": "cache", "pseudonyms": True, "limit": 9}
    params = Params({**content, "datasets": {"a": section, "b": content["datasets"]["rendered_lines"]}})
    assert params.dataset("a") == params.dataset("b")
    assert params.counts_settings("a") == CountsSettings(counts="cache", pseudonyms=True)
    assert params.counts_settings("b") == CountsSettings()
    assert params.slice("a") == Slice(limit=9)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("counts", "dvc", r"unknown value 'dvc' in params.yaml: datasets\.a\.counts\. There are: cache, git\."),
        ("pseudonyms", "yes", r"datasets\.a\.pseudonyms is \"yes\", expected"),
        ("pseudonym", True, r"unknown setting 'pseudonym' .* Did you mean 'pseudonyms'\?"),
        ("wached", "data/a", r"unknown setting 'wached' .* Did you mean 'watched'\?"),
    ],
)
def test_a_setting_beside_the_reader_that_cannot_be_used_is_named(content, name, value, said):
    section = {**content["datasets"]["rendered_lines"], name: value}
    params = Params({**content, "datasets": {"a": section}})
    with pytest.raises((ConfigurationError, UnknownNameError), match=said):
        _ = (params.counts_settings("a"), params.dataset("a"))


def test_systems_of_one_name_are_told_apart_in_the_report(content):
    systems = dict.fromkeys(("a", "b", "tess"), content["systems"]["tesseract"])
    report = {**content["report"], "names": {"a": "Tesseract", "b": "Tesseract"}}
    settings = Params({**content, "systems": systems, "system_ids": [*systems], "report": report}).report()
    assert [settings.name(system) for system in systems] == ["Tesseract (a)", "Tesseract (b)", "tess"]


def test_prices_stand_by_system(content):
    price = {"usd_per_segment": 0.5, "date": "2026-01-01", "source": "a contract"}
    assert read_prices(Params({**content, "prices": {"a": price}})) == {"a": ModelPrice(**price)}
    assert read_prices(Params(content)) == {}
    for wrong, said in (
        ([], r"prices is \[\], expected a price by system"),
        ({"a": {}}, r"prices\.a: no date, source"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            read_prices(Params({**content, "prices": wrong}))


@pytest.mark.parametrize(("name", "value"), [("runs", "5"), ("runs", True), ("max_failed", 1.5), ("max_failed", [1])])
def test_a_setting_of_a_capture_of_the_wrong_type_is_named(content, name, value):
    section = {"_target_": "misread.engines.Tesseract", name: value}
    with pytest.raises(ConfigurationError, match=rf"params\.yaml: systems\.a\.{name} is .*, expected a whole number"):
        Params({**content, "systems": {"a": section}}).capture_settings("a")


@pytest.mark.parametrize("plugins", ["lab", {"lab": None}, [1]])
def test_plugins_are_a_list_of_names(content, plugins):
    with pytest.raises(ConfigurationError, match=r"plugins is .*, expected a list of names of packages"):
        _ = Params({**content, "plugins": plugins}).plugins


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
    params = Params({**content, "systems": {bad: {"_target_": "misread.engines.Recorded"}}})
    with pytest.raises(ConfigurationError, match=r"id .* in params\.yaml \(systems\) cannot be used: .*a-z, 0-9 and _"):
        _ = params.systems


def test_ids_of_systems_keep_the_order_of_the_file_and_are_read_without_their_settings(content):
    of = {"_target_": "misread.engines.Recorded"}
    assert Params({**content, "systems": {"zeta": of, "alpha": of}}).systems == ["zeta", "alpha"]
    assert Params({"system_ids": ["zeta", "alpha"]}).systems == ["zeta", "alpha"]


@pytest.mark.parametrize("metric_id", ["../../x", "CER", "", None, 7, "item"])
def test_a_metric_has_an_id_that_can_be_a_key(content, metric_id):
    with pytest.raises(ConfigurationError, match=r"params\.yaml \(metrics\) cannot be used: ids are made of"):
        Params({**content, "metrics": {metric_id: "cer"}}).metrics()


def test_a_metric_whose_class_calls_it_otherwise_is_refused(write_plugin, tmp_path, monkeypatch, content):
    write_plugin(
        "from misread.metrics import ErrorRate\nclass Lamp(ErrorRate):\n"
        "    def __init__(self):\n        super().__init__('watts', 'char')\n",
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


@pytest.mark.parametrize("metrics", ["cer", 3, None, ["cer"], []])
def test_metrics_that_are_no_names_by_id_are_refused(content, metrics):
    with pytest.raises(
        ConfigurationError, match=r"params\.yaml: metrics is .*, expected names by id, such as \{cer: cer\}"
    ):
        Params({**content, "metrics": metrics}).metrics()


@pytest.mark.parametrize("name", [3, None, ["cer"], {"cer": {}}])
def test_a_metric_is_a_name(content, name):
    with pytest.raises(ConfigurationError, match=r"metrics\.x is .*, expected the name of a metric, such as cer\."):
        Params({**content, "metrics": {"x": name}}).metrics()


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


@pytest.mark.parametrize("empty", [{}, None, []])
def test_an_empty_group_is_refused(content, empty):
    with pytest.raises(ConfigurationError, match="systems is empty"):
        _ = Params({**content, "systems": empty}).systems


def test_without_a_baseline_it_is_the_first_system_and_an_unknown_one_lists_them(content):
    assert Params({**content, "baseline": None}).baseline == next(iter(content["systems"]))
    with pytest.raises(UnknownNameError, match=r"'krakn' in params\.yaml \(baseline\).*There are: "):
        _ = Params({**content, "baseline": "krakn"}).baseline


@pytest.mark.parametrize(
    ("section", "read"),
    [
        ("systems", lambda params: params.systems),
        ("datasets", lambda params: params.datasets),
        ("normalizer", Params.normalizer),
        ("metrics", Params.metrics),
        ("ablation", AblationSection().read),
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


def test_equivalents_are_sets_of_words_and_none_is_none(content):
    assert Params({**content, "equivalents": []}).equivalents() is None
    assert Params({**content, "equivalents": [["a", "b c"]]}).equivalents().sets == [["a", "b c"]]
    with pytest.raises(ConfigurationError, match=r"params\.yaml: equivalents\.sets is \"a / b\", expected a list"):
        Params({**content, "equivalents": "a / b"}).equivalents()


@given(st.text("017_eoxbn", min_size=1, max_size=6))
def test_an_id_that_can_be_used_is_the_same_text_in_params_yaml_to_all_who_read_it(text):
    if is_id(text):
        composed = OmegaConf.to_yaml({"systems": {text: text}})
        assert yaml.safe_load(composed) == YAML(typ="safe", pure=True).load(composed) == {"systems": {text: text}}


@pytest.mark.parametrize("text", ["0o17", "1_e0", "1__0e5", "item", "A"])
def test_an_id_that_dvc_would_read_as_something_else_is_refused(text):
    with pytest.raises(ConfigurationError, match="cannot be used: ids are made of"):
        check_id("systems", text, where="params.yaml")
