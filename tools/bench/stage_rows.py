"""Rows for stages: the score stage from file to file, memory, resampling and sign flips."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import jiwer
import numpy as np
import pyarrow as pa
from scipy.stats import bootstrap, permutation_test
from tests.whole_tables import write_normalized, write_scores

from misread.data.segment_table import Origin
from misread.sockets import get_metrics
from misread.stats.bootstrap.kernels import flipped_sums
from misread.stats.bootstrap.resampling import bootstrap_sums
from misread.storage import read_normalized
from misread.storage.parquet import note_origin
from misread.storage.parquet_writer import write_parquet_parts
from misread.tally import score
from misread.types import IntArray
from tools.bench.alignment_rows import CHARACTERS, as_normalized
from tools.bench.measure import Measured, Peer, Row, run_python, speed_up
from tools.bench.texts import LETTERS, Pairs, make_pairs


def stage_rows(scale: float) -> Iterator[Row]:
    """The score stage, Parquet to Parquet: characters, words and lines."""
    pairs = make_pairs("Latin", int(800_000 * scale), 8, 0.07)
    with TemporaryDirectory() as folder:
        whole, few, scores = (Path(folder) / f"{name}.parquet" for name in ("whole", "few", "scores"))
        share = 0.05
        write_normalized(whole, as_normalized(pairs))
        write_normalized(few, as_normalized(pairs.head(int(len(pairs) * share))))
        work = f"score stage, {len(pairs):,} pairs"
        metrics = get_metrics(["cer", "wer", "line_accuracy"])
        peer = Peer("jiwer", partial(_score_file_with_jiwer, few), share)
        measure = speed_up(lambda: write_scores(scores, score(read_normalized(whole), metrics)), peer)
        yield Row(work, "Parquet to Parquet: chars, words, lines", measure, "60")


def memory_rows(scale: float) -> Iterator[Row]:
    """Peaks of normalize and score on a million pairs at scale .25, and on ten times as many: quarters of an hour."""
    pairs = make_pairs("Latin", int(4_000_000 * scale), 8, 0.07)
    with TemporaryDirectory() as folder:
        for stage, peaks in _measure_memory(pairs, Path(folder)).items():
            growth = peaks[1] / peaks[0]
            shown = Measured(f"{len(pairs):,} pairs", f"{peaks[0]:.0f} to {peaks[1]:.0f} MB, {growth:.2f} x", [growth])
            work = f"{stage}, ten times the pairs"
            yield Row(work, "peak memory of the process", lambda _, shown=shown: shown, "at most 1.1 x")


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
    write_parts(map(score_part, tasks), **files)
"""


def _measure_memory(pairs: Pairs, folder: Path) -> dict[str, list[float]]:
    """Megabytes by stage for the pairs, and for ten times as many in which every letter is another one."""
    megabytes: dict[str, list[float]] = {"normalize": [], "score": []}
    for times in (1, 10):
        captured, normalized = (folder / f"{name}.{times}" for name in ("captured", "normalized"))
        _write_capture(captured, pairs, times)
        for stage, program, source, target in (
            ("normalize", _NORMALIZE, captured, normalized),
            ("score", _SCORE, normalized, folder / f"scored.{times}"),
        ):
            run = run_python(program.format(source=str(source), target=str(target)))
            megabytes[stage].append(run.peak_bytes / 1e6)
    return megabytes


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

    note = {"origin": note_origin(Origin("lines", "system"))}
    write_parquet_parts(path, map(columns, range(times)), kind="capture", note=note)


SYSTEMS, SEGMENTS, RESAMPLES = 8, 10_000, 10_000
# Share of the work that SciPy is given.
SHARE = 0.01


def resampling_rows(scale: float) -> Iterator[Row]:
    """Bootstrap of systems that share their segments, and sign flips of the differences of two."""
    lengths, errors = _draw_counts()
    resamples = max(200, round(RESAMPLES * scale))
    counts = np.column_stack([*errors, lengths])
    peer = Peer("scipy.stats.bootstrap", partial(_bootstrap_each, errors, lengths, int(resamples * SHARE)), SHARE)
    measure = speed_up(partial(bootstrap_sums, counts, resamples=resamples, seed=1), peer)
    yield Row("bootstrap", f"{SYSTEMS} systems, {SEGMENTS:,} segments, B = {RESAMPLES:,}", measure, "30", "50")
    differences = (errors[1] - errors[0])[:1000]
    options = {"permutation_type": "samples", "n_resamples": resamples, "vectorized": True, "rng": 1}
    permute = partial(permutation_test, (differences,), lambda values, axis: values.sum(axis), **options)
    peer = Peer("scipy.stats.permutation_test", permute)
    flips = partial(flipped_sums, differences[:, np.newaxis], resamples, 1)
    yield Row("sign flip", f"n = 1,000, {RESAMPLES:,} draws", speed_up(flips, peer), "100", "200")


def _draw_counts() -> tuple[IntArray, IntArray]:
    """Lengths, shape (segments,), and errors of every system, each a little worse, shape (systems, segments)."""
    rng = np.random.default_rng(1)
    lengths = rng.integers(25, 75, size=SEGMENTS)
    return lengths, np.stack([rng.binomial(lengths, 0.05 + 0.002 * number) for number in range(SYSTEMS)])


def _bootstrap_each(errors: IntArray, lengths: IntArray, resamples: int) -> None:
    for system in errors:
        bootstrap(
            (system, lengths),
            lambda numerator, denominator, axis: numerator.sum(axis) / denominator.sum(axis),
            paired=True,
            vectorized=True,
            n_resamples=resamples,
            method="percentile",
            rng=1,
        )
