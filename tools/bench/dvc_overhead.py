"""What DVC itself costs: the stages of dvc.yaml with trivial commands, for N systems on N data sets.

Run as `python -m tools.bench.dvc_overhead 10`. A command only writes the files that its stage declares.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

REPOSITORY = Path(__file__).resolve().parents[2]


def make_project(root: Path, systems: int, datasets: int) -> None:
    """Make a project with our dvc.yaml, commands apart, and settings of the usual size."""
    params = yaml.safe_load((REPOSITORY / "params.yaml").read_text())
    of_system, of_dataset = (next(iter(params[name].values())) for name in ("systems", "datasets"))
    params["systems"] = {f"system{number}": dict(of_system) for number in range(systems)}
    params["datasets"] = {f"dataset{number}": deepcopy(of_dataset) for number in range(datasets)}
    params["system_ids"] = list(params["systems"])
    params["report"]["names"] = {each: f"name of {each}" for each in (*params["systems"], *params["datasets"])}
    (root / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False))
    for dataset in params["datasets"]:
        (root / "data" / dataset).mkdir(parents=True)
        (root / "data" / dataset / "README.md").write_text(dataset)
    for folder in ("plugins", "programs", "stages", "src"):
        shutil.copytree(REPOSITORY / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "*.nb*"))
    for file in ("dvc.yaml", "stages/captures/dvc.yaml"):
        (root / file).parent.mkdir(exist_ok=True)
        pipeline = yaml.safe_load((REPOSITORY / file).read_text())
        pipeline.pop("plots", None)
        for name, stage in pipeline["stages"].items():
            make_trivial(root, name, stage, params["system_ids"])
        (root / file).write_text(yaml.safe_dump(pipeline, sort_keys=False))
    for command in ("git init --quiet", "dvc init --quiet"):
        subprocess.run(command.split(), cwd=root, check=True)
    for name in (".dvc/config", ".dvcignore", ".gitignore"):
        shutil.copy2(REPOSITORY / name, root / name)


def make_trivial(root: Path, name: str, stage: dict[str, Any], systems: list[str]) -> None:
    """Replace the command of a stage by a shell script that writes its outputs."""
    outs = [*stage.get("outs", ()), *stage.pop("metrics", ())]
    arguments = " ".join(stage["cmd"].split()[2:])
    script = "\n".join(write(out, systems) for out in outs)
    script = script.replace("${item.dataset}", "$1").replace("${item.system}", "$2")
    (root / "stages" / f"{name}.sh").write_text(script + "\n")
    stage["cmd"] = f"sh stages/{name}.sh {arguments}".strip()


def write(out: str | dict[str, object], systems: list[str]) -> str:
    """Shell lines that write an output: a file, or a folder with a file for each system."""
    path = out if isinstance(out, str) else next(iter(out))
    if Path(path).suffix:
        return f"mkdir -p {Path(path).parent}\necho $1 $2 {path} > {path}"
    return "\n".join([f"mkdir -p {path}", *(f"echo $1 {system} > {path}/{system}.parquet" for system in systems)])


def repro(root: Path) -> float:
    """Seconds that `dvc repro` takes."""
    start = time.perf_counter()
    subprocess.run(["dvc", "repro", "--quiet"], cwd=root, check=True)
    return time.perf_counter() - start


def main(number: int) -> None:
    """Print what `dvc repro` takes, the first time and again."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_project(root, number, number)
        first, again = repro(root), repro(root)
        lines = [len((root / file).read_text().splitlines()) for file in ("dvc.lock", "stages/captures/dvc.lock")]
    print(f"{number} systems x {number} data sets: {first:.1f} s first, {again:.1f} s again, lines in locks {lines}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
