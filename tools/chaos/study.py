"""The study that faults are inflicted on: twelve lines, three systems, one of which runs a program, and a judge."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from misread.pipeline import paths

DATASET = "lines"
RECORDED = ("one", "two")
READER = "reader"
SYSTEMS = (*RECORDED, READER)
JUDGE = "asked"
STAGES: tuple[tuple[str, ...], ...] = (
    ("codebase",),
    ("segments", DATASET),
    *(("capture", DATASET, system) for system in SYSTEMS),
    ("normalize", DATASET),
    ("judge", DATASET, JUDGE),
    *((stage, DATASET) for stage in ("score", "ablate", "regimes", "compare")),
    ("report",),
)
READER_STAGE = ("capture", DATASET, READER)
JOURNALS = {
    READER_STAGE: paths.journal(DATASET, READER),
    ("judge", DATASET, JUDGE): paths.judge_journal(DATASET, JUDGE),
}
"""Where stages that ask others keep each answer as it comes."""

RESULTS = ("build", "data/judged", "reports")
# What is read again is measured again.
_OF_A_MOMENT = ("build/journal", "build/timings", "reports/speed")

_WORDS = ("ships", "sail", "over", "the", "quiet", "sea", "while", "seven", "gulls", "cry", "and", "turn")
_READER = """\
# @package _global_
systems:
  reader:
    _target_: misread.engines.Command
    arguments: [basename, "{input}", .png]
    concurrency: 2
report: {names: {reader: reader}}
"""
_JUDGE = """\
judges:
  asked: {_target_: misread.features.judges.OpenAIJudge, model: crc32, attempts: 2, backoff: 0.01, url: "%s"}
"""
_SETTINGS = (
    "metrics=[cer,asked]",
    "statistics.resamples=99",
    "crosscheck.segments=0",
    "ablation.normalizers=[none]",
    "report.confusions=0",
)


@dataclass(frozen=True)
class Study:
    """A study in a folder, with a copy of its undisturbed results beside it."""

    root: Path

    @property
    def kept(self) -> Path:
        """Copy of the folders of results as they are when nothing goes wrong."""
        return self.root.with_name(f"{self.root.name}.kept")

    def run(self, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command of this environment in the study."""
        done = subprocess.run(command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}:\n{done.stdout}{done.stderr}")
        return done

    @property
    def environment(self) -> dict[str, str]:
        """Variables under which commands run."""
        who = {
            f"GIT_{who}_{what}": "chaos@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
        }
        return {**os.environ, **who, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}

    def keep(self) -> None:
        """Take what is there as the undisturbed results."""
        for name in RESULTS:
            (self.root / name).mkdir(exist_ok=True)
            shutil.copytree(self.root / name, self.kept / name, dirs_exist_ok=True)

    def restore(self) -> None:
        """Bring the undisturbed results back; folders stay the same ones, for something may be mounted there."""
        for name in RESULTS:
            (self.root / name).mkdir(exist_ok=True)
            for path in (self.root / name).iterdir():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            shutil.copytree(self.kept / name, self.root / name, dirs_exist_ok=True)

    def differing(self, folder: Path | None = None) -> list[str]:
        """Files of results that are not as they are undisturbed, or that nobody should have left."""
        found, expected = _contents(folder or self.root), _contents(self.kept)
        return sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))

    def half_written(self) -> list[str]:
        """Files under their own names that are neither absent nor as they are undisturbed."""
        found, expected = _contents(self.root), _contents(self.kept)
        return [name for name in found if not _is_hidden(name) and found[name] != expected.get(name)]

    def remove_outputs(self, stage: tuple[str, ...]) -> None:
        """Remove what a stage wrote, as DVC does before it runs it; a journal is not an output."""
        for path in _outputs(stage):
            whole = self.root / path
            if whole.is_dir():
                shutil.rmtree(whole)
            else:
                whole.unlink(missing_ok=True)


def _outputs(stage: tuple[str, ...]) -> list[Path]:
    build = Path("build")
    match stage:
        case ("codebase",):
            return [build / "code"]
        case ("segments", dataset):
            return [build / "segments" / f"{dataset}.parquet"]
        case ("capture", dataset, system):
            return [build / kind / dataset / f"{system}.parquet" for kind in ("captures", "timings")]
        case ("judge", dataset, judge):
            return [paths.decisions(dataset, judge)]
        case ("normalize" | "score" | "ablate" as name, dataset):
            folder = {"normalize": "normalized", "score": "scores", "ablate": "ablations"}[name]
            return [build / folder / dataset]
        case ("regimes" | "compare" as name, dataset):
            return [build / {"regimes": "regimes", "compare": "comparisons"}[name] / f"{dataset}.json"]
        case _:
            return [Path("reports") / name for name in ("tables", "figures", "plots", "index.html", "metrics.json")]


def _contents(root: Path) -> dict[str, bytes]:
    paths = (path for name in RESULTS for path in (root / name).rglob("*"))
    names = {path.relative_to(root).as_posix(): path for path in paths if path.is_file() or path.is_symlink()}
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(_OF_A_MOMENT)}


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in Path(name).parts)


def make_study(root: Path, judge: str) -> Study:
    """Make a study by `misread init --table`, with a system that runs a program for every line, and a judge."""
    from PIL import Image

    (root / "given").mkdir(parents=True)
    study = Study(root)
    rows = ["id,page,text,one,two,image"]
    for number in range(12):
        text = " ".join(_WORDS[number:] + _WORDS[:number])
        one, two, three = (text.replace(word, word[:-1]) for word in ("gulls", "quiet", "while"))
        rows.append(f"l{number},p{number // 3},{text},{one},{two if number % 2 else text},images/{three}.png")
        (root / "given" / "images").mkdir(exist_ok=True)
        Image.new("L", (number + 4, 4)).save(root / "given" / "images" / f"{three}.png")
    (root / "given" / "lines.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    systems = [argument for system in RECORDED for argument in ("--hyp", f"{system}={system}")]
    columns = ("--id", "id", "--ref", "text", "--cluster", "page")
    study.run("misread", "init", "--table", "given/lines.csv", *columns, *systems, ".")
    shutil.move(root / "given" / "images", root / "data" / DATASET / "images")
    with (root / "conf" / "systems" / f"{READER}.yaml").open("w", encoding="utf-8") as file:
        file.write(_READER)
    _edit(root / "conf" / "datasets" / f"{DATASET}.yaml", "    reference: text\n", "    media: image\n")
    config = root / "conf" / "config.yaml"
    chosen = config.read_text(encoding="utf-8").replace("[one, two]", "[one, two, reader]")
    config.write_text(chosen.replace("judges: {}\n", _JUDGE % judge), encoding="utf-8")
    study.run("misread", "compose", *_SETTINGS)
    return study


def _edit(path: Path, before: str, added: str) -> None:
    text = path.read_text(encoding="utf-8")
    if before not in text:
        raise SystemExit(f"{path} has no line {before.strip()!r} as `misread init` wrote it.")
    path.write_text(text.replace(before, before + added), encoding="utf-8")


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A file system in memory on a folder, with limits; raises CalledProcessError where mounting is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)
