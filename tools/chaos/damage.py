"""Files that are cut short, or of which a bit has changed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from tests.golden.examples import EXAMPLES, STAGE_KINDS
from tests.golden.layouts import plain

from misread.errors import MisreadError
from misread.pipeline import paths
from tools.chaos.outcome import Outcome
from tools.chaos.stage_runs import run_stage
from tools.chaos.study import DATASET, JOURNALS, READER, READER_STAGE, Study

FILES: Mapping[str, Path] = {
    "segments": paths.segments(DATASET),
    "capture": paths.capture(DATASET, READER),
    "timings": paths.timings(DATASET, READER),
    "normalized": paths.normalized(DATASET, READER),
    "scores": paths.scores(DATASET, READER),
    "alignments": paths.alignments(DATASET, READER),
    "confusions": paths.confusions(DATASET, READER),
    "ablation": paths.ablation(DATASET, READER),
    "regimes": paths.regimes(DATASET),
    "comparison": paths.comparison(DATASET),
}
_REFUSED = "refused with file and remedy, or read as what was written"


def damage_files(study: Study, *, times: int, seed: int) -> Iterator[Outcome]:
    """Damage every kind of file so many times in two ways, and read it."""
    study.restore()
    for ending in (".parquet", ".json"):
        for way, damage in (("cut short", _cut), ("with a changed bit", _change)):
            outcome = Outcome(f"{ending.removeprefix('.').replace('json', 'JSON').replace('p', 'P')} {way}", _REFUSED)
            for kind in STAGE_KINDS:
                path, read = FILES[kind], EXAMPLES[kind].read
                if path.suffix == ending:
                    for number in range(times):
                        rng = random.Random(f"{seed} {path} {way} {number}")
                        read_damaged(study.root / path, read, partial(damage, rng), outcome)
            yield outcome
    yield _damage_journal(study, times=max(1, times // 5), seed=seed)


def read_damaged(
    path: Path, read: Callable[[Path], object], damage: Callable[[bytes], bytes], outcome: Outcome
) -> None:
    """Damage a file, read all that is in it, and put it back."""
    content = path.read_bytes()
    expected = plain(read(path))
    path.write_bytes(damage(content))
    try:
        # Columns may stay in the file until they are looked at.
        complaint = "" if plain(read(path)) == expected else f"{path.name} was read as something else"
    except MisreadError as error:
        is_answer = path.name in str(error) and "run `" in str(error)
        complaint = "" if is_answer else f"the error is without file or remedy: {error}"
    except Exception as error:  # noqa: BLE001  whatever it is, it is not an answer
        complaint = f"{path.name}: {type(error).__name__}: {error}"
    finally:
        path.write_bytes(content)
    outcome.add(complaint)


def _cut(rng: random.Random, content: bytes) -> bytes:
    return content[: rng.randrange(len(content))]


def _change(rng: random.Random, content: bytes) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def _damage_journal(study: Study, *, times: int, seed: int) -> Outcome:
    outcome = Outcome("journal cut short, or with a changed bit", "only damaged readings are asked for again")
    journal = study.root / JOURNALS[READER_STAGE]
    for number in range(times):
        for damage in (_cut, _change):
            study.restore()
            study.remove_outputs(READER_STAGE)
            content = journal.read_bytes()
            journal.write_bytes(damage(random.Random(f"{seed} journal {number}"), content))
            kept = [line for line in journal.read_bytes().splitlines(keepends=True) if line in content]
            ended = run_stage(study.root, READER_STAGE)
            after = journal.read_bytes()
            lost = sum(len(line) for line in kept if line not in after)
            outcome.add(
                f"it ended with {ended.status}: {ended.said}" if ended.status else "",
                f"other bytes: {differing}" if (differing := study.differing()) else "",
                f"{lost} bytes of readings were lost" if lost else "",
                lost=lost,
            )
    return outcome
