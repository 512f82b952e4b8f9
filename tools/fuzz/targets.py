"""Everything that reads what others wrote, with valid samples of it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

from tools.fuzz.mutations import mutate

SAMPLES: Final = Path(__file__).parent / "samples"
_KINDS: Final = {
    "data files": "data_files:targets",
    "answers, media, signatures": "answers:targets",
    "worker": "worker:targets",
    "stage files": "study_files:stage_targets",
    "normalizers": "answers:normalizer_targets",
    "configurations": "study_files:targets",
}
"""Where targets come from, by the kind under which the page has them, the fast ones first."""


@dataclass(frozen=True)
class Target:
    """One reader."""

    name: str
    samples: Sequence[bytes]  # valid inputs, from which others are made
    take: Callable[[bytes, Path], object]  # given an input and an empty folder to write it to
    change: Callable[[random.Random, bytes, Sequence[bytes]], bytes] = mutate
    kind: str = ""

    def make(self, rng: random.Random) -> bytes:
        """An input, made from a sample."""
        return self.change(rng, rng.choice(self.samples), self.samples)


def all_targets() -> dict[str, Target]:
    """Targets by name."""
    targets = {}
    for kind, source in _KINDS.items():
        for target in resolve_name(f"tools.fuzz.{source}")():
            targets[target.name] = replace(target, kind=kind)
    return targets


def samples_of(name: str) -> list[bytes]:
    """Contents of the sample files of a target: NAME.ending, NAME-2.ending ..."""
    files = (path for path in sorted(SAMPLES.iterdir()) if path.is_file())
    return [path.read_bytes() for path in files if path.name.split(".")[0].split("-")[0] == name]


def file_target(name: str, read: Callable[[Path], object], ending: str = "", samples: Sequence[bytes] = ()) -> Target:
    """A reader of one file."""

    def take(data: bytes, folder: Path) -> object:
        path = folder / f"sample{ending}"
        path.write_bytes(data)
        return read(path)

    return Target(name, samples or samples_of(name), take)


def folder_target(name: str, read: Callable[[Path], object], files: Mapping[str, bytes] | None = None) -> Target:
    """A reader of a folder, of which one file at a time is broken; an input is its name, NUL and the content."""
    paths = (path for path in sorted((SAMPLES / name).rglob("*")) if path.is_file())
    whole = files or {path.relative_to(SAMPLES / name).as_posix(): path.read_bytes() for path in paths}

    def take(data: bytes, folder: Path) -> object:
        changed, _, content = data.partition(b"\0")
        for file, usual in whole.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if file.encode() == changed else usual)
        return read(folder / name)

    def change(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
        file, _, content = sample.partition(b"\0")
        return file + b"\0" + mutate(rng, content, [other.partition(b"\0")[2] for other in others])

    return Target(name, [file.encode() + b"\0" + content for file, content in whole.items() if content], take, change)


def text_targets(calls: Mapping[str, Callable[[str], object]], samples: Sequence[bytes] = ()) -> Iterator[Target]:
    """Functions of a text; bytes that are not UTF-8 become what a file reader would make of other characters."""
    for name, call in calls.items():

        def take(data: bytes, _: Path, call: Callable[[str], object] = call) -> object:
            return call(data.decode("utf-8", "replace"))

        yield Target(name, samples or samples_of(name), take)
