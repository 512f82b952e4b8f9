"""Every stage declares in dvc.yaml all that it reads: code, data files of the package, inputs, parameters."""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from pydoc import locate
from typing import Any, NamedTuple

import pytest
import yaml
from tests.dvc_status import short, stages_made_stale

from misread.data import Table
from misread.metrics import ErrorRate
from misread.normalize.steps.white_space import collapse_whitespace
from misread.pipeline.params import Params
from misread.pipeline.stages import STAGES as STAGE_MODULES
from misread.pipeline.stages.codebase import NAMED_IN_PARAMS, WITHOUT_VERSION, list_stage_code
from misread.provenance.stage_code import list_code
from misread.storage import read_capture, read_normalized
from misread.text import words

from .conftest import Project, make_small_project

REPOSITORY = Path(__file__).resolve().parents[2]
STAGES: dict[str, Any] = {
    name: stage
    for file in ("dvc.yaml", "stages/captures/dvc.yaml")
    for name, stage in yaml.safe_load((REPOSITORY / file).read_text(encoding="utf-8"))["stages"].items()
}
LISTED = set(NAMED_IN_PARAMS)
# Appended to a reader of data sets.
WITHOUT_THE_LAST = """
from dataclasses import replace
segments = Table.segments
def without_the_last(self):
    of = segments(self)
    return replace(
        of,
        segment_id=of.segment_id[:-1],
        references=of.references[:-1],
        cluster=of.cluster[:-1],
        media=of.media[:-1],
        hypotheses={system: texts[:-1] for system, texts in of.hypotheses.items()},
    )
Table.segments = without_the_last
"""
# What prints, prices among it, writes no result.
PRINTING = [
    Path("src", line.split("  ")[1])
    for line in list_code(["misread.io.console", "misread.engines.prices"]).splitlines()
]
CACHES = {".pyc", ".nbi", ".nbc", ".facts"}

# Where data lies, how many readings go on side by side and what they cost change no result, and a check changes none;
# what plug-ins contain is in the list of code.
UNDECLARED_SECTIONS = {"data_root", "executor", "plugins", "crosscheck", "prices"}


def declared_sections(stage: str) -> set[str]:
    return {name.split(".")[0] for name in STAGES[stage].get("params", ())}


def is_covered(path: Path, declared: list[Path]) -> bool:
    return any(path.is_relative_to(each) for each in declared)


def targets(content: Any) -> Iterator[str]:
    """Classes of misread that a part of the configuration names."""
    values = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    for value in values:
        yield from targets(value)
    if isinstance(content, dict) and str(content.get("_target_", "")).startswith("misread."):
        yield content["_target_"]


def configured(section: str) -> Iterator[str]:
    """Classes that any entry of conf/ puts into a section of params.yaml."""
    for path in REPOSITORY.glob("conf/**/*.yaml"):
        content = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        yield from targets(content if path.parent.name == section else content.get(section))


def test_every_stage_with_results_depends_on_the_list_of_its_code() -> None:
    assert STAGES.keys() - {"plugin", "no_plugin", "codebase"} == LISTED
    for stage in LISTED:
        assert f"build/code/{stage}.txt" in STAGES[stage]["deps"]
        assert f"build/code/{stage}.txt" in STAGES["codebase"]["outs"]


@pytest.mark.parametrize("stage", sorted(LISTED))
def test_the_code_of_a_stage_has_every_class_that_the_configuration_may_name_to_it(stage: str) -> None:
    listed = list_code([STAGE_MODULES[stage], *NAMED_IN_PARAMS[stage].packages])
    for section in declared_sections(stage):
        if (stage, section) in {("report", "systems"), ("report", "datasets"), ("report", "statistics")}:
            # Shown on the page; nothing is made of them.
            continue
        for target in configured(section):
            module = inspect.getfile(locate(target))
            assert Path(module).relative_to(REPOSITORY / "src").as_posix() in listed, target


# Loaded by every Python that DVC starts: writes down which files a stage opened for reading and which sections it got.
OBSERVER = """
import atexit, json, os, pathlib, sys
opened, sections = set(), set()

def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and not arguments[2] & (os.O_WRONLY | os.O_RDWR):
        opened.add(os.path.realpath(arguments[0]))

class Observed(dict):
    def __getitem__(self, name):
        sections.add(name)
        return super().__getitem__(name)
    def get(self, name, default=None):
        sections.add(name)
        return super().get(name, default)

def report():
    files = {os.path.realpath(module.__file__) for module in sys.modules.values() if getattr(module, "__file__", None)}
    packages = {name.split(".")[0] for name in sys.modules}
    seen = {"files": sorted(opened | files), "sections": sorted(sections), "packages": sorted(packages)}
    pathlib.Path(__file__).with_name("-".join(command) + ".json").write_text(json.dumps(seen))

command = [pathlib.Path(sys.orig_argv[1]).stem, *sys.orig_argv[2:]]
if sys.orig_argv[1].startswith("stages"):
    import misread.pipeline.params as params
    atexit.register(report)
    sys.addaudithook(hook)
    load = params.load_params
    params.load_params = lambda: params.Params(Observed(load().content))
"""


class Observation(NamedTuple):
    """What a stage read and what it declares, from the project's root."""

    files: set[Path]
    packages: set[str]
    sections: set[str]
    declared: list[Path]


@pytest.fixture(scope="module")
def small_project(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A small project with a copy of the code, run once under observation."""
    project = make_small_project(repository, tmp_path_factory.mktemp("small") / "project")
    (project.root / "observed").mkdir()
    observer = project.root / "observed/sitecustomize.py"
    observer.write_text(OBSERVER)
    project.run("dvc", "repro")
    observer.unlink()
    return project


@pytest.fixture(scope="module")
def observed(small_project: Project) -> dict[str, Observation]:
    """What every stage read, by its name in DVC."""
    from dvc.repo import Repo

    root = small_project.root.resolve()
    seen = {}
    with Repo(str(root)) as repo:
        for stage in repo.index.stages:
            # A text that never changes is written with any code.
            if stage.always_changed or stage.name == "no_plugin":
                continue
            _, script, *ids = stage.cmd.split()
            of = json.loads((root / "observed" / f"{'-'.join([Path(script).stem, *ids])}.json").read_text())
            declared = [Path(each.fs_path).relative_to(root) for each in (*stage.deps, *stage.outs)]
            name = stage.name.split("@")[0]
            if name in LISTED:
                lines = (root / f"build/code/{name}.txt").read_text().splitlines()
                code = [Path("src", line.split("  ")[1]) for line in lines]
                declared += [*code, *PRINTING, Path(script)]
            if name in WITHOUT_VERSION:
                # Imported with signatures, of which these stages write none.
                declared.append(Path("src/misread/version.py"))
            seen[stage.name] = Observation(
                {Path(name).relative_to(root) for name in of["files"] if Path(name).is_relative_to(root)},
                set(of["packages"]),
                set(of["sections"]),
                declared,
            )
    return seen


@pytest.mark.slow
def test_every_stage_is_observed(observed: dict[str, Observation]) -> None:
    assert {name.split("@")[0] for name in observed} == STAGES.keys() - {"plugin", "no_plugin"}
    assert all(Path("src/misread/pipeline/params.py") in stage.files for stage in observed.values())


@pytest.mark.slow
def test_no_stage_imports_pandas(observed: dict[str, Observation]) -> None:
    # pyarrow does, to look for its objects, wherever it makes an array of a list: a third of a second in every stage.
    assert not {name for name, stage in observed.items() if "pandas" in stage.packages}


@pytest.mark.slow
def test_a_stage_opens_only_what_it_declares(observed: dict[str, Observation]) -> None:
    undeclared = {
        name: sorted(str(path) for path in stage.files if is_input(path) and not is_covered(path, stage.declared))
        for name, stage in observed.items()
    }
    assert not any(undeclared.values()), undeclared


def is_input(path: Path) -> bool:
    """Whether a stage reads a file as an input.

    Caches, files that are being written, the observer and what the stage `plugin` looks at are not. An image is one by
    its hash in the file of the stage `segments`, which depends on the whole folder.
    """
    return path.suffix not in {*CACHES, ".part", ".png"} and not is_covered(path, [Path("observed"), Path("installed")])


@pytest.mark.slow
def test_a_stage_declares_the_sections_that_it_is_handed_and_no_others(observed: dict[str, Observation]) -> None:
    for name, stage in observed.items():
        # The list of plug-ins is given to all of them, and has a say in the lists of code alone.
        undeclared = UNDECLARED_SECTIONS - {"data_root"} if name == "report" else UNDECLARED_SECTIONS
        declared = declared_sections(name.split("@")[0])
        assert stage.sections - undeclared == declared - {"plugins"}, name


def reported(project: Project, metric: str) -> dict[str, float]:
    """What reports/metrics.json says of the one system by one metric."""
    return json.loads((project.root / "reports/metrics.json").read_text())["few"]["first"][metric]


def signature_of(project: Project, metric: str) -> str:
    """Signature of a table."""
    return json.loads((project.root / f"reports/tables/few_{metric}.signature.json").read_text())["signature"]


def append(project: Project, part: object, code: str) -> None:
    """Change the module in which something is defined."""
    path = project.root / Path(inspect.getfile(part)).relative_to(REPOSITORY)
    path.write_text(f"{path.read_text()}\n{code}\n")


@pytest.mark.slow
@pytest.mark.usefixtures("observed")
@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        pytest.param("few: four lines", "few: some lines", {"codebase", "report"}, id="a name for people"),
        # Links of the page may lead elsewhere.
        pytest.param("data_root: downloads", "data_root: /srv/data", {"codebase", "report"}, id="the place of data"),
        pytest.param("segments: 0", "segments: 9", {"codebase"}, id="a check"),
        pytest.param("workers: 2", "workers: 1", {"codebase"}, id="readings at a time"),
        pytest.param("revision: 1", "revision: 2", {"codebase", "capture", "report"}, id="a system"),
        pytest.param(
            "lab.LabRate(unit=char)",
            "lab.LabRate(unit=word)",
            {"codebase", "score", "sensitivity", "compare", "report"},
            id="a setting in the name of a metric",
        ),
        pytest.param("reference: text", "reference: first", {"codebase", "segments", "report"}, id="a data set"),
    ],
)
def test_a_setting_makes_those_stages_stale_that_it_can_change(
    small_project: Project, old: str, new: str, stale: set[str]
) -> None:
    params = small_project.root / "params.yaml"
    written = params.read_text()
    assert old in written
    params.write_text(written.replace(old, new))
    assert stages_made_stale(small_project.root).get("params.yaml", set()) == stale
    params.write_text(written)


def test_a_file_of_a_metric_is_listed_for_the_stages_that_count_by_it(tmp_path, monkeypatch):
    (tmp_path / "rules.yaml").write_text("total: {compare: number}\n")
    content = yaml.safe_load((REPOSITORY / "params.yaml").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    params = Params({**content, "metrics": {"fields": "field_f1(rules=rules.yaml)"}})
    listed = f"{hashlib.sha256((tmp_path / 'rules.yaml').read_bytes()).hexdigest()}  rules.yaml\n"
    counting = {stage for stage in NAMED_IN_PARAMS if listed in list_stage_code(stage, params)}
    assert counting == {"score", "sensitivity", "compare", "report"}
    assert "rules.yaml" not in list_stage_code("score", Params(content))


@pytest.mark.slow
def test_a_configuration_that_was_not_composed_ends_the_run(small_project: Project) -> None:
    project = small_project
    config, reports = project.root / "conf/config.yaml", project.root / "reports"
    written = config.read_text()
    config.write_text(written.replace("normalizer: whitespace", "normalizer: lower"))
    before = {path: path.read_bytes() for path in reports.rglob("*") if path.is_file()}
    done = project.run("dvc", "repro", check=False)
    assert done.returncode == 255
    assert "error: params.yaml is not what conf/ composes to: it was edited by hand, or conf/" in done.stderr
    assert {path: path.read_bytes() for path in reports.rglob("*") if path.is_file()} == before
    config.write_text(written)
    assert project.stages_run_by("dvc", "repro") == {"plugin@lab"}


@pytest.mark.slow
def test_a_change_of_any_code_is_seen_in_the_reports(small_project: Project) -> None:
    project = small_project
    before = {metric: reported(project, metric) for metric in ("cer", "cer_raw", "wer", "wer_raw", "lab_rate")}
    assert before["wer"]["micro"] == before["wer_raw"]["micro"] == 4 / 12
    assert before["lab_rate"]["micro"] == 3 * before["cer"]["micro"]
    assert project.stages_run_by("dvc", "repro") == {"plugin@lab"}

    # A metric and a step make those stale that use one of them.
    append(project, ErrorRate, "rate = ErrorRate.rate\nErrorRate.rate = lambda self, counts: 2 * rate(self, counts)")
    append(project, collapse_whitespace, r'_RUN_OF_WHITE_SPACE = re.compile(r"[_\s]+")')
    assert project.stages_run_by("dvc", "repro", "codebase") == {"codebase", "plugin@lab"}
    stale = stages_made_stale(project.root)
    of_both = {"normalize", "score", "sensitivity", "compare", "report"}
    assert stale == {f"build/code/{stage}.txt": {stage} for stage in of_both}

    # A comment is in no list, and a reader of data sets that gives the same makes no capture again.
    append(project, ErrorRate, "# a comment")
    append(project, Table, "UNUSED = 1")
    captured = project.stages_run_by("dvc", "repro", "stages/captures/dvc.yaml:capture@few-first")
    assert captured == {"codebase", "plugin@lab", "segments@few"}
    assert stages_made_stale(project.root) == stale

    # With what changes here every stage runs again, and all run once.
    signature = signature_of(project, "lab_rate")
    plugin = project.root / "installed/lab.py"
    plugin.write_text(plugin.read_text().replace("FACTOR = 3", "FACTOR = 30"))
    project.run(sys.executable, "stages/plugin.py", "lab")
    append(project, Table, WITHOUT_THE_LAST)
    before_image = read_capture(project.root / "build/captures/few/first.parquet").origin.data_digest
    (project.root / "data/few/line.png").write_bytes(b"another image")
    append(project, words, 'WHITE_SPACE += "_"; _WORD = re.compile(f"[^{WHITE_SPACE}]+"); _SPLIT_BY_PYTHON = False')
    (project.root / "conf/programs/ocr.sh").write_text("cat")
    stale = stages_made_stale(project.root)
    assert stale["build/plugin_digests"] == stale["conf"] == {"codebase"}
    ran = {short(name) for name in project.stages_run_by("dvc", "repro")}
    assert ran == set(STAGES) - {"no_plugin"}
    assert read_capture(project.root / "build/captures/few/first.parquet").origin.data_digest != before_image
    assert "  conf/programs/ocr.sh\n" in (project.root / "build/code/capture.txt").read_text()
    assert "programs" not in (project.root / "build/code/score.txt").read_text()
    assert reported(project, "wer_raw")["segments"] == 3
    assert reported(project, "wer_raw")["micro"] == 2 * 3 / 10
    normalized = read_normalized(project.root / "build/normalized/few/first.parquet").normalized
    assert normalized.references[1] == "jumps over it"
    assert reported(project, "lab_rate")["micro"] == 30 * reported(project, "cer")["micro"]
    assert "|plugin:lab@" in signature != signature_of(project, "lab_rate")
    assert "plugin" not in signature_of(project, "cer")


def test_no_dependency_is_called_as_a_setting_is():
    """`dvc exp show` has one column a name: it fails, or shows the one for the other."""
    named = {str(path) for stage in STAGES.values() for path in stage.get("deps", ())}
    assert not named & set(yaml.safe_load((REPOSITORY / "params.yaml").read_text(encoding="utf-8")))
