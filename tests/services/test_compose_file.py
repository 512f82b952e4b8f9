"""The deployment, as far as it can be looked at without Docker."""

import json
import re
import shlex
from importlib.resources import files
from pathlib import Path

import pytest
import typer
import yaml
from jsonschema import Draft202012Validator

from misread.cli.serve import serve
from misread.pipeline.paths import SHIPPED_CONF

ROOT = Path(__file__).resolve().parents[2]
FOLDER_OF_COMPOSE = ROOT / "docs/ocr-benchmark"
COMPOSE = yaml.safe_load((FOLDER_OF_COMPOSE / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
DOCKERFILES = sorted((FOLDER_OF_COMPOSE / "services").rglob("Dockerfile"))


def test_the_file_conforms_to_the_specification_of_compose():
    schema = files("check_jsonschema").joinpath("builtin_schemas/vendor/compose-spec.json").read_text(encoding="utf-8")
    errors = Draft202012Validator(json.loads(schema)).iter_errors(COMPOSE)
    assert [f"{error.json_path}: {error.message}" for error in errors] == []


def needs_gpu(service):
    devices = service.get("deploy", {}).get("resources", {}).get("reservations", {}).get("devices", [])
    return any("gpu" in device["capabilities"] for device in devices)


def test_there_is_a_profile_without_a_gpu():
    started = {
        profile: {name for name, of in SERVICES.items() if profile in of["profiles"]} for profile in ("gpu", "cpu")
    }
    assert started == {"gpu": {"deepseek", "tesseract"}, "cpu": {"tesseract"}}
    assert [name for name, of in SERVICES.items() if needs_gpu(of)] == ["deepseek"]


def test_nothing_waits_for_a_service_that_its_profile_does_not_start():
    for of in SERVICES.values():
        for needed, how in of.get("depends_on", {}).items():
            assert set(of["profiles"]) <= set(SERVICES[needed]["profiles"]) or how["required"] is False


@pytest.mark.parametrize(
    ("service", "port", "system"), [("deepseek", 9000, "deepseek"), ("tesseract", 9001, "tesseract_worker")]
)
def test_a_worker_answers_where_the_systems_and_the_benchmark_ask(service, port, system):
    assert SERVICES[service]["ports"] == [f"127.0.0.1:{port}:{port}"]
    of_service = dict(of_target(service))
    assert of_service["EXPOSE"] == str(port)
    settings = yaml.safe_load((SHIPPED_CONF / f"systems/{system}.yaml").read_text(encoding="utf-8"))["systems"][system]
    path = settings["url"].removeprefix(f"http://127.0.0.1:{port}")
    environment = SERVICES["benchmark_worker"]["environment"]
    assert environment[f"{service.upper()}_URL"] == f"http://{service}:{port}{path}"
    if service == "deepseek":
        assert settings["model"] in json.loads(of_service["ENTRYPOINT"])


def test_what_is_mounted_is_declared():
    named = {volume.partition(":")[0] for of in SERVICES.values() for volume in of.get("volumes", [])}
    assert {name for name in named if not name.startswith(".")} == set(COMPOSE["volumes"])


def instructions(dockerfile):
    text = re.sub(r"^#.*\n", "", dockerfile.read_text(encoding="utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    return [(line.split()[0], line.partition(" ")[2].strip()) for line in text.splitlines() if line.strip()]


def stages(dockerfile):
    """Instructions of each stage by its name, after those of the stage that it begins with."""
    found = {}
    for name, arguments in instructions(dockerfile):
        if name == "FROM":
            base, _, called = arguments.partition(" AS ")
            stage = found[called] = [*found.get(base, [])]
        stage.append((name, arguments))
    return found


def of_target(service):
    build = SERVICES[service]["build"]
    return stages((FOLDER_OF_COMPOSE / build["context"] / build["dockerfile"]).resolve())[build.get("target", "")]


def test_every_service_is_built_and_every_dockerfile_and_target_is_used():
    used = {(ROOT / of["build"]["dockerfile"], of["build"].get("target", "")) for of in SERVICES.values()}
    bases = {arguments.partition(" ")[0] for path in DOCKERFILES for name, arguments in instructions(path)}
    assert used == {(path, stage) for path in DOCKERFILES for stage in stages(path) if not stage or stage not in bases}


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.parent.name)
def test_a_dockerfile_has_known_instructions_and_a_base_of_one_version(dockerfile):
    found = instructions(dockerfile)
    known = {"FROM", "ENV", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "HEALTHCHECK", "CMD", "ENTRYPOINT"}
    assert {name for name, _ in found} <= known
    assert found[0][0] == "FROM"
    assert re.fullmatch(r"[\w./-]+:[\w.-]*\d[\w.-]*( AS \w+)?", found[0][1])


@pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=lambda path: path.parent.name)
def test_what_a_dockerfile_copies_is_there_and_not_left_out_of_what_is_sent(dockerfile):
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for name, arguments in instructions(dockerfile):
        for source in shlex.split(arguments)[:-1] if name == "COPY" else ():
            assert (ROOT / source).exists()
            assert any(Path(source).is_relative_to(path) for path in kept)


@pytest.mark.parametrize("service", ["tesseract", "benchmark_worker"])
def test_what_this_project_builds_does_not_run_as_root(service):
    assert dict(of_target(service))["USER"] == "1000"


def test_the_command_of_the_worker_is_one_that_misread_has():
    service = SERVICES["tesseract"]
    entry = json.loads(dict(of_target("tesseract"))["ENTRYPOINT"])
    program, command, *arguments = [*entry, *service["command"]]
    assert (program, command) == ("misread", "serve")
    app = typer.Typer(rich_markup_mode=None)
    app.command()(serve)
    context = typer.main.get_command(app).make_context(command, arguments)
    assert (context.params["engine"], context.params["host"], context.params["port"]) == ("tesseract", "0.0.0.0", 9001)  # noqa: S104
    assert int(service["stop_grace_period"].removesuffix("s")) > 30


@pytest.mark.parametrize("service", ["tesseract", "benchmark_worker"])
def test_the_extras_that_are_installed_are_there(service):
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = dict(of_target(service))["RUN"]
    assert set(re.search(r'"\.\[(.*)\]"', installed)[1].split(",")) <= extras.keys()
