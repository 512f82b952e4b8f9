from functools import cache
from pathlib import Path

import pytest
import yaml
from dvc.utils.hydra import compose_and_dump

from misread.pipeline.composition import compose_text
from misread.pipeline.params import Params, check_id

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).resolve().parents[2]
CONF = REPOSITORY / "conf"


def files(group):
    return {path.stem: path for path in (CONF / group).glob("*.yaml")}


def stems(group):
    return sorted(files(group))


def load(group, stem):
    return yaml.safe_load(files(group)[stem].read_text(encoding="utf-8"))


@cache
def composed(*overrides):
    """Hydra takes a while, and several tests look at the same parameters."""
    return compose_text(CONF, list(overrides))


def compose(*overrides):
    return Params(yaml.safe_load(composed(*overrides)))


EXPERIMENTS = [[], *([f"+experiment={name}"] for name in stems("experiment"))]
IDS = ["default", *stems("experiment")]


def test_the_committed_parameters_are_what_the_configuration_composes_to():
    assert (REPOSITORY / "params.yaml").read_text(encoding="utf-8") == compose_text(CONF, [])


METRICS = [
    ["metrics=ocr"],
    ["metrics=[ocr,entities]"],
    ["+metrics.ger=ger"],
    ["~metrics.wer"],
    ["+metrics.wer_sclite='wer(alignment=sclite)'"],
]


@pytest.mark.parametrize("overrides", [*EXPERIMENTS, *METRICS], ids=[*IDS, *map("".join, METRICS)])
def test_composing_writes_the_bytes_that_dvc_writes(tmp_path, overrides):
    written = tmp_path / "params.yaml"
    compose_and_dump(str(written), str(CONF), None, "config", str(tmp_path / "plugins"), list(overrides))
    assert composed(*overrides).encode() == written.read_bytes()


@pytest.mark.parametrize("overrides", EXPERIMENTS, ids=IDS)
def test_every_section_of_every_experiment_can_be_made(overrides):
    params = compose(*overrides)
    made = [params.dataset(name).offers for name in params.datasets]
    made += [params.engine(name).reads for name in params.systems]
    assert all(made)
    assert params.normalizer()("a") == "a"
    assert params.baseline in params.systems
    assert params.statistics().deciding_test in params.statistics().tests
    assert set(params.report().metrics) <= {metric.id for metric in params.metrics()}
    assert params.executor().workers >= 1
    assert params.crosscheck().segments >= 0


@pytest.mark.parametrize("overrides", EXPERIMENTS, ids=IDS)
def test_every_data_set_of_an_experiment_has_a_system_that_can_read_it(overrides):
    params = compose(*overrides)
    offers = [params.dataset(name).offers for name in params.datasets]
    reads = frozenset().union(*(params.engine(name).reads for name in params.systems))
    assert all(offered & reads for offered in offers)


@pytest.mark.parametrize("name", stems("experiment"))
def test_the_first_comment_of_an_experiment_is_the_command_that_runs_it(name):
    lines = files("experiment")[name].read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["# @package _global_", f"# dvc exp run -S '+experiment={name}'"]


# All at once: below, every file is shown to have one entry, so that none can stand in for another's.
@pytest.mark.parametrize("name", stems("systems"))
def test_every_system_can_be_made(name):
    assert compose(f"systems=[{','.join(stems('systems'))}]").engine(name).reads


@pytest.mark.parametrize("name", stems("datasets"))
def test_every_data_set_can_be_made_and_says_where_it_comes_from(name):
    assert compose(f"datasets=[{','.join(stems('datasets'))}]").dataset(name).provenance


@pytest.mark.parametrize("name", stems("executor"))
def test_every_executor_can_be_made(name):
    assert compose(f"executor={name}").executor().workers >= 1


@pytest.mark.parametrize("group", ["systems", "datasets"])
def test_every_file_of_a_group_has_one_entry_and_its_name_for_people(group):
    for stem in stems(group):
        content = load(group, stem)
        assert list(content) == [group, "report"]
        assert list(content[group]) == list(content["report"]["names"]) == [stem]


@pytest.mark.parametrize("name", stems("metrics"))
def test_every_set_of_metrics_is_short_and_says_what_it_is(name):
    assert files("metrics")[name].read_text(encoding="utf-8").startswith("# ")
    assert 1 <= len(load("metrics", name)) <= 12


@pytest.mark.parametrize("group", ["systems", "datasets", "metrics", "experiment", "executor"])
def test_every_name_can_be_a_key_of_the_pipeline(group):
    assert stems(group)
    for stem in stems(group):
        check_id(group, stem, where="conf")


@pytest.mark.parametrize("name", stems("systems"))
def test_every_system_states_its_revision(name):
    assert load("systems", name)["systems"][name]["revision"] >= 1


@pytest.mark.parametrize("name", stems("metrics"))
def test_every_set_of_metrics_can_be_made(name):
    params = compose(f"metrics={name}")
    assert params.content["metrics"] == load("metrics", name)
    assert params.report().metrics == [metric.id for metric in params.metrics()]


def test_sets_have_no_id_for_two_names_but_where_one_says_how_words_are_aligned():
    names = {}
    for name in stems("metrics"):
        for metric_id, metric in load("metrics", name).items():
            names.setdefault(metric_id, set()).add(metric)
    assert {metric_id: spelled for metric_id, spelled in names.items() if len(spelled) > 1} == {
        "wer": {"wer", "wer(alignment=sclite)"}
    }


@pytest.mark.parametrize("overrides", EXPERIMENTS, ids=IDS)
def test_the_report_has_the_names_of_the_chosen_systems_and_data_sets_and_no_others(overrides):
    params = compose(*overrides)
    assert set(params.report().names) == {*params.systems, *params.datasets}


def test_a_chosen_system_brings_its_settings_and_its_name():
    params = compose("systems=[kraken,tesseract]", "systems.tesseract.language=deu")
    assert params.systems == ["kraken", "tesseract"]
    assert params.system_settings("tesseract")["language"] == "deu"
    assert params.report().names == {"kraken": "Kraken", "tesseract": "Tesseract", "rendered_lines": "rendered lines"}


def test_a_name_for_people_is_a_setting_of_the_report_alone():
    before, after = compose().content, compose("report.names.tesseract=Tesseract 5").content
    assert after["report"]["names"]["tesseract"] == "Tesseract 5"
    assert {section: of for section, of in before.items() if section != "report"} == {
        section: of for section, of in after.items() if section != "report"
    }


def test_without_an_override_no_experiment_is_in_force():
    assert compose().baseline == "tesseract"
