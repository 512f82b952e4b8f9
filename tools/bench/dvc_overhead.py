"""What DVC itself costs: the stages of dvc.yaml with trivial commands, for N systems on N data sets.

Run as `python -m tools.bench.dvc_overhead 10`. A command only writes the files that its stage declares.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from tools.bench.processes import ROOT, run_command

_PIPELINES = ("dvc.yaml", "stages/captures/dvc.yaml")


def make_project(root: Path, number: int) -> None:
    """Make a project with our pipelines, commands apart, and settings of the usual size."""
    params = yaml.safe_load((ROOT / "params.yaml").read_text())
    for group in ("systems", "datasets"):
        (usual,) = list(params[group].values())[:1]
        params[group] = {f"{group}{index}": dict(usual) for index in range(number)}
    params["system_ids"] = list(params["systems"])
    params["report"]["names"] = {entry: f"name of {entry}" for entry in (*params["systems"], *params["datasets"])}
    (root / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False))
    # Sources stand in for themselves.
    for path in (
        "conf/programs",
        "data/judged",
        "src/misread",
        "stages",
        *(f"data/{dataset}" for dataset in params["datasets"]),
    ):
        (root / path).mkdir(parents=True)
        (root / path / "codebase.py").write_text(path)
    for file in _PIPELINES:
        pipeline = yaml.safe_load((ROOT / file).read_text())
        pipeline.pop("plots", None)
        for name, stage in pipeline["stages"].items():
            _make_trivial(root, name, stage, params["system_ids"])
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text(yaml.safe_dump(pipeline, sort_keys=False))
    for command in ("git init --quiet", "dvc init --quiet"):
        subprocess.run(command.split(), cwd=root, check=True)
    for name in (".dvc/config", ".dvcignore", ".gitignore"):
        shutil.copy2(ROOT / name, root / name)


def _make_trivial(root: Path, name: str, stage: dict[str, Any], systems: list[str]) -> None:
    """Replace the command of a stage by a shell script that writes its outputs: files, and folders of one a system."""
    lines = []
    for out in (*stage.get("outs", ()), *stage.pop("metrics", ())):
        path = Path(out if isinstance(out, str) else next(iter(out)))
        files = [path] if path.suffix else [path / f"{system}.parquet" for system in systems]
        lines += [f"mkdir -p {file.parent}; echo $1 $2 {file} > {file}" for file in files]
    script = "\n".join(lines).replace("${item.dataset}", "$1").replace("${item.system}", "$2")
    (root / "stages" / f"{name}.sh").write_text(script + "\n")
    stage["cmd"] = " ".join(["sh", f"stages/{name}.sh", *stage["cmd"].split()[2:]])


def main(number: int) -> None:
    """Print what `dvc repro` takes, the first time and again."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_project(root, number)
        first, again = (run_command("dvc", "--cd", folder, "repro", "--quiet") for _ in range(2))
        lines = [len((root / file).with_suffix(".lock").read_text().splitlines()) for file in _PIPELINES]
    print(
        f"{number} systems x {number} data sets: {first.seconds:.1f} CPU-s first, {again.seconds:.1f} again, "
        f"lines in locks {lines}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
