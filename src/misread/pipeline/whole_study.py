"""all: every stage of the pipeline files, in order and without DVC."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import reduce
from graphlib import TopologicalSorter
from itertools import product
from pathlib import Path
from sysconfig import get_path
from typing import Any, Final, NamedTuple

from misread.errors import ConfigurationError, MisreadError
from misread.io.console import note
from misread.io.yaml_files import read_yaml
from misread.pipeline.params import PARAMS_FILE
from misread.pipeline.paths import PIPELINES, folder_in_project

_VARIABLE: Final = re.compile(r"\$\{([^}]*)\}")


class _Run(NamedTuple):
    """A stage with its ids; paths are relative to the project's folder."""

    command: list[str]
    reads: tuple[Path, ...]
    writes: Mapping[Path, bool]  # whether an earlier output remains, as with `persist`

    def follows(self, other: "_Run") -> bool:
        return any(path.is_relative_to(out) or out.is_relative_to(path) for path in self.reads for out in other.writes)


def main() -> None:
    try:
        params = read_yaml(PARAMS_FILE)
        runs = [run for path in PIPELINES for run in _read_runs(path, params)]
        before = {row: {k for k, other in enumerate(runs) if run.follows(other)} for row, run in enumerate(runs)}
        ordered = [runs[row] for row in TopologicalSorter(before).static_order()]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, MisreadError):
            raise
        raise ConfigurationError(f"dvc.yaml has what only `dvc repro` can run: {error!r}.") from None
    for run in ordered:
        note(f"Running: {(command := shlex.join(run.command))}")
        for path in (path for path, remains in run.writes.items() if not remains):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        program = shutil.which(run.command[0], path=get_path("scripts")) or run.command[0]
        if subprocess.call([program, *run.command[1:]]):  # noqa: S603  without a shell
            raise ConfigurationError(f"`{command}` failed, and no stage has run after it.")


def _read_runs(path: Path, params: Mapping[str, Any]) -> Iterator[_Run]:
    for stage in read_yaml(path)["stages"].values():
        axes = _fill(stage.get("matrix", {}), params)
        scopes = [{"item": dict(zip(axes, ids, strict=True))} for ids in product(*axes.values())]
        if "foreach" in stage:
            scopes = [{"key": key, "item": item} for key, item in _fill(stage["foreach"], params).items()]
        for scope in scopes:
            run = _fill(stage.get("do", stage), {**params, **scope})
            outs = [out if isinstance(out, dict) else {out: {}} for out in run.get("outs", []) + run.get("metrics", [])]
            writes = {Path(name): setting.get("persist") == "True" for out in outs for name, setting in out.items()}
            if outside := [out for out in writes if folder_in_project(str(out)) is None]:
                raise ConfigurationError(f"{path}: the output {str(outside[0])!r} is not inside the project.")
            yield _Run(shlex.split(run["cmd"]), tuple(map(Path, run.get("deps", ()))), writes)


def _fill(content: Any, values: Mapping[str, Any]) -> Any:
    """Put values in the places of `${name}` and `${name.key}`."""
    if isinstance(content, dict):
        return {_fill(key, values): _fill(value, values) for key, value in content.items()}
    if isinstance(content, list):
        return [_fill(value, values) for value in content]
    if variable := _VARIABLE.fullmatch(str(content)):
        return reduce(lambda node, key: node[key], variable[1].split("."), values)
    return _VARIABLE.sub(lambda match: str(_fill(match[0], values)), str(content))
