"""Every stage declares in dvc.yaml all that it reads: code, data files of the package, inputs, parameters."""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from misread.datasets import Table
from misread.metrics import ErrorRate
from misread.normalize.steps import collapse_whitespace
from misread.text import white_space

from .conftest import Project, make_small_project

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "src"
PACKAGE = SOURCES / "misread"
STAGES: dict[str, Any] = yaml.safe_load((REPOSITORY / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
# A stage that runs in every `dvc repro` needs no dependency.
CACHED = [name for name, stage in STAGES.items() if not stage.get("always_changed")]
SCRIPTS = {name: REPOSITORY / stage["cmd"].split()[1] for name, stage in STAGES.items()}
CACHES = {".pyc", ".nbi", ".nbc"}

# These two know the ids of systems; an engine is made by capture alone.
ONLY_IDS = {("compare", "systems"), ("report", "systems")}
# Where data lies and how many readings go on side by side change no result; what plug-ins contain is a file.
UNDECLARED_SECTIONS = {"data_root", "executor", "plugins"}


def declared_code(stage: str) -> list[Path]:
    return [REPOSITORY / name for name in STAGES[stage]["deps"] if name.startswith(("src/", "stages/"))]


def declared_sections(stage: str) -> set[str]:
    return {name.split(".")[0] for name in STAGES[stage].get("params", ())}


def is_covered(path: Path, declared: list[Path]) -> bool:
    return any(path.is_relative_to(each) for each in declared)


def module_file(name: str) -> Path | None:
    """File of a module or package of the source tree; None where there is none of that name."""
    path = SOURCES.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but for those that only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            for other in node.orelse:
                yield from statements(other)
        else:
            yield node
            yield from statements(node)


def imports_of(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Modules that a file imports, wherever in it, and the names that it takes from them."""
    for node in statements(parse(path)):
        if isinstance(node, ast.ImportFrom):
            above = path.relative_to(SOURCES).parts[: -node.level] if node.level else ()
            yield ".".join([*above, *filter(None, [node.module])]), [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from ((alias.name, ["*"]) for alias in node.names)
        elif isinstance(node, ast.Call):
            # import_module("..."), or files("...") of importlib.resources
            yield from (
                (each.value, []) for each in node.args if isinstance(each, ast.Constant) and is_module(each.value)
            )


def is_module(word: object) -> bool:
    """Whether a constant is the dotted name of a module of the source tree."""
    return isinstance(word, str) and re.fullmatch(r"\w+(\.\w+)+", word) is not None and module_file(word) is not None


def lazy_homes(path: Path, names: list[str]) -> Iterator[str]:
    """Modules that a package loads when one of these names is asked for, by the stub beside its file."""
    stub = path.with_suffix(".pyi")
    package = ".".join(path.parent.relative_to(SOURCES).parts)
    for node in parse(stub).body if stub.is_file() else ():
        if isinstance(node, ast.ImportFrom) and ("*" in names or {alias.name for alias in node.names} & {*names}):
            yield f"{package}.{node.module}"


def resolve(module: str, names: list[str]) -> Iterator[Path]:
    """Files that run when names are imported from a module: its packages, itself, and where the names come from."""
    parts = module.split(".")
    modules = [".".join(parts[: end + 1]) for end in range(len(parts))] + [f"{module}.{name}" for name in names]
    found = module_file(module)
    if found:
        modules += lazy_homes(found, names)
    yield from filter(None, map(module_file, modules))


def close(files: set[Path]) -> set[Path]:
    """These files and every file of the package that they import, and these in turn."""
    found, waiting = set(files), list(files)
    while waiting:
        new = {file for module, names in imports_of(waiting.pop()) for file in resolve(module, names)} - found
        found |= new
        waiting += new
    return found


def targets(content: Any) -> Iterator[str]:
    """Classes of misread that a part of the configuration names."""
    values = content.values() if isinstance(content, dict) else content if isinstance(content, list) else ()
    for value in values:
        yield from targets(value)
    if isinstance(content, dict) and str(content.get("_target_", "")).startswith("misread."):
        yield content["_target_"]


def configured(section: str) -> Iterator[str]:
    """Classes that any entry of conf/ puts into a section of params.yaml."""
    for path in (REPOSITORY / "conf" / section).glob("*.yaml"):
        yield from targets(yaml.safe_load(path.read_text(encoding="utf-8")))
    for path in REPOSITORY.glob("conf/**/*.yaml"):
        yield from targets((yaml.safe_load(path.read_text(encoding="utf-8")) or {}).get(section))


def data_files(files: set[Path]) -> Iterator[Path]:
    """Files beside the modules that are not code: each belongs to the nearest package above it."""
    packages = {file.parent for file in files}
    for path in PACKAGE.rglob("*"):
        is_data = path.is_file() and path.suffix not in {".py", *CACHES}
        if is_data and next(above for above in path.parents if (above / "__init__.py").is_file()) in packages:
            yield path


@cache
def code_of(stage: str) -> set[Path]:
    """Everything of the source tree that a stage may run or read, with any configuration of conf/."""
    sections = [section for section in declared_sections(stage) if (stage, section) not in ONLY_IDS]
    classes = [target.rpartition(".") for section in sections for target in configured(section)]
    starts = {file for module, _, name in classes for file in resolve(module, [name])}
    modules = close({SCRIPTS[stage], *starts})
    return modules | set(data_files(modules))


@pytest.mark.parametrize("stage", CACHED)
def test_the_declared_code_of_a_stage_covers_all_that_it_may_import(stage: str) -> None:
    declared = declared_code(stage)
    lacking = sorted(str(path.relative_to(REPOSITORY)) for path in code_of(stage) if not is_covered(path, declared))
    assert not lacking, f"add to the deps of {stage} in dvc.yaml: {', '.join(lacking)}"


@pytest.mark.parametrize("stage", CACHED)
def test_a_stage_declares_no_code_that_it_never_runs(stage: str) -> None:
    code = code_of(stage)
    assert not [str(each) for each in declared_code(stage) if not any(is_covered(path, [each]) for path in code)]


def test_the_closure_finds_imports_of_every_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "misread/__init__.py": "",
        "misread/__init__.pyi": "from .home import lazy as lazy\nfrom .unused import other as other\n",
        "misread/home.py": "def f():\n    from .deep.inner import x\n",
        "misread/unused.py": "",
        "misread/typed.py": "",
        "misread/plain.py": "files('misread.tables')\n",
        "misread/tables/__init__.py": "",
        "misread/deep/__init__.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import misread.typed\n",
        "misread/deep/inner.py": "import misread.plain as p\n",
        "script.py": "from misread import (\n    lazy,\n)\n",
    }
    for name, source in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    monkeypatch.setattr(sys.modules[__name__], "SOURCES", tmp_path)
    found = {path.relative_to(tmp_path).as_posix() for path in close({tmp_path / "script.py"})}
    assert found == files.keys() - {"misread/__init__.pyi", "misread/unused.py", "misread/typed.py"}


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
    seen = {"files": sorted(opened | files), "sections": sorted(sections)}
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
            if stage.always_changed:
                continue
            _, script, *ids = stage.cmd.split()
            of = json.loads((root / "observed" / f"{'-'.join([Path(script).stem, *ids])}.json").read_text())
            seen[stage.name] = Observation(
                {Path(name).relative_to(root) for name in of["files"] if Path(name).is_relative_to(root)},
                set(of["sections"]),
                [Path(each.fs_path).relative_to(root) for each in (*stage.deps, *stage.outs)],
            )
    return seen


@pytest.mark.slow
def test_every_stage_is_observed(observed: dict[str, Observation]) -> None:
    assert {name.split("@")[0] for name in observed} == set(CACHED)
    assert all(Path("src/misread/pipeline/params.py") in stage.files for stage in observed.values())


@pytest.mark.slow
def test_a_stage_opens_only_what_it_declares(observed: dict[str, Observation]) -> None:
    undeclared = {
        name: sorted(str(path) for path in stage.files if is_input(path) and not is_covered(path, stage.declared))
        for name, stage in observed.items()
    }
    assert not any(undeclared.values()), undeclared


def is_input(path: Path) -> bool:
    """Whether a stage reads a file as an input: caches, the observer and what the stage `plugin` looks at are not."""
    return path.suffix not in CACHES and not is_covered(path, [Path("observed"), Path("installed")])


@pytest.mark.slow
def test_a_stage_declares_the_sections_that_it_is_handed_and_no_others(observed: dict[str, Observation]) -> None:
    for name, stage in observed.items():
        assert stage.sections - UNDECLARED_SECTIONS == declared_sections(name.split("@")[0]), name


def reported(project: Project, metric: str) -> dict[str, float]:
    """What reports/metrics.json says of the one system by one metric."""
    return json.loads((project.root / "reports/metrics.json").read_text())["few"]["first"][metric]


def signature_of(project: Project, metric: str) -> str:
    """Signature of a table."""
    return json.loads((project.root / f"reports/tables/few_{metric}.signature.json").read_text())["signature"]


def stages_made_stale(project: Project) -> dict[str, set[str]]:
    """Stages that DVC would run again, by the dependency that changed."""
    found: dict[str, set[str]] = {}
    for stage, changes in json.loads(project.run("dvc", "status", "--json").stdout).items():
        changed = (each["changed deps"] for each in changes if isinstance(each, dict) and "changed deps" in each)
        for dependency in (name for each in changed for name in each):
            found.setdefault(dependency, set()).add(stage.split("@")[0])
    return found


def append(project: Project, part: object, code: str) -> None:
    """Change the module in which something is defined."""
    path = project.root / Path(inspect.getfile(part)).relative_to(REPOSITORY)
    path.write_text(f"{path.read_text()}\n{code}\n")


@pytest.mark.slow
def test_a_change_of_any_code_is_seen_in_the_reports(small_project: Project) -> None:
    project = small_project
    before = {metric: reported(project, metric) for metric in ("cer", "wer", "wer_raw", "lab_rate")}
    assert before["wer"]["micro"] == before["wer_raw"]["micro"] == 4 / 12
    assert before["lab_rate"]["micro"] == 3 * before["cer"]["micro"]
    assert project.stages_run_by("dvc", "repro") == {"plugin@lab"}

    append(project, ErrorRate, "rate = ErrorRate.rate\nErrorRate.rate = lambda self, counts: 2 * rate(self, counts)")
    assert "capture@few-first" not in project.stages_run_by("dvc", "repro")
    for metric, of in before.items():
        assert reported(project, metric)["micro"] == 2 * of["micro"]

    append(project, collapse_whitespace, r'_RUN_OF_WHITE_SPACE = re.compile(r"[_\s]+")')
    assert "capture@few-first" not in project.stages_run_by("dvc", "repro")
    assert reported(project, "wer")["micro"] == 2 * 4 / 13
    assert reported(project, "wer_raw")["micro"] == 2 * 4 / 12

    # The last three each make nearly every stage run again: which, DVC says, and all run once.
    signature = signature_of(project, "lab_rate")
    plugin = project.root / "installed/lab.py"
    plugin.write_text(plugin.read_text().replace("FACTOR = 3", "FACTOR = 30"))
    project.run("dvc", "repro", "plugin@lab")
    append(project, Table, "segments = Table.segments\nTable.segments = lambda self: segments(self)[:-1]")
    append(project, white_space, 'WHITE_SPACE += "_"')
    made_stale = stages_made_stale(project)
    assert made_stale["plugins"] == made_stale["src/misread/text"] == set(CACHED)
    assert made_stale["src/misread/datasets"] == {"capture", "report"}
    project.run("dvc", "repro")
    assert reported(project, "wer_raw")["segments"] == 3
    assert reported(project, "wer_raw")["micro"] == 2 * 3 / 10
    assert reported(project, "lab_rate")["micro"] == 30 * reported(project, "cer")["micro"]
    assert "|plugin:lab@" in signature != signature_of(project, "lab_rate")
    assert "plugin" not in signature_of(project, "cer")
