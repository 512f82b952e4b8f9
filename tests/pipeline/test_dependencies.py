"""Every stage declares in dvc.yaml all that it reads, and whatever changes is seen in reports/ or refused."""

from __future__ import annotations

import csv
import inspect
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from tests.dvc_status import short, stages_made_stale

from misread.data import Table
from misread.metrics import ErrorRate
from misread.normalize.steps.white_space import collapse_whitespace
from misread.storage import read_normalized
from misread.text import words

from .conftest import Project, make_small_project

# So that one process runs all of them, in one project.
pytestmark = pytest.mark.pipeline

REPOSITORY = Path(__file__).resolve().parents[2]
STAGES: dict[str, Any] = {
    name: stage.get("do", stage)
    for file in ("dvc.yaml", "stages/captures/dvc.yaml")
    for name, stage in yaml.safe_load((REPOSITORY / file).read_text(encoding="utf-8"))["stages"].items()
}
# Appended to a reader of data sets.
WITHOUT_THE_LAST = """
from dataclasses import replace
segments = Table.segments
def without_the_last(self):
    table = segments(self)
    return replace(
        table,
        segment_id=table.segment_id[:-1],
        references=table.references[:-1],
        cluster=table.cluster[:-1],
        media=table.media[:-1],
        hypotheses={system: texts[:-1] for system, texts in table.hypotheses.items()},
    )
Table.segments = without_the_last
"""
CACHES = {".pyc", ".nbi", ".nbc"}

# Where data lies, how many readings go on side by side and what they cost change no result, and a check changes none;
# what plug-ins contain is in the list of code.
UNDECLARED_SECTIONS = {"data_root", "executor", "plugins", "crosscheck", "prices"}


def declared_sections(stage: str) -> set[str]:
    return {name.split(".")[0] for name in STAGES[stage].get("params", ())}


def is_covered(path: Path, declared: list[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in declared)


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
def first_run(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, str]:
    """A small project with a copy of the code, run once under observation, and what the run printed."""
    project = make_small_project(repository, tmp_path_factory.mktemp("small") / "project")
    (project.root / "observed").mkdir()
    observer = project.root / "observed/sitecustomize.py"
    observer.write_text(OBSERVER)
    printed = project.run("dvc", "repro").stdout
    observer.unlink()
    return project, printed


@pytest.fixture(scope="module")
def small_project(first_run: tuple[Project, str]) -> Project:
    """The project that was run once."""
    return first_run[0]


@pytest.fixture(scope="module")
def observed(small_project: Project) -> dict[str, Observation]:
    """What every stage read, by its name in DVC."""
    from dvc.repo import Repo

    root = small_project.root.resolve()
    seen = {}
    with Repo(str(root)) as repo:
        # At what they all run, the stage `check` looks.
        [check] = [stage for stage in repo.index.stages if stage.name == "check"]
        code = [Path(dep.fs_path).relative_to(root) for dep in check.deps]
        code = [path for path in code if path.is_relative_to("src")]
        for stage in repo.index.stages:
            _, script, *ids = stage.cmd.split()
            observation = json.loads((root / "observed" / f"{'-'.join([Path(script).stem, *ids])}.json").read_text())
            declared = [Path(path.fs_path).relative_to(root) for path in (*stage.deps, *stage.outs)]
            seen[stage.name] = Observation(
                {Path(name).relative_to(root) for name in observation["files"] if Path(name).is_relative_to(root)},
                set(observation["packages"]),
                set(observation["sections"]),
                [*declared, *code, Path(script)],
            )
    return seen


@pytest.mark.slow
def test_every_stage_is_observed(observed: dict[str, Observation]) -> None:
    assert {name.split("@")[0] for name in observed} == STAGES.keys()
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
        # What `check` imports decides whether the run goes on, and no result.
        if name != "check"
    }
    assert not any(undeclared.values()), undeclared


def is_input(path: Path) -> bool:
    """Whether a stage reads a file as an input.

    Caches, files that are being written and the observer are not. An image is one by its hash in the file of the stage
    `segments`, which depends on the whole folder.
    """
    return path.suffix not in {*CACHES, ".part", ".png"} and not is_covered(path, [Path("observed")])


@pytest.mark.slow
def test_a_stage_declares_the_sections_that_it_is_handed_and_no_others(observed: dict[str, Observation]) -> None:
    for name, stage in observed.items():
        if name == "check":
            # It depends on the whole file.
            continue
        # The list of plug-ins is given to all of them, and changes nothing by itself.
        undeclared = UNDECLARED_SECTIONS - {"data_root"} if name == "report" else UNDECLARED_SECTIONS
        assert stage.sections - undeclared == declared_sections(name.split("@")[0]), name


def reported(project: Project, metric: str) -> float:
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
        pytest.param("few: four lines", "few: some lines", {"check", "report"}, id="a name for people"),
        # Links of the page may lead elsewhere.
        pytest.param("data_root: downloads", "data_root: /srv/data", {"check", "report"}, id="the place of data"),
        pytest.param("segments: 0", "segments: 9", {"check"}, id="a check"),
        pytest.param("workers: 2", "workers: 1", {"check"}, id="readings at a time"),
        pytest.param("revision: 1", "revision: 2", {"check", "capture", "report"}, id="a system"),
        pytest.param(
            "study.metrics.LabRate(unit=char)",
            "study.metrics.LabRate(unit=word)",
            {"check", "score", "sensitivity", "compare", "report"},
            id="a setting in the name of a metric",
        ),
        pytest.param("reference: text", "reference: first", {"check", "segments", "report"}, id="a data set"),
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


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_a_configuration_that_was_not_composed_ends_the_run(small_project: Project) -> None:
    project = small_project
    config = project.root / "conf/config.yaml"
    written = config.read_text()
    config.write_text(written.replace("normalizer: whitespace", "normalizer: lower"))
    before = contents(project.root / "reports")
    done = project.run("dvc", "repro", check=False)
    assert done.returncode == 255
    assert "error: params.yaml is not what conf/ composes to: it was edited by hand, or conf/" in done.stderr
    assert contents(project.root / "reports") == before
    config.write_text(written)
    # The refused run made nothing stale.
    assert project.stages_run_by("dvc", "repro") == set()


@pytest.mark.slow
def test_a_run_ends_with_the_result_and_the_place_of_the_page(first_run: tuple[Project, str]) -> None:
    project, printed = first_run
    rate = f"first has a CER of {100 * reported(project, 'cer'):.2f} % on four lines."
    assert f"{rate} Add a second system to compare.\nThe page is reports/index.html" in printed


@pytest.mark.slow
def test_without_dvc_all_stages_write_the_same_bytes(small_project: Project) -> None:
    before = {folder: contents(small_project.root / folder) for folder in ("build", "data/judged", "reports")}
    printed = small_project.run("misread", "stage", "all").stderr
    ran = [line.split()[2] for line in printed.splitlines() if line.startswith("Running: ")]
    assert sorted(Path(script).stem for script in ran) == sorted(STAGES)
    assert {folder: contents(small_project.root / folder) for folder in before} == before
    assert small_project.stages_run_by("dvc", "repro") == set()


@pytest.mark.slow
def test_whatever_changes_is_seen_in_the_reports(small_project: Project) -> None:
    project = small_project
    lines, module = project.root / "corpus/few/lines.csv", project.root / "src/study/metrics.py"
    signature, before = signature_of(project, "lab_rate"), reported(project, "cer")
    assert reported(project, "wer") == reported(project, "wer_raw") == 4 / 12

    # A file of the data set, which lies in a folder of the project; a metric of the study; the rate of all metrics; a
    # step of the normalizer, words and a reader of data sets, which are in packages that all stages run.
    lines.write_text(lines.read_text().replace("The quich brown fox", "The qqqqq brown fox"))
    module.write_text(module.read_text().replace("FACTOR = 3", "FACTOR = 30"))
    append(project, ErrorRate, "rate = ErrorRate.rate\nErrorRate.rate = lambda self, counts: 2 * rate(self, counts)")
    assert stages_made_stale(project.root) == {
        "corpus/few": {"segments"},
        "src/study": {"check"},
        # Rates are computed in five stages, which read no texts from captures again.
        "src/misread/metrics": {"normalize", "score", "sensitivity", "compare", "report"},
    }
    append(project, collapse_whitespace, r'_RUN_OF_WHITE_SPACE = re.compile(r"[_\s]+")')
    append(project, words, 'WHITE_SPACE += "_"; _WORD = re.compile(f"[^{WHITE_SPACE}]+"); _SPLIT_BY_PYTHON = False')
    append(project, Table, WITHOUT_THE_LAST)
    assert {short(name) for name in project.stages_run_by("dvc", "repro")} == set(STAGES)
    assert reported(project, "cer") > 2 * before
    assert reported(project, "lab_rate") == pytest.approx(30 * reported(project, "cer"))
    assert "|plugin:study@" in signature != signature_of(project, "lab_rate")
    assert "plugin" not in signature_of(project, "cer")
    [row] = csv.DictReader((project.root / "reports/tables/few_wer_raw.csv").read_text().splitlines())
    assert row["segments"] == "3"
    assert reported(project, "wer_raw") == 2 * 3 / 10
    normalized = read_normalized(project.root / "build/normalized/few/first.parquet").normalized
    assert normalized.references[1] == "jumps over it"


def test_no_dependency_is_called_as_a_setting_is():
    """`dvc exp show` has one column a name: it fails, or shows the one for the other."""
    named = {str(path) for stage in STAGES.values() for path in stage.get("deps", ())}
    assert not named & set(yaml.safe_load((REPOSITORY / "params.yaml").read_text(encoding="utf-8")))
