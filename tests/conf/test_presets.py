from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from dvc.utils.hydra import compose_and_dump

from misread.cli.compose import compose_text
from misread.metrics import METRICS, PRICES
from misread.normalize import NORMALIZERS, Normalizer
from misread.pipeline.params import Params, check_id, instantiate

pytestmark = pytest.mark.slow

REPOSITORY = Path(__file__).resolve().parents[2]
CONF = REPOSITORY / "conf"


def stems(group):
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def load(group, stem):
    return yaml.safe_load((CONF / group / f"{stem}.yaml").read_text(encoding="utf-8"))


def compose(*overrides):
    return Params(yaml.safe_load(compose_text(CONF, list(overrides))))


EXPERIMENTS = [[], *([f"+experiment={name}"] for name in stems("experiment"))]
IDS = ["default", *stems("experiment")]


def test_the_committed_parameters_are_what_the_configuration_composes_to():
    assert (REPOSITORY / "params.yaml").read_text(encoding="utf-8") == compose_text(CONF, [])


@pytest.mark.parametrize("overrides", EXPERIMENTS, ids=IDS)
def test_composing_writes_the_bytes_that_dvc_writes(tmp_path, overrides):
    written = tmp_path / "params.yaml"
    compose_and_dump(str(written), str(CONF), None, "config", str(tmp_path / "plugins"), list(overrides))
    assert compose_text(CONF, list(overrides)).encode() == written.read_bytes()


@pytest.mark.parametrize("overrides", EXPERIMENTS, ids=IDS)
def test_every_section_of_every_experiment_can_be_made(overrides):
    params = compose(*overrides)
    made = [params.dataset(name).offers for name in params.datasets]
    made += [params.engine(name).reads for name in params.systems]
    assert all(made)
    assert params.normalizer()("a") == "a"
    assert params.baseline in params.systems
    assert params.statistics().decide_by in params.statistics().tests
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
    lines = (CONF / "experiment" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["# @package _global_", f"# dvc exp run -S '+experiment={name}'"]


@pytest.mark.parametrize("name", stems("systems"))
def test_every_system_can_be_made(name):
    assert compose(f"systems=[{name}]").engine(name).reads


@pytest.mark.parametrize("name", stems("datasets"))
def test_every_data_set_can_be_made_and_says_where_it_comes_from(name):
    assert compose(f"datasets=[{name}]").dataset(name).provenance


@pytest.mark.parametrize("name", stems("executor"))
def test_every_executor_can_be_made(name):
    assert compose(f"executor={name}").executor().workers >= 1


@pytest.mark.parametrize("group", ["systems", "datasets", "metrics"])
def test_every_file_of_a_group_holds_one_entry_of_its_name(group):
    assert {stem: list(load(group, stem)) for stem in stems(group)} == {stem: [stem] for stem in stems(group)}


@pytest.mark.parametrize("group", ["systems", "datasets", "metrics", "experiment", "normalizer", "executor"])
def test_every_name_can_be_a_key_of_the_pipeline(group):
    assert stems(group)
    for stem in stems(group):
        check_id(group, stem, where="conf")


@pytest.mark.parametrize("name", stems("systems"))
def test_every_system_states_its_revision(name):
    assert load("systems", name)[name]["revision"] >= 1


def test_the_metrics_are_those_built_in():
    made = compose(f"metrics=[{','.join(stems('metrics'))}]").metrics()
    assert {metric.id: metric for metric in made} == dict(METRICS)


def test_a_metric_has_the_id_that_it_stands_under():
    assert {name: metric.id for name, metric in METRICS.items()} == {name: name for name in stems("metrics")}


def test_the_normalizers_are_those_built_in():
    made = {stem: instantiate(load("normalizer", stem), where=stem) for stem in stems("normalizer")}
    assert {name: described(of) for name, of in made.items()} == {
        name: described(of) for name, of in NORMALIZERS.items()
    }


def described(normalizer: Normalizer) -> tuple[str, Sequence[str], str]:
    return normalizer.name, list(normalizer.steps), normalizer.signature


def test_every_system_and_data_set_has_a_name_for_people():
    assert set(compose().report().names) == {*stems("systems"), *stems("datasets")}


def test_without_an_override_no_experiment_is_in_force():
    assert compose().baseline == "tesseract"


def test_the_prices_are_those_built_in():
    made = {model: instantiate(price, where=model) for model, price in compose().content["prices"].items()}
    assert made == dict(PRICES)
