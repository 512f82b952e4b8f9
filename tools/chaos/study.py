"""The study that faults are inflicted on: twelve lines, three systems, one of which runs a program, and a judge."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from misread.features.judges import paths as judge_paths
from misread.pipeline import paths
from tools.bench.measure import PATH

DATASET, READER, JUDGE = "lines", "reader", "asked"
Stage = tuple[str, ...]
"""Its name, and the ids that it is run for."""
STAGES: tuple[Stage, ...] = (
    ("check",),
    ("segments", DATASET),
    *(("capture", DATASET, system) for system in ("one", "two", READER)),
    ("normalize", DATASET),
    ("judge", DATASET, JUDGE),
    *((stage, DATASET) for stage in ("score", "sensitivity", "compare")),
    ("report",),
)
READER_STAGE = ("capture", DATASET, READER)
JOURNALS = {
    READER_STAGE: paths.journal(DATASET, READER),
    ("judge", DATASET, JUDGE): judge_paths.journal(DATASET, JUDGE),
}
"""Where stages that ask others keep each answer as it comes."""

RESULTS = ("build", "data/judged", "reports")
# What is read again is measured again.
_OF_A_MOMENT = ("build/journal", "build/timings", "reports/speed")

_ID = r"\$\{((?:item\.)?\w+)\}"
_WORDS = ("ships", "sail", "over", "the", "quiet", "sea", "while", "seven", "gulls", "cry", "and", "turn")
# What `misread init` leaves out, a system that runs a program and a judge, and less of what takes time.
_SETTINGS = (
    "+systems.reader={_target_: misread.engines.Command, arguments: [basename, '{input}', '.png'], concurrency: 2}",
    "+report.names.reader=reader",
    "+datasets.lines.media=image",
    "+judges.asked={_target_: misread.features.judges.OpenAIJudge, model: crc32, attempts: 2, backoff: 0.01}",
    "metrics=[]",
    "+metrics.cer=cer",
    "+metrics.asked=asked",
    "statistics.resamples=99",
    "crosscheck.segments=0",
    "ablation.normalizers=[none]",
    "report.confusions=0",
)


@dataclass
class Outcome:
    """How often a fault was inflicted, and what did not survive it."""

    fault: str
    survival: str  # what surviving means
    inflicted: int = 0
    bytes_lost: int = 0
    failures: list[str] = field(default_factory=list)  # a line for each time that it was not survived
    skipped: str = ""  # why it could not be inflicted

    def add(self, *complaints: str, lost: int = 0) -> None:
        """Count one time; complaints that are empty are none."""
        self.inflicted += 1
        self.bytes_lost += lost
        if said := "; ".join(filter(None, [*complaints, f"{lost} bytes of readings were lost" if lost else ""])):
            self.failures.append(said)


@dataclass(frozen=True)
class Study:
    """A study in a folder, with a copy of its undisturbed results beside it."""

    root: Path
    stages: tuple[Stage, ...] = STAGES  # that faults are inflicted on

    @property
    def undisturbed(self) -> Path:
        """Copy of the folders of results as they are when nothing goes wrong."""
        return self.root.with_name(f"{self.root.name}.undisturbed")

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command of this environment in the study, in a session of its own."""
        who = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")
        return subprocess.Popen(
            command,
            cwd=self.root,
            env={**os.environ, **dict.fromkeys(who, "chaos@example.org"), "PATH": PATH},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: str) -> None:
        """Run a command to its end, which has to be a good one."""
        running = self.start(*command)
        _, said = running.communicate()
        if running.returncode:
            raise SystemExit(f"{' '.join(command)} ended with status {running.returncode}:\n{said}")

    def keep(self) -> None:
        """Take what is there as the undisturbed results."""
        for name in RESULTS:
            (self.root / name).mkdir(exist_ok=True)
            shutil.copytree(self.root / name, self.undisturbed / name, dirs_exist_ok=True)

    def restore(self) -> None:
        """Bring the undisturbed results back; folders stay the same ones, for something may be mounted there."""
        for name in RESULTS:
            (self.root / name).mkdir(exist_ok=True)
            for path in (self.root / name).iterdir():
                remove(path)
            shutil.copytree(self.undisturbed / name, self.root / name, dirs_exist_ok=True)

    def other_bytes(self) -> str:
        """A complaint about files of results that are not as they are undisturbed, or that nobody should have left."""
        present, expected = contents(self.root), contents(self.undisturbed)
        names = sorted(name for name in present | expected if present.get(name) != expected.get(name))
        return f"other bytes: {names}" if names else ""

    def half_written(self, before: Mapping[str, bytes] | None = None) -> str:
        """A complaint about files under their own names that are neither absent nor as they are undisturbed.

        Files from before a run may be all as they were.
        """
        expected, present = contents(self.undisturbed), contents(self.root)
        names = [name for name, content in present.items() if "/." not in name and content != expected.get(name)]
        names = [] if present == before else names
        return f"half-written: {names}" if names else ""

    def remove_outputs(self, stage: Stage, *, journal: bool = False) -> None:
        """Remove what a stage wrote, as DVC does before it runs it; a journal, which is not an output, if asked."""
        name, *ids = stage
        files = ("dvc.yaml", "stages/captures/dvc.yaml")
        pipelines = [yaml.safe_load((self.root / file).read_text(encoding="utf-8"))["stages"] for file in files]
        declared = next(stages[name] for stages in pipelines if name in stages)
        declared = declared.get("do", declared)
        # Ids stand in the command in the order in which the stage takes them.
        values = dict(zip(re.findall(_ID, declared["cmd"]), ids, strict=True))
        for out in (*declared["outs"], *declared.get("metrics", ())):
            path = out if isinstance(out, str) else next(iter(out))
            remove(self.root / re.sub(_ID, lambda match: values[match[1]], path))
        if journal and stage in JOURNALS:
            remove(self.root / JOURNALS[stage])

    def whole_lines(self) -> list[bytes]:
        """Readings in journals that were written to their ends."""
        journals = [self.root / path for path in JOURNALS.values() if (self.root / path).exists()]
        lines = (line for path in journals for line in path.read_bytes().splitlines(keepends=True))
        return [line for line in lines if line.endswith(b"\n")]

    def lost_bytes(self, lines: list[bytes]) -> int:
        """Bytes of these readings that no journal has."""
        present = set(self.whole_lines())
        return sum(len(line) for line in lines if line not in present)


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def contents(root: Path) -> dict[str, bytes]:
    """Files of results by name, but for those that are measured again when they are made again."""
    paths = (path for name in RESULTS for path in (root / name).rglob("*"))
    names = {path.relative_to(root).as_posix(): path for path in paths if path.is_file() or path.is_symlink()}
    return {name: path.read_bytes() for name, path in names.items() if not name.startswith(_OF_A_MOMENT)}


def make_study(root: Path, judge: str) -> Study:
    """Make a study by `misread init --table`, with a system that runs a program for every line, and a judge."""
    from PIL import Image

    (root / "given/images").mkdir(parents=True)
    study = Study(root)
    rows = ["id,page,text,one,two,image"]
    for number in range(12):
        text = " ".join(_WORDS[number:] + _WORDS[:number])
        first, second, third = (text.replace(word, word[:-1]) for word in ("gulls", "quiet", "while"))
        rows.append(f"l{number},p{number // 3},{text},{first},{second if number % 2 else text},images/{third}.png")
        Image.new("L", (number + 4, 4)).save(root / "given/images" / f"{third}.png")
    (root / "given/lines.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    columns = ("--segment-id", "id", "--ref", "text", "--cluster", "page", "--hyp", "one=one", "--hyp", "two=two")
    study.run("misread", "init", "--table", "given/lines.csv", *columns, ".")
    shutil.move(root / "given/images", root / "data" / DATASET / "images")
    study.run("misread", "compose", *_SETTINGS, f"+judges.{JUDGE}.url='{judge}'")
    return study


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """A file system in memory on a folder, with limits; raises CalledProcessError where mounting is not allowed."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True, capture_output=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)
