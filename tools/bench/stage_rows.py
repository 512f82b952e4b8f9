"""Rows for the score stage from file to file, and for whole commands."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import jiwer
import pyarrow as pa
from tests.whole_tables import write_normalized, write_scores

from misread.data.segment_table import Origin
from misread.sockets import METRICS
from misread.storage import read_normalized
from misread.storage.parquet_writer import write_parquet_parts
from misread.tally import score
from tools.bench.fresh import FreshInstall
from tools.bench.line_rows import as_normalized, make_lines
from tools.bench.measure import Figure, Peer, Ratio, Row
from tools.bench.peers import CHARACTERS
from tools.bench.processes import Process, run_misread, run_process, run_python
from tools.bench.texts import LETTERS, Pairs, make_pairs

_STAGE_METRICS = ("cer", "wer", "line_accuracy")
_SCRIPT = """
from rapidfuzz.distance import Levenshtein
errors, length = [0, 0], [0, 0]
with open({reference!r}) as references, open({hypothesis!r}) as hypotheses:
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        sides = (reference[:-1], hypothesis[:-1]), (reference.split(), hypothesis.split())
        for unit, (one, other) in enumerate(sides):
            errors[unit] += Levenshtein.distance(one, other)
            length[unit] += len(one)
print(errors[0] / length[0], errors[1] / length[1])
"""


def stage_rows(scale: float) -> Iterator[Row]:
    """The score stage, Parquet to Parquet: characters, words and lines, of as many pairs as a goal says."""
    pairs = make_pairs("Latin", int(4_000_000 * scale), 8, 0.07)
    with TemporaryDirectory() as folder:
        whole, few, scores = (Path(folder) / f"{name}.parquet" for name in ("whole", "few", "scores"))
        share = 0.02
        write_normalized(whole, as_normalized(pairs))
        write_normalized(few, as_normalized(pairs.head(int(len(pairs) * share))))
        work = f"score stage, {len(pairs):,} pairs"
        run = partial(score_file, whole, scores)
        peer = Peer("jiwer", partial(_score_file_with_jiwer, few), share)
        yield Ratio(work, "Parquet to Parquet: chars, words, lines", run, (peer,), "60")
        yield Figure(
            "normalize and score, ten times the pairs",
            "peak memory of each process",
            f"{len(pairs):,} pairs",
            lambda _rounds: _compare_memory(pairs, Path(folder)),
            "at most 1.1 x",
        )


def process_rows(scale: float) -> Iterator[Row]:
    """`misread score` on two files, and its help."""
    pairs = make_lines(4 * scale)
    share = 0.1
    with TemporaryDirectory() as folder:
        files = _write_sides(Path(folder), "whole", pairs)
        parts = _write_sides(Path(folder), "few", pairs.head(int(len(pairs) * share)))
        own: list[Process] = []

        def run_own() -> Process:
            own.append(run_misread("score", "--ref", files[0], "--hyp", f"a={files[1]}", "--resamples", "1"))
            return own[-1]

        script = _SCRIPT.format(reference=files[0], hypothesis=files[1])
        work = f"{len(pairs):,} lines from two files"

        def beside_jiwer(rounds: int) -> str:
            start = _jiwer("--help").seconds
            theirs = [2 * start + (_score_with_jiwer(*parts) - 2 * start) / share for _ in range(min(rounds, 2))]
            return f"{median(theirs) / median(run_own().seconds for _ in range(rounds)):.3g} x"

        def beside_script(rounds: int) -> str:
            pairs_of = [(run_own().seconds, run_python(script).seconds) for _ in range(rounds)]
            return f"{median(own for own, _ in pairs_of) / median(theirs for _, theirs in pairs_of):.3g} x the time"

        run_own()
        yield Figure(work, "CER + WER, whole process", "jiwer's command, twice", beside_jiwer, "12")
        yield Figure(work, "CER + WER, whole process", "script with rapidfuzz", beside_script, "at most 1.5", "below 1")
        yield Figure(
            work, "CER + WER, memory", "itself", lambda _: f"{run_own().peak_bytes / 1e6:.0f} MB", "under 400 MB"
        )
    yield from _first_minute()
    yield Figure("misread --help", "wall time", "itself", _time_help, "under 0.3 s")


def _first_minute() -> Iterator[Row]:
    """Scores of two systems by a new install: the very first, and those that find what was kept."""
    with TemporaryDirectory() as folder:
        install = FreshInstall(Path(folder))
        few, many = (_write_systems(Path(folder), f"{lines}", lines) for lines in (2, 20_000))

        def first(rounds: int) -> str:
            return f"{median(install.run_first('score', *few).seconds for _ in range(rounds)):.2g} CPU-s"

        def warm(rounds: int) -> str:
            return f"{median(install.run('score', *few).seconds for _ in range(rounds)):.2g} CPU-s"

        def first_of_many(_rounds: int) -> str:
            return f"{install.run_first('score', *many).seconds:.2g} CPU-s"

        work = "two lines, two systems"
        yield Figure(work, "CER + WER, first run of a new install", "itself", first, "4 CPU-s", "1.5 CPU-s")
        yield Figure(work, "CER + WER, every other run", "itself", warm, "0.5 CPU-s", "0.25 CPU-s")
        yield Figure("20,000 lines, two systems", "CER + WER, first run of a new install", "itself", first_of_many)


def _write_systems(folder: Path, name: str, lines: int) -> list[str]:
    """Write references and what two systems read; return the paths."""
    rates = {"a": 0.05, "b": 0.08}
    sides = [
        _write_sides(folder, f"{name}.{system}", make_pairs("Latin", lines, 8, rate)) for system, rate in rates.items()
    ]
    return [*sides[0], sides[1][1]]


def _time_help(rounds: int) -> str:
    return f"{median(run_misread('--help').wall_seconds for _ in range(rounds + 2)):.2g} s"


def _jiwer(*arguments: str) -> Process:
    return run_process(str(Path(sys.executable).with_name("jiwer")), *arguments)


def _score_with_jiwer(reference: str, hypothesis: str) -> float:
    """CPU time of both commands."""
    sides = ("-r", reference, "-h", hypothesis)
    return _jiwer(*sides).seconds + _jiwer(*sides, "-c").seconds


def _write_sides(folder: Path, name: str, pairs: Pairs) -> tuple[str, str]:
    """Write references and hypotheses, one per line; return the paths."""
    paths = folder / f"{name}.reference.txt", folder / f"{name}.hypothesis.txt"
    for path, texts in zip(paths, (pairs.references, pairs.hypotheses), strict=True):
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def score_file(source: Path, target: Path) -> None:
    """Run the stage's work for a few metrics."""
    metrics = [METRICS[name] for name in _STAGE_METRICS]
    write_scores(target, score(read_normalized(source), metrics))


def _score_file_with_jiwer(source: Path) -> None:
    texts = read_normalized(source).normalized
    sides = list(texts.references), [text or "" for text in texts.hypotheses]
    jiwer.process_characters(*sides, CHARACTERS, CHARACTERS)
    jiwer.process_words(*sides)
    sum(reference == hypothesis for reference, hypothesis in zip(*sides, strict=True))


_NORMALIZE = """
from pathlib import Path
from misread.storage import making_parts
from misread.normalize import get_normalizer
from misread.pipeline.normalized_parts import normalize_part, plan_parts, write_parts
source, target, normalizer = Path({source!r}), Path({target!r}), get_normalizer("lower")
with making_parts(target) as folder:
    write_parts(map(normalize_part, plan_parts(source, normalizer, folder)), target, normalizer)
"""
_SCORE = """
from pathlib import Path
from misread.storage import making_parts
from misread.sockets import get_metrics
from misread.pipeline.scored_parts import plan_parts, score_part, write_parts
source, target = Path({source!r}), Path({target!r})
files = {{name: target.with_suffix("." + name) for name in ("scores", "alignments", "confusions")}}
with making_parts(target) as folder:
    tasks = plan_parts(source, get_metrics(["cer", "wer", "line_accuracy"]), folder, checked=50)
    write_parts(map(score_part, tasks), folder, **files)
"""


def _compare_memory(pairs: Pairs, folder: Path) -> str:
    """Peaks of the stages' work on the pairs, and on ten times as many in which every letter is another one."""
    found: dict[str, list[float]] = {"normalize": [], "score": []}
    for times in (1, 10):
        captured, normalized = (folder / f"{name}.{times}" for name in ("captured", "normalized"))
        _write_capture(captured, pairs, times)
        for stage, program, source, target in (
            ("normalize", _NORMALIZE, captured, normalized),
            ("score", _SCORE, normalized, folder / f"scored.{times}"),
        ):
            run = run_python(program.format(source=str(source), target=str(target)))
            found[stage].append(run.peak_bytes / 1e6)
    return "; ".join(f"{stage} {few:.0f} to {many:.0f} MB, {many / few:.2f} x" for stage, (few, many) in found.items())


def _write_capture(path: Path, pairs: Pairs, times: int) -> None:
    """Write the pairs so many times, each time in letters of their own, so that there are as many different words."""
    letters = LETTERS["Latin"]

    def columns(turn: int) -> dict[str, pa.Array]:
        other = str.maketrans(letters, letters[turn:] + letters[:turn])
        return {
            "segment_id": pa.array([f"{turn}-{row}" for row in range(len(pairs))]),
            "reference": pa.array([text.translate(other) for text in pairs.references]),
            "run": pa.array([1] * len(pairs), pa.int32()),
            "hypothesis": pa.array([text.translate(other) for text in pairs.hypotheses]),
            "reason": pa.nulls(len(pairs), pa.string()),
        }

    note = {"origin": asdict(Origin("lines", "system"))}
    write_parquet_parts(path, map(columns, range(times)), kind="capture", note=note)
