"""Everything that reads what others wrote, with valid samples of it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from tools.fuzz.mutations import mutate

SAMPLES: Final = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class Target:
    """One reader.

    Attributes
    ----------
    name, group : str
        Name, and the kind of target under which the page counts it.
    samples : sequence of bytes
        Valid inputs, from which others are made.
    take : callable
        Given an input and an empty folder to write it to.
    make : callable
        Makes the next input.
    """

    name: str
    group: str
    samples: Sequence[bytes]
    take: Callable[[bytes, Path], object]
    change: Callable[[random.Random, bytes, Sequence[bytes]], bytes] = mutate

    def make(self, rng: random.Random) -> bytes:
        """An input, made from a sample."""
        return self.change(rng, rng.choice(self.samples), self.samples)


_GROUPS: Final = ("data_files", "answers", "worker", "stage_files", "texts", "configurations")
"""Modules with targets, the fast ones first."""


def all_targets() -> dict[str, Target]:
    """Targets by name."""
    return {target.name: target for target in _each_target()}


def find_target(name: str) -> Target:
    """One target; modules behind it in the list are not loaded."""
    return next(target for target in _each_target() if target.name == name)


def _each_target() -> Iterator[Target]:
    for group in _GROUPS:
        yield from import_module(f"tools.fuzz.{group}").targets()


def samples_of(name: str) -> list[bytes]:
    """Contents of the sample files of a target: NAME.ending, NAME-2.ending ..."""
    found = [path for path in sorted(SAMPLES.iterdir()) if path.name.split(".")[0].split("-")[0] == name]
    return [path.read_bytes() for path in found if path.is_file()]


def file_target(
    name: str, group: str, read: Callable[[Path], object], *, ending: str = "", samples: Sequence[bytes] = ()
) -> Target:
    """A reader of one file."""
    file = f"sample{ending}"

    def take(data: bytes, folder: Path) -> object:
        path = folder / file
        path.write_bytes(data)
        return read(path)

    return Target(name, group, samples or samples_of(name), take)


def folder_target(name: str, group: str, read: Callable[[Path], object], files: Mapping[str, bytes]) -> Target:
    """A reader of a folder, of which one file at a time is broken; an input is its name, NUL and the content."""

    def take(data: bytes, folder: Path) -> object:
        changed, _, content = data.partition(b"\0")
        for file, whole in files.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if file.encode() == changed else whole)
        return read(folder / name)

    def change(rng: random.Random, sample: bytes, others: Sequence[bytes]) -> bytes:
        file, _, content = sample.partition(b"\0")
        return file + b"\0" + mutate(rng, content, [each.partition(b"\0")[2] for each in others])

    samples = [file.encode() + b"\0" + content for file, content in files.items() if content]
    return Target(name, group, samples, take, change)


def text_target(name: str, group: str, call: Callable[[str], object], samples: Sequence[bytes]) -> Target:
    """A function of a text; bytes that are not UTF-8 become what a file reader would make of other characters."""

    def take(data: bytes, _: Path) -> Any:
        return call(data.decode("utf-8", "replace"))

    return Target(name, group, samples, take)


def folder_of_samples(name: str) -> Iterator[tuple[str, bytes]]:
    """Files of a folder of samples, by their names in it."""
    for path in sorted((SAMPLES / name).rglob("*")):
        if path.is_file():
            yield path.relative_to(SAMPLES / name).as_posix(), path.read_bytes()
