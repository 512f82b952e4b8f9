"""A target whose inputs are chosen by the branches of misread that earlier ones reached: libFuzzer, through Atheris."""

from __future__ import annotations

import random
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tools.fuzz.outcomes import Outcome
from tools.fuzz.running import Counts, Taker, quiet_workplace, run_apart
from tools.fuzz.targets import Target, find_target

_SOURCE: Final = Path(__file__).resolve().parents[2] / "src"
_MOST_BYTES: Final = 1 << 16


def run_guided(name: str, inputs: int, seed: int, folder: Path) -> Outcome:
    """Give a target so many inputs; the next run begins with those that reached something new, which stay in `folder`.

    Nothing of misread may be loaded before, for modules are prepared as they are loaded.
    """
    if find_spec("atheris") is None:
        raise SystemExit("--guided needs atheris, of which there are packages for Linux on x86-64 alone.")
    corpus = folder / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)

    def take_rest(counts: Counts, findings: Path) -> None:
        _run_here(name, inputs - counts.inputs, seed + counts.inputs, corpus, findings, counts)

    def fatal(_: int) -> bytes:
        # libFuzzer keeps what it could not survive, where it can.
        broken = max(folder.glob(f"{name}-broken-*"), key=lambda path: path.stat().st_mtime, default=None)
        return broken.read_bytes() if broken else b""

    return run_apart(name, inputs, folder, take_rest, fatal)


def _run_here(name: str, inputs: int, seed: int, corpus: Path, findings: Path, counts: Counts) -> None:
    """Take inputs in this process, which libFuzzer ends."""
    import atheris

    # Numba would compile what is put into a kernel as well.
    kernels = [module for module in _modules() if "kernels" in module]
    with quiet_workplace() as work, atheris.instrument_imports(include=["misread"], exclude=kernels):
        target = find_target(name)
        for number, sample in enumerate(target.samples):
            (corpus / f"sample-{number}").write_bytes(sample)
        taker = Taker(target, work, findings, counts)
        options = {
            "runs": inputs,
            "seed": seed % (1 << 31) or 1,
            "max_len": _MOST_BYTES,
            # The limits are those of `Taker`.
            "rss_limit_mb": 0,
            "timeout": 60,
            "artifact_prefix": findings.parent / f"{name}-broken-",
        }
        arguments = [f"-{option}={value}" for option, value in options.items()]

        def change(data: bytes, most: int, seed: int) -> bytes:
            return _change(target, data, random.Random(seed)) or atheris.Mutate(data, most)

        atheris.Setup([name, *arguments, str(corpus)], taker.take, custom_mutator=change)
        atheris.Fuzz()


def _change(target: Target, data: bytes, rng: random.Random) -> bytes:
    """An input changed as the target's are, in every second case; nothing where it is to be changed as bytes."""
    if rng.random() < 0.5:
        return b""
    try:
        return target.change(rng, data, target.samples)[:_MOST_BYTES]
    except Exception:  # noqa: BLE001  one that is not a table, for instance, cannot be changed as one
        return b""


def _modules() -> list[str]:
    return [".".join(path.relative_to(_SOURCE).with_suffix("").parts) for path in _SOURCE.rglob("*.py")]
